import { restorePointUndo } from "../../../provider/actions/database/restore-point-undo";
import type { Values } from "../../../provider/define/values";
import { asMeasured } from "../../../tools/fixtures/documented-service";
import { halfMadeBy } from "../half-made";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { fixture as sample } from "../../../tools/fixtures/database/restore-point-undo";

let scenario: Scenario;
let undoings: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sample.prepare?.(scenario, ref);
  undoings = scenario.manage(restorePointUndo);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ ...sample.inputs(ref), ...more });
const project = () => scenario.emulator.world.state.projects.get(ref);

it("restores at once, and waits until the project is healthy", async () => {
  const began = scenario.clock.now();
  const made = await undoings.create(declared());
  expect(project()?.activity).toMatchObject({ kind: "restore", since: began });
  expect(scenario.emulator.control.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  expect(made.state["ranAt"]).toBe(new Date(began).toISOString());

  expect(undoings.diff(made.state, declared({ name: "another" })).replaces).toEqual(["name"]);
});

it("is refused in the preview unless it names the project once more", () => {
  expect(undoings.failures(declared({ confirm: "yes" }))[0]).toContain(`confirm: expected ${ref}`);
});

it("says what the service refuses", async () => {
  await expect(undoings.create(declared({ name: "never-made" }))).rejects.toThrow("Restore point not found");
});

it("is not sent again where nobody can know whether it was begun", async () => {
  scenario.emulator.control.addFault({ operation: "undoToRestorePoint", drop: "before" });
  const { id, state, message } = await halfMadeBy(undoings.create(declared()));
  expect(message).toContain(
    `the restore of the project ${ref} to the restore point before-import has started`,
  );
  scenario.nextRun();
  await expect(undoings.update({ id, state }, declared())).rejects.toThrow("is unknown");
  expect(scenario.calls("undoToRestorePoint")).toBe(1);
});

// service, Backups: refused to every project and plan.
it("says at once that the service does not offer it", async () => {
  scenario.emulator.control.edit(asMeasured);
  await expect(undoings.create(declared())).rejects.toThrow(/does not offer this operation at the moment/);
  expect(scenario.emulator.world.state.projects.get(ref)?.activity.kind).toBe("rest");
});
