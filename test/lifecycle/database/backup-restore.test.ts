import { backupRestore } from "../../../provider/actions/database/backup-restore";
import type { Values } from "../../../provider/define/values";
import { invoke } from "../../functions/invoke";
import { asMeasured } from "../../../tools/fixtures/documented-service";
import { halfMadeBy } from "../half-made";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { fixture as sample } from "../../../tools/fixtures/database/backup-restore";

let scenario: Scenario;
let restores: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sample.prepare?.(scenario, ref);
  restores = scenario.manage(backupRestore);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ ...sample.inputs(ref), ...more });
const project = () => scenario.emulator.world.state.projects.get(ref);

it("restores at once, and waits until the project is healthy", async () => {
  const began = scenario.clock.now();
  const made = await restores.create(declared());
  expect(project()?.activity).toMatchObject({ kind: "restore", since: began });
  expect(scenario.emulator.control.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  expect(made.state["ranAt"]).toBe(new Date(began).toISOString());

  expect(restores.diff(made.state, declared({ backupId: 2 })).replaces).toEqual(["backupId"]);
});

it("takes the identifier that getBackups returns", async () => {
  scenario.emulator.control.set("newer", true);
  const { backups } = await invoke<{ backups: { backupId: number }[] }>(scenario, "getBackups", {
    projectRef: ref,
  });
  expect(backups.map(({ backupId }) => backupId)).toEqual([1]);
});

it("is refused in the preview unless it names the project once more", () => {
  expect(restores.failures(declared({ confirm: "yes" }))[0]).toContain(`confirm: expected ${ref}`);
});

it("says what the service refuses", async () => {
  await expect(restores.create(declared({ backupId: 99 }))).rejects.toThrow("Backup not found");
});

it("fails where the restore does", async () => {
  scenario.emulator.control.set(["projects", ref, "next", "restore"], "RESTORE_FAILED");
  const { message } = await halfMadeBy(restores.create(declared()));
  expect(message).toContain(`The restore of the project ${ref} to the backup 1 failed`);
});

// service, Backups: refused to every project and plan.
it("says at once that the service does not offer it", async () => {
  scenario.emulator.control.edit(asMeasured);
  const began = scenario.clock.now();
  await expect(restores.create(declared())).rejects.toThrow(
    /does not offer this operation at the moment.*unavailable at the moment.*`PitrRestore`/s,
  );
  expect(scenario.clock.now() - began).toBeLessThan(5_000);
  expect(project()?.activity.kind).toBe("rest");
});
