import { giveLargerCompute } from "../../tools/fixtures/given-addons";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, invokeWrapped, errorOf } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const read = (name: string) => invoke(scenario, name, { projectRef });

describe("getDisk", () => {
  it("returns the attributes, the use and the growth of a disk", async () => {
    const { metrics, timestamp } = scenario.emulator.control.call("getDiskUtilization", { ref: projectRef });
    expect(await read("getDisk")).toEqual({
      type: "gp3",
      sizeGb: 2,
      iops: 3000,
      throughputMibps: 125,
      use: {
        sizeBytes: 2 * 2 ** 30,
        usedBytes: metrics.fs_used_bytes,
        availableBytes: metrics.fs_avail_bytes,
        measuredAt: timestamp,
      },
      autoscale: {},
    });
  });

  it("returns a disk without a throughput, and when it was changed", async () => {
    scenario.emulator.control.set("organizations.acme.plan", "pro");
    const attributes = { type: "io2", size_gb: 20, iops: 1000 } as const;
    scenario.emulator.control.call("updateDisk", { ref: projectRef, body: { attributes } });
    const changedAt = new Date(scenario.clock.now()).toISOString();
    scenario.clock.advance(60_000);
    const found = await read("getDisk");
    expect(found).toMatchObject({ type: "io2", sizeGb: 20, iops: 1000, lastModifiedAt: changedAt });
    expect(found).not.toHaveProperty("throughputMibps");
  });

  it("returns what there is where the service leaves the rest out", async () => {
    const { control } = scenario.emulator;
    control.addFault({ operation: "getDisk", status: 200, body: { attributes: { type: "moon" } } });
    control.addFault({ operation: "getDiskUtilization", status: 200, body: {} });
    control.addFault({ operation: "getDiskAutoscale", status: 200, body: { max_size_gb: 500 } });
    expect(await read("getDisk")).toEqual({ type: "moon", use: {}, autoscale: { maxSizeGb: 500 } });
  });
});

describe("getPoolerConfig", () => {
  const start = "postgresql://postgres.";

  it("returns the project's pooler and those of its read replicas", async () => {
    const { control } = scenario.emulator;
    const settings = { default_pool_size: 20, pool_mode: "session" } as const;
    giveLargerCompute(scenario, projectRef);
    control.call("updatePoolerConfig", { ref: projectRef, body: settings });
    control.call("setUpReadReplica", { ref: projectRef, body: { read_replica_region: "us-east-1" } });
    scenario.clock.advance(30 * 60_000);
    const [primary, replica] = control.call("listPoolerConfigs", { ref: projectRef });
    const ofBoth = {
      defaultPoolSize: 20,
      poolMode: "session",
      dbPort: 5432,
      dbName: "postgres",
      isUsingScramAuth: true,
    };
    expect(await read("getPoolerConfig")).toEqual({
      ...ofBoth,
      connectionString: primary?.connection_string,
      dbHost: primary?.db_host,
      dbUser: `postgres.${projectRef}`,
      readReplicas: [
        {
          ...ofBoth,
          identifier: replica?.identifier,
          connectionString: replica?.connection_string,
          dbHost: replica?.db_host,
          dbUser: replica?.db_user,
        },
      ],
    });
  });

  it("wraps the connection strings", async () => {
    const wrapped = await invokeWrapped(scenario, "getPoolerConfig", { projectRef });
    expect(wrapped["connectionString"]).toEqual({ secret: expect.stringContaining(start) as string });
  });

  it("says that a pooler is not set up yet", async () => {
    scenario.emulator.control.addFault({ operation: "listPoolerConfigs", status: 200, body: [] });
    const error = await errorOf(scenario, "getPoolerConfig", { projectRef });
    expect(error.message).toContain(`no connection pooler for the database of ${projectRef}`);
  });
});

describe("getLegacyPoolerConfig", () => {
  it("returns all of it, the connection string as a Pulumi secret", async () => {
    const answer = scenario.emulator.control.call("getLegacyPoolerConfig", { ref: projectRef });
    const wrapped = await invokeWrapped(scenario, "getLegacyPoolerConfig", { projectRef });
    expect(wrapped).toEqual({
      poolMode: answer.pool_mode,
      defaultPoolSize: answer.default_pool_size,
      reservePoolSize: answer.reserve_pool_size,
      maxClientConn: answer.max_client_conn,
      serverIdleTimeout: answer.server_idle_timeout,
      serverLifetime: answer.server_lifetime,
      queryWaitTimeout: answer.query_wait_timeout,
      ignoreStartupParameters: answer.ignore_startup_parameters,
      connectionString: { secret: answer.connection_string },
    });
  });
});

describe("getSslEnforcement", () => {
  it("returns what is enforced, and whether it is applied", async () => {
    expect(await read("getSslEnforcement")).toEqual({ database: false, appliedSuccessfully: true });
    scenario.nextRun();
    const body = { requestedConfig: { database: true } };
    scenario.emulator.control.call("updateSslEnforcement", { ref: projectRef, body });
    expect(await read("getSslEnforcement")).toMatchObject({ database: true });
  });
});
