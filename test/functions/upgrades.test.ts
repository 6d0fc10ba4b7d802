import { startScenario, type Scenario } from "../kit/scenario";
import { invoke } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

describe("getUpgradeStatus", () => {
  const read = (more: object = {}) => invoke(scenario, "getUpgradeStatus", { projectRef, ...more });
  const begin = (): string => {
    const body = { target_version: "17" };
    return scenario.emulator.control.call("startUpgrade", { ref: projectRef, body }).tracking_id;
  };
  beforeEach(() => {
    const body = {
      name: "old",
      organization_slug: "acme",
      db_pass: "initial-password",
      postgres_engine: "15",
    } as const;
    projectRef = scenario.emulator.control.call("createProject", { body }).ref;
    scenario.clock.advance(10 * 60_000);
  });

  it("returns nothing of a project that was never upgraded, nor of another upgrade", async () => {
    expect(await read()).toEqual({});
    begin();
    expect(await read({ trackingId: "another" })).toEqual({});
  });

  it("takes no answer without the field for one of a project that was never upgraded", async () => {
    scenario.emulator.control.addFault({ operation: "getUpgradeStatus", status: 200, body: {} });
    await expect(read()).rejects.toThrow("the answer has no `databaseUpgradeStatus`");
  });

  it("returns how far an upgrade is, by itself or by its identifier", async () => {
    const initiatedAt = new Date(scenario.clock.now()).toISOString();
    const trackingId = begin();
    scenario.clock.advance(25_000);
    const upgrade = {
      initiatedAt,
      latestStatusAt: new Date(scenario.clock.now() - 5_000).toISOString(),
      targetVersion: 17,
      progress: "2_launched_upgraded_instance",
      status: 0,
    };
    expect(await read()).toEqual({ upgrade });
    expect(await read({ trackingId })).toEqual({ upgrade });
  });

  it("returns why an upgrade failed", async () => {
    const error = "5_data_upgrade_completion_failed";
    scenario.emulator.control.set(`projects.${projectRef}.next.upgradeError`, error);
    begin();
    scenario.clock.advance(10 * 60_000);
    expect(await read()).toMatchObject({ upgrade: { error, status: 2 } });
  });
});

describe("getRestoreVersions", () => {
  it("returns the images with which a paused project can be restored", async () => {
    scenario.emulator.control.set(["projects", projectRef, "forcedStatus"], "INACTIVE");
    const answer = scenario.emulator.control.call("listRestoreVersions", { ref: projectRef });
    expect(answer.available_versions).not.toEqual([]);
    expect(await invoke(scenario, "getRestoreVersions", { projectRef })).toEqual({
      versions: answer.available_versions.map(({ version, release_channel, postgres_engine }) => ({
        version,
        releaseChannel: release_channel,
        postgresEngine: postgres_engine,
      })),
    });
  });
});
