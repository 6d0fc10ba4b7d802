import type { Values } from "../../../provider/define/values";
import { project } from "../../../provider/resources/projects/project/project";
import { realtimeConfig } from "../../../provider/resources/services/realtime-config/realtime-config";
import { updateRealtimeConfigBody } from "../../../spec/operations/realtime";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let configs: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  configs = scenario.manage(realtimeConfig);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.realtime.config;
const editOutside = (edit: Partial<NonNullable<ReturnType<typeof onService>>>): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const realtime = projects.get(ref)?.realtime;
    if (realtime) realtime.config = { ...realtime.config, ...edit };
  });

it("writes just what is declared, and restores what it found but not what others set", async () => {
  const before = onService();
  const inputs = declared({ privateOnly: true, maxConcurrentUsers: 500 });
  const made = await configs.create(inputs);
  expect(onService()).toEqual({ ...before, private_only: true, max_concurrent_users: 500 });
  expect(made.state).toMatchObject({
    privateOnly: true,
    maxConcurrentUsers: 500,
    __found: { values: { privateOnly: false, maxConcurrentUsers: 200 }, unset: [] },
  });

  scenario.nextRun();
  const changed = declared({ privateOnly: true, maxConcurrentUsers: 750 });
  expect([...configs.diff(made.state, changed).changed]).toEqual(["maxConcurrentUsers"]);
  const updated = await configs.update(made, changed);
  expect(onService()).toEqual({ ...before, private_only: true, max_concurrent_users: 750 });

  editOutside({ private_only: false, max_joins_per_second: 7 });
  scenario.nextRun();
  const drifted = await configs.read(updated);
  expect(drifted?.inputs).toMatchObject({ privateOnly: false });
  expect([...configs.diff(drifted?.state ?? {}, changed).changed]).toEqual(["privateOnly"]);
  const repaired = await configs.update({ id: ref, state: drifted?.state ?? {} }, changed);
  expect(onService()).toMatchObject({ private_only: true, max_joins_per_second: 7 });

  await configs.delete(repaired);
  expect(onService()).toEqual({ ...before, max_joins_per_second: 7 });
});

it("sends and reads back every field of the API", async () => {
  scenario.emulator.control.set("newer", true);
  const shown = () => scenario.emulator.control.call("getRealtimeConfig", { ref });
  const all = {
    privateOnly: true,
    connectionPool: 3,
    maxConcurrentUsers: 201,
    maxEventsPerSecond: 101,
    maxBytesPerSecond: 100_001,
    maxChannelsPerClient: 102,
    maxJoinsPerSecond: 103,
    maxPresenceEventsPerSecond: 104,
    maxPayloadSizeInKb: 105,
    suspend: true,
    presenceEnabled: false,
  };
  const before = shown();
  const made = await configs.create(declared(all));
  expect(shown()).toEqual({
    private_only: true,
    connection_pool: 3,
    max_concurrent_users: 201,
    max_events_per_second: 101,
    max_bytes_per_second: 100_001,
    max_channels_per_client: 102,
    max_joins_per_second: 103,
    max_presence_events_per_second: 104,
    max_payload_size_in_kb: 105,
    suspend: true,
    presence_enabled: false,
  });
  expect(Object.keys(all)).toHaveLength(Object.keys(updateRealtimeConfigBody.shape).length);
  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.inputs).toEqual(declared(all));
  await configs.delete(made);
  expect(shown()).toEqual(before);
});

describe("a suspension", () => {
  const health = () => scenario.emulator.control.call("getHealth", { ref, services: ["realtime"] });

  it("shows in the health of the service, which takes changes all the same, and ends", async () => {
    const made = await configs.create(declared({ suspend: true }));
    expect(health()).toMatchObject([{ status: "UNHEALTHY", error: '{"error":"it is suspended"}' }]);
    const updated = await configs.update(made, declared({ suspend: true, maxConcurrentUsers: 5 }));
    expect(onService()).toMatchObject({ suspend: true, max_concurrent_users: 5 });
    await configs.update(updated, declared({ suspend: false, maxConcurrentUsers: 5 }));
    expect(health()).toMatchObject([{ status: "ACTIVE_HEALTHY" }]);
  });

  it("is taken back on delete", async () => {
    const made = await configs.create(declared({ suspend: true }));
    await configs.delete(made);
    expect(health()).toMatchObject([{ status: "ACTIVE_HEALTHY" }]);
  });

  const shop = { name: "shop", organizationSlug: "acme", dbPass: "first-password", region: "eu-central-1" };

  it("does not make a project wait for its services, and the project says so", async () => {
    const projects = scenario.manage(project);
    const made = await projects.create(shop);
    expect(scenario.calls("getRealtimeConfig")).toBe(0);
    await configs.create({ projectRef: made.id, suspend: true });
    const updated = await projects.update(made, { ...shop, name: "store" });
    expect(updated.state).toMatchObject({ status: "ACTIVE_HEALTHY", name: "store" });
    expect(scenario.warnings.join()).toContain(`the service \`realtime\` of ${made.id} is suspended`);
  });

  it("is no reason to pass over realtime that is unhealthy without one", async () => {
    const projects = scenario.manage(project);
    const made = await projects.create(shop);
    scenario.emulator.control.edit((state) => {
      state.projects.get(made.id)?.unhealthyServices.set("realtime", "no node");
    });
    const inputs = { ...shop, name: "store", timeouts: { update: 300 } };
    await expect(projects.update(made, inputs)).rejects.toThrow("realtime is UNHEALTHY (no node)");
  });
});

it("sees a setting that was reset outside, and leaves on delete what cannot be unset", async () => {
  editOutside({ max_joins_per_second: null });
  const made = await configs.create(declared({ maxConcurrentUsers: 500, maxJoinsPerSecond: 50 }));
  expect(made.state).toMatchObject({
    __found: { values: { maxConcurrentUsers: 200 }, unset: ["maxJoinsPerSecond"] },
  });
  editOutside({ max_concurrent_users: null });
  scenario.nextRun();
  const read = await configs.read(made);
  const diff = configs.diff(read?.state ?? {}, declared({ maxConcurrentUsers: 500, maxJoinsPerSecond: 50 }));
  expect([...diff.changed]).toEqual(["maxConcurrentUsers"]);
  await configs.delete(made);
  expect(onService()).toMatchObject({ max_concurrent_users: 200, max_joins_per_second: 50 });
  expect(scenario.warnings.join()).toContain("cannot unset `maxJoinsPerSecond` of the RealtimeConfig");
});

it("says that a setting without a value before stays, also where the answer to a delete lacks it", async () => {
  editOutside({ max_joins_per_second: null });
  const made = await configs.create(declared({ maxJoinsPerSecond: 50 }));
  const { max_joins_per_second: _, ...body } = scenario.emulator.control.call("getRealtimeConfig", { ref });
  scenario.emulator.control.addFault({ operation: "getRealtimeConfig", status: 200, body, times: 100 });
  await configs.delete(made);
  expect(scenario.warnings.join()).toContain("cannot unset `maxJoinsPerSecond` of the RealtimeConfig");
});

describe("presence", () => {
  const inputs = (): Values => declared({ maxConcurrentUsers: 500, presenceEnabled: false });
  const presence = () => scenario.emulator.control.call("getRealtimeConfig", { ref }).presence_enabled;

  it("is managed, drifts and is restored where the service has it", async () => {
    scenario.emulator.control.set("newer", true);
    const made = await configs.create(inputs());
    expect(presence()).toBe(false);
    scenario.emulator.control.call("updateRealtimeConfig", { ref, body: { presence_enabled: true } });
    scenario.nextRun();
    const read = await configs.read(made);
    expect([...configs.diff(read?.state ?? {}, inputs()).changed]).toEqual(["presenceEnabled"]);
    const repaired = await configs.update({ id: ref, state: read?.state ?? {} }, inputs());
    expect(presence()).toBe(false);
    await configs.update(repaired, declared({ maxConcurrentUsers: 500 }));
    expect(presence()).toBe(true);
    expect(scenario.warnings).toEqual([]);
  });

  it("is refused before anything is written where the service does not know it", async () => {
    const before = onService();
    await expect(configs.create(inputs())).rejects.toThrow(
      `this service does not know \`presenceEnabled\`: the RealtimeConfig of ${ref} has no such setting. Nothing was changed.`,
    );
    expect(onService()).toEqual(before);
    expect(scenario.calls("updateRealtimeConfig")).toBe(0);
  });

  it("is no drift where the service does not know it any more, which a refresh says, and a delete sends nothing of it", async () => {
    scenario.emulator.control.set("newer", true);
    const made = await configs.create(inputs());
    scenario.emulator.control.set("newer", false);
    scenario.nextRun();
    const read = await configs.read(made);
    expect(configs.diff(read?.state ?? {}, inputs()).changes).toBe(false);
    expect(scenario.warnings.join("\n")).toContain(
      "this service does not know `presenceEnabled`: the RealtimeConfig of",
    );
    scenario.nextRun();
    const changed = declared({ maxConcurrentUsers: 750, presenceEnabled: false });
    const updated = await configs.update({ id: ref, state: read?.state ?? {} }, changed);
    expect(onService()).toMatchObject({ max_concurrent_users: 750 });
    await expect(
      configs.update(updated, declared({ maxConcurrentUsers: 750, presenceEnabled: true })),
    ).rejects.toThrow("this service does not know `presenceEnabled`");
    await configs.delete(updated);
    expect(onService()).toMatchObject({ max_concurrent_users: 200 });
    expect(scenario.warnings.join("\n")).toContain(
      "was not wholly restored: the service no longer returns `presenceEnabled`",
    );
  });

  it("is never sent by a program that does not declare it", async () => {
    const made = await configs.create(declared({ maxConcurrentUsers: 500 }));
    await configs.delete(made);
    expect(onService()).not.toHaveProperty("presence_enabled");
    expect(scenario.warnings).toEqual([]);
  });
});

it("is gone with its project", async () => {
  const made = await configs.create(declared({ maxConcurrentUsers: 500 }));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await configs.read(made)).toBeUndefined();
  await configs.delete(made);
});

it("warns of a setting that the service takes and does not keep", async () => {
  const shown = scenario.emulator.control.call("getRealtimeConfig", { ref });
  scenario.emulator.control.addFault({
    operation: "getRealtimeConfig",
    status: 200,
    body: shown,
    times: 100,
  });
  await configs.create(declared({ maxConcurrentUsers: 500 }));
  expect(scenario.warnings).toEqual([
    expect.stringMatching(/took `maxConcurrentUsers` of RealtimeConfig .* shows another value/),
  ]);
});
