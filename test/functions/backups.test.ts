import { asDocumented } from "../../tools/fixtures/documented-service";
import { giveLargerCompute } from "../../tools/fixtures/given-addons";
import { startScenario, type Scenario } from "../kit/scenario";
import { ResponseSchemaError } from "../../provider/client/errors/errors";
import { errorOf, invoke } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const DAY_MS = 24 * 3_600_000;

describe("getBackups", () => {
  const read = () => invoke(scenario, "getBackups", { projectRef });

  it("returns what there is before the first backup, and daily ones afterwards", async () => {
    scenario.emulator.control.edit(asDocumented);
    const nothing = { backups: [], pitrEnabled: false, walgEnabled: true, region: "eu-central-1" };
    expect(await read()).toEqual(nothing);
    const createdAt = scenario.emulator.world.state.projects.get(projectRef)?.createdAt ?? 0;
    scenario.clock.advance(2 * DAY_MS);
    const backup = (days: number) => ({
      createdAt: new Date(createdAt + days * DAY_MS).toISOString(),
      status: "COMPLETED",
      isPhysicalBackup: true,
    });
    expect(await read()).toEqual({ ...nothing, backups: [backup(2), backup(1)] });
  });

  it("returns to which times a project can be restored", async () => {
    const { control } = scenario.emulator;
    giveLargerCompute(scenario, projectRef);
    const addon = { addon_type: "pitr", addon_variant: "pitr_7" } as const;
    control.call("applyAddon", { ref: projectRef, body: addon });
    scenario.clock.advance(60 * 60_000);
    const { physical_backup_data: range } = control.call("listBackups", { ref: projectRef });
    const time = (seconds = 0): string => new Date(seconds * 1_000).toISOString();
    expect(await read()).toMatchObject({
      pitrEnabled: true,
      earliestPhysicalBackupAt: time(range.earliest_physical_backup_date_unix),
      latestPhysicalBackupAt: time(range.latest_physical_backup_date_unix),
    });
  });

  it("does not take an answer without its list for a project without backups", async () => {
    const body = { pitr_enabled: true };
    scenario.emulator.control.addFault({ operation: "listBackups", status: 200, body });
    const error = await errorOf(scenario, "getBackups", { projectRef });
    expect(error).toBeInstanceOf(ResponseSchemaError);
    expect(error.message).toContain("`backups`");
  });
});
