import { InitializationError } from "../../../provider/engine/step/errors";
import type { Values } from "../../../provider/define/values";
import { customHostname } from "../../../provider/resources/domains/custom-hostname/custom-hostname";
import { customHostnameActivation } from "../../../provider/resources/domains/custom-hostname-activation/custom-hostname-activation";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { publishRecords } from "../../../tools/engine/emulated-dns";

let scenario: Scenario;
let activations: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  scenario.emulator.control.call("applyAddon", {
    ref,
    body: { addon_type: "custom_domain", addon_variant: "cd_default" },
  });
  activations = scenario.manage(customHostnameActivation);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  customHostname: "db.example.com",
  ...more,
});
const initialize = () => scenario.manage(customHostname).create(declared());
const onService = () => scenario.emulator.world.state.projects.get(ref)?.customHostname ?? undefined;

it("stays active with its hostname, within one run with the DNS records", async () => {
  const hostname = await initialize();
  publishRecords(scenario, ref);
  const made = await activations.create(declared());
  expect(made).toMatchObject({ id: ref, state: { status: "5_services_reconfigured" } });
  expect(onService()?.activatedAt).not.toBeNull();

  expect(activations.diff(made.state, declared({ customHostname: "api.example.com" }))).toMatchObject({
    replaces: ["customHostname"],
    deleteBeforeReplace: true,
  });

  scenario.nextRun();
  await activations.delete(made);
  expect(scenario.infos.join("\n")).toContain("db.example.com stays active");
  expect(onService()?.activatedAt).not.toBeNull();
  await scenario.manage(customHostname).delete(hostname);
  expect(await activations.read(made)).toBeUndefined();
  await activations.delete(made);
  expect(scenario.infos).toHaveLength(1);
});

it("is made anew where the hostname is active no longer", async () => {
  await initialize();
  publishRecords(scenario, ref);
  const made = await activations.create(declared());
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.customHostname;
    if (record) record.activatedAt = null;
  });
  scenario.nextRun();
  expect(await activations.read(made)).toBeUndefined();
  await activations.create(declared());
  expect(onService()?.activatedAt).not.toBeNull();
});

it("waits for the DNS records within the stricter limit, no longer than its time, and goes on in the next run", async () => {
  await initialize();
  const inputs = declared({ timeouts: { create: 1_800, update: 600 } });
  scenario.emulator.control.clearCalls();
  const failure: unknown = await activations.create(inputs).catch((error: unknown) => error);
  if (!(failure instanceof InitializationError)) throw failure;
  expect(failure.message).toMatch(
    /Timed out waiting for the DNS records.*TXT record not found.*TXT records _ownership-verification\.db\.example\.com and _acme-challenge\.db\.example\.com, which you create at the DNS provider/s,
  );
  const times = scenario.emulator.control.calls({ operation: "reverifyCustomHostname" }).map(({ at }) => at);
  expect(times.length).toBeGreaterThan(10);
  for (const [index, at] of times.entries())
    expect(at - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(10_000);
  expect(scenario.emulator.control.countCalls({ status: 429 })).toBe(0);

  publishRecords(scenario, ref);
  scenario.nextRun();
  const active = await activations.update({ id: failure.id, state: failure.state }, inputs);
  expect(active.state["status"]).toBe("5_services_reconfigured");
});

it("activates nothing where the project has no hostname, or another one", async () => {
  await expect(activations.create(declared())).rejects.toThrow(
    /has no custom hostname to activate.*CustomHostname/s,
  );
  await initialize();
  scenario.nextRun();
  await expect(activations.create(declared({ customHostname: "api.example.com" }))).rejects.toThrow(
    /has the custom hostname db\.example\.com, not api\.example\.com/,
  );
  expect(scenario.calls("activateCustomHostname")).toBe(0);
});

it("takes a hostname that is active already as it is", async () => {
  await initialize();
  publishRecords(scenario, ref);
  const made = await activations.create(declared());
  scenario.nextRun();
  await activations.read(made);
  await activations.create(declared({ adoptId: ref }));
  expect(scenario.calls("activateCustomHostname")).toBe(1);
});

it("is deleted where the service does not say what is there", async () => {
  await initialize();
  publishRecords(scenario, ref);
  const made = await activations.create(declared());
  scenario.emulator.control.addFault({ operation: "getCustomHostname", status: 403, times: 10 });
  await activations.delete(made);
  expect(scenario.infos).toEqual([]);
});

it.each([undefined, null, "ACTIVE"])(
  "stays in a refresh whose answer does not tell the stage: %s",
  async (status) => {
    await initialize();
    publishRecords(scenario, ref);
    const made = await activations.create(declared());
    const { control } = scenario.emulator;
    const body = { ...control.call("getCustomHostname", { ref }), status };
    control.addFault({ operation: "getCustomHostname", status: 200, body, times: 1_000 });
    let state = made.state;
    for (const _run of ["first", "second"]) {
      scenario.nextRun();
      const read = await activations.read({ id: made.id, state });
      expect(activations.diff(read?.state ?? {}, declared()).changes).toBe(false);
      state = read?.state ?? {};
    }
    expect(await activations.update({ id: made.id, state: made.state }, declared())).toBeDefined();
  },
);
