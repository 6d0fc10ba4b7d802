import { ForbiddenError, NotFoundError } from "../../provider/client/errors/errors";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf, faults, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const reads: readonly [name: string, operation: OperationName, more?: Values][] = [
  ["getDisk", "getDiskUtilization"],
  ["getPoolerConfig", "listPoolerConfigs"],
  ["getLegacyPoolerConfig", "getLegacyPoolerConfig"],
  ["getSslEnforcement", "getSslEnforcement"],
  ["getNetworkRestrictions", "getNetworkRestrictions"],
  ["getNetworkBans", "listNetworkBansEnriched"],
  ["getRealtimeConfig", "getRealtimeConfig"],
  ["getStorageConfig", "getStorageConfig"],
  ["getRestLayerConfig", "getRestLayerConfig"],
  ["getAuthConfig", "getAuthConfig"],
  ["getUpgradeStatus", "getUpgradeStatus"],
  ["getRestoreVersions", "listRestoreVersions"],
  ["getJitUsers", "listJitUsers"],
  ["getBackups", "listBackups"],
  ["getVanitySubdomainAvailability", "checkVanitySubdomain", { vanitySubdomain: "shop" }],
  ["getUsage", "getUsageApiCounts"],
  ["getLogs", "queryLogs"],
];

describe.each(reads)("%s", (name, operation, more = {}) => {
  beforeEach(() => {
    const status = name === "getRestoreVersions" ? "INACTIVE" : "ACTIVE_HEALTHY";
    scenario.emulator.control.set(["projects", projectRef, "forcedStatus"], status);
  });

  it("is one call for many that ask at the same time", async () => {
    await Promise.all(Array.from({ length: 10 }, () => invoke(scenario, name, { projectRef, ...more })));
    expect(scenario.calls(operation)).toBe(1);
  });

  it("says which project is not there, and what a token lacks", async () => {
    const error = await errorOf(scenario, name, { projectRef: NOBODY, ...more });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the reference ${NOBODY}: check \`projectRef\``);
    scenario.emulator.control.addFault({ operation, status: 403, message: "not allowed" });
    expect(await errorOf(scenario, name, { projectRef, ...more })).toBeInstanceOf(ForbiddenError);
    expect(faults(name, { ref: NOBODY, ...more })).toHaveLength(2);
  });
});
