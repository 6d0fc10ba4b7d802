import { halfMadeBy } from "../half-made";
import type { Values } from "../../../provider/define/values";
import { sslEnforcement } from "../../../provider/resources/database/ssl-enforcement/ssl-enforcement";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { createBranchRef } from "../../kit/branch-ref";

let scenario: Scenario;
let enforcement: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  enforcement = scenario.manage(sslEnforcement);
});
afterEach(() => scenario.close());

const declared = (database: boolean, more: Values = {}): Values => ({ projectRef: ref, database, ...more });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.sslEnforcement.database;
const editOutside = (database: boolean): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.sslEnforcement;
    if (record) record.database = database;
  });
const isApplied = (): boolean =>
  scenario.emulator.control.call("getSslEnforcement", { ref }).appliedSuccessfully;

it("shows what others switched, and a delete restores what it found", async () => {
  const made = await enforcement.create(declared(true));
  expect(onService()).toBe(true);
  expect(made.state).toMatchObject({
    database: true,
    appliedSuccessfully: true,
    __found: { values: { database: false }, unset: [] },
  });

  editOutside(false);
  scenario.nextRun();
  const drifted = await enforcement.read(made);
  expect(drifted?.inputs).toMatchObject({ database: false });
  const repaired = await enforcement.update({ id: ref, state: drifted?.state ?? {} }, declared(true));
  expect(onService()).toBe(true);

  await enforcement.delete(repaired);
  expect(onService()).toBe(false);
});

it("restores that connections were encrypted before", async () => {
  editOutside(true);
  const made = await enforcement.create(declared(false));
  expect(onService()).toBe(false);
  await enforcement.delete(made);
  expect(onService()).toBe(true);
});

it("writes nothing where the service has the declared value", async () => {
  await enforcement.create(declared(false));
  expect(scenario.calls("updateSslEnforcement")).toBe(0);
});

// service, SSL enforcement: the answer shows the new value as applied, and the opposite is taken seconds later.
it("takes changes one after the other where the service applies them at once", async () => {
  const made = await enforcement.create(declared(true));
  await enforcement.update(made, declared(false));
  expect(onService()).toBe(false);
  expect(scenario.calls("getSslEnforcement")).toBe(2);
  expect(scenario.calls("getHealth")).toBe(0);
  expect(scenario.progress.join("\n")).not.toContain("RESTARTING");
});

it("waits until a change is applied that the service applies later", async () => {
  scenario.emulator.control.set("changesApplyLater", true);
  const made = await enforcement.create(declared(true));
  expect(made.state["appliedSuccessfully"]).toBe(true);
  expect(isApplied()).toBe(true);
  expect(scenario.progress.join("\n")).toContain("SslEnforcement of");
  await enforcement.update(made, declared(false));
  expect(isApplied()).toBe(true);
});

it("waits for a restart that the service decides on", async () => {
  scenario.emulator.control.set("settingsRestartDatabase", true);
  const made = await enforcement.create(declared(true));
  const status = () => scenario.emulator.control.call("getProject", { ref }).status;
  expect(status()).toBe("ACTIVE_HEALTHY");
  expect(scenario.progress.join("\n")).toContain("RESTARTING");
  await enforcement.delete(made);
  expect(onService()).toBe(false);
  expect(status()).toBe("ACTIVE_HEALTHY");
});

it("is a half-made resource where the service never applies it, which a delete restores all the same", async () => {
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.sslEnforcement;
    if (record) record.applies = false;
  });
  const failure = await halfMadeBy(enforcement.create(declared(true, { timeouts: { create: 60 } })));
  expect(failure.message).toContain("the service has not applied it yet");
  await enforcement.delete({ id: failure.id, state: failure.state });
  expect(onService()).toBe(false);
});

it("is enforced on a branch by the branch's own reference", async () => {
  const branchRef = createBranchRef(scenario, ref);
  const made = await enforcement.create({ projectRef: branchRef, database: true });
  expect(made.id).toBe(branchRef);
  expect(scenario.emulator.world.state.projects.get(branchRef)?.sslEnforcement.database).toBe(true);
  expect(onService()).toBe(false);
});

it("is gone with its project", async () => {
  const made = await enforcement.create(declared(true));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await enforcement.read(made)).toBeUndefined();
  await enforcement.delete(made);
});

it("requires to be told what to enforce", () => {
  expect(enforcement.failures({ projectRef: ref })).toEqual([expect.stringMatching(/^database: /)]);
});

// service, SSL enforcement: every switch restarts Postgres, and the project stays ACTIVE_HEALTHY.
it("waits until queries are answered after the restart that nothing shows", async () => {
  const { control } = scenario.emulator;
  const began = scenario.clock.now();
  await enforcement.create(declared(true));
  expect(control.countCalls({ operation: "runReadOnlyQuery", status: 544 })).toBeGreaterThan(0);
  expect(control.countCalls({ operation: "runReadOnlyQuery", status: 201 })).toBeGreaterThanOrEqual(2);
  expect(scenario.clock.now() - began).toBeGreaterThanOrEqual(8_000);
  await control.call("runQuery", { ref, body: { query: "select 1" } });
});

it("believes a token that may not query", async () => {
  scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", status: 403, times: 5 });
  const made = await enforcement.create(declared(true));
  expect(made.state["database"]).toBe(true);
});
