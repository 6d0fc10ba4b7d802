import { ResponseSchemaError } from "../../provider/client/errors/errors";
import { giveLargerCompute } from "../../tools/fixtures/given-addons";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const read = (name: string) => invoke(scenario, name, { projectRef });

describe("getNetworkRestrictions", () => {
  it("returns the lists, those before the last change, and whether they are in force", async () => {
    const add = { dbAllowedCidrs: ["203.0.113.0/24"] };
    const { control } = scenario.emulator;
    // Lists that were never set have no status (service, Network restrictions).
    expect(await read("getNetworkRestrictions")).toEqual({
      allowedCidrs: ["0.0.0.0/0"],
      allowedCidrsV6: ["::/0"],
      entitlement: "allowed",
    });
    control.call("patchNetworkRestrictions", { ref: projectRef, body: { add } });
    const answer = control.call("getNetworkRestrictions", { ref: projectRef });
    expect(answer.status).toBe("stored");
    expect(await read("getNetworkRestrictions")).toEqual({
      allowedCidrs: answer.config.dbAllowedCidrs,
      allowedCidrsV6: ["::/0"],
      previousCidrs: ["0.0.0.0/0"],
      previousCidrsV6: ["::/0"],
      entitlement: "allowed",
      status: "stored",
      updatedAt: answer.updated_at,
    });
  });

  it("returns what there is of an answer that lacks the lists", async () => {
    const { control } = scenario.emulator;
    control.addFault({
      operation: "getNetworkRestrictions",
      status: 200,
      body: { entitlement: "disallowed" },
    });
    expect(await read("getNetworkRestrictions")).toEqual({ entitlement: "disallowed" });
  });
});

describe("getNetworkBans", () => {
  it("returns each ban with its database, and every address once", async () => {
    const { control } = scenario.emulator;
    expect(await read("getNetworkBans")).toEqual({ addresses: [], bans: [] });
    giveLargerCompute(scenario, projectRef);
    const body = { read_replica_region: "us-east-1" } as const;
    control.call("setUpReadReplica", { ref: projectRef, body });
    scenario.clock.advance(30 * 60_000);
    const replica = control
      .call("listPoolerConfigs", { ref: projectRef })
      .find(({ database_type }) => database_type === "READ_REPLICA")?.identifier;
    const state = scenario.emulator.world.state.projects.get(projectRef);
    const at = scenario.clock.now();
    for (const databaseIdentifier of [projectRef, replica ?? ""]) {
      state?.network.bans.push({ address: "198.51.100.7", databaseIdentifier, at });
    }
    state?.network.bans.push({ address: "198.51.100.8", databaseIdentifier: projectRef, at });
    expect(await read("getNetworkBans")).toEqual({
      addresses: ["198.51.100.7", "198.51.100.8"],
      bans: [
        { address: "198.51.100.7", databaseIdentifier: projectRef, type: "PRIMARY" },
        { address: "198.51.100.7", databaseIdentifier: replica, type: "READ_REPLICA" },
        { address: "198.51.100.8", databaseIdentifier: projectRef, type: "PRIMARY" },
      ],
    });
  });

  it("takes no answer without addresses for the news that nobody is banned", async () => {
    scenario.emulator.control.addFault({ operation: "listNetworkBansEnriched", status: 201, body: {} });
    const error = await errorOf(scenario, "getNetworkBans", { projectRef });
    expect(error).toBeInstanceOf(ResponseSchemaError);
  });
});
