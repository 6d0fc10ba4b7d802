import { pitrRestore } from "../../../provider/actions/database/pitr-restore";
import type { Values } from "../../../provider/define/values";
import { halfMadeBy } from "../half-made";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { fixture as sample } from "../../../tools/fixtures/database/pitr-restore";

let scenario: Scenario;
let restores: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sample.prepare?.(scenario, ref);
  restores = scenario.manage(pitrRestore);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ ...sample.inputs(ref), ...more });
const project = () => scenario.emulator.world.state.projects.get(ref);
const status = (): string => scenario.emulator.control.call("getProject", { ref }).status;

it("restores at once, waits until the project is healthy, and takes equal times for the same", async () => {
  const began = scenario.clock.now();
  const made = await restores.create(declared());
  expect(project()?.activity).toMatchObject({ kind: "restore", since: began });
  expect(status()).toBe("ACTIVE_HEALTHY");
  expect(made.state["ranAt"]).toBe(new Date(began).toISOString());
  expect(scenario.progress.join("\n")).toContain("it is RESTORING");

  const sameTime = declared({ recoveryTime: "2026-01-01T01:30:00+01:00" });
  expect(restores.diff(made.state, sameTime).changes).toBe(false);
  const another = declared({ recoveryTime: "2026-01-01T00:31:00Z" });
  expect(restores.diff(made.state, another).replaces).toEqual(["recoveryTime"]);
});

it("is refused in the preview unless it names the project once more", () => {
  expect(restores.failures(declared({ confirm: "yes" }))[0]).toContain(
    `confirm: expected ${ref}, as in \`projectRef\`, got yes: this action destroys data`,
  );
  expect(restores.failures(declared({ recoveryTime: "yesterday" }))[0]).toContain("a time in ISO 8601");
});

it("says what the service refuses, and can be run again once that is mended", async () => {
  const early = restores.create(declared({ recoveryTime: "2025-12-31T00:00:00Z" }));
  await expect(early).rejects.toThrow("recovery_time_target_unix: Expected a time from");
  scenario.nextRun();
  await restores.create(declared());
  expect(scenario.calls("restorePitr")).toBe(2);
});

it("follows a restore whose answer got lost", async () => {
  scenario.emulator.control.addFault({ operation: "restorePitr", drop: "after" });
  await restores.create(declared());
  expect(scenario.calls("restorePitr")).toBe(1);
  expect(status()).toBe("ACTIVE_HEALTHY");
});

it("says so where nobody can know whether it was begun, and does not begin it again by itself", async () => {
  scenario.emulator.control.addFault({ operation: "restorePitr", drop: "before" });
  const { id, state, message } = await halfMadeBy(restores.create(declared()));
  expect(message).toContain(
    `Whether the restore of the project ${ref} to 2026-01-01T00:30:00Z has started is unknown`,
  );
  expect(message).toContain(
    `If it was restored, add \`adoptId: "${id}"\` to the action. If not, change \`triggers\``,
  );
  scenario.nextRun();
  await restores.read({ id, state });
  await expect(restores.update({ id, state }, declared())).rejects.toThrow("is unknown");
  expect(restores.diff(state, declared({ triggers: [2] })).replaces).toEqual(["triggers"]);
  const taken = await restores.update({ id, state }, declared({ adoptId: id }));
  expect(restores.diff(taken.state, declared()).changes).toBe(false);
  expect(scenario.calls("restorePitr")).toBe(1);
});

it.each(["ACTIVE_UNHEALTHY", "RESTARTING", "PAUSING", "VALUE_OF_TOMORROW", "UNKNOWN", null, undefined])(
  "does not take a project that is %s for one that is restored",
  async (shown) => {
    const { control } = scenario.emulator;
    const answer = { ...control.call("getProject", { ref }), status: shown };
    control.addFault({ operation: "restorePitr", drop: "before" });
    const { id, state } = await halfMadeBy(restores.create(declared()));
    scenario.nextRun();
    control.addFault({ operation: "getProject", status: 200, body: answer, times: 2 });
    await expect(restores.update({ id, state }, declared())).rejects.toThrow("has started is unknown");
    expect(scenario.calls("restorePitr")).toBe(1);
  },
);

it("fails where the restore does", async () => {
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref);
    if (record) record.next.restore = "RESTORE_FAILED";
  });
  const { message } = await halfMadeBy(restores.create(declared()));
  expect(message).toContain(
    `The restore of the project ${ref} to 2026-01-01T00:30:00Z failed: the project is RESTORE_FAILED`,
  );
});
