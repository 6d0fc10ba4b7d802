import { asDocumented } from "../../../tools/fixtures/documented-service";
import { createBranchRef } from "../../kit/branch-ref";
import { ManagementClient } from "../../../provider/client";
import { createResource } from "../../../provider/engine/create/create";
import type { Values } from "../../../provider/define/values";
import { postgresConfig } from "../../../provider/resources/database/postgres-config/postgres-config";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import type { postgresSettings } from "../../../provider/resources/database/postgres-config/settings";
import { patchPostgresConfigBody } from "../../../spec/operations/current/postgres-settings";
import { listMarkedFields } from "../../../provider/define/markers";

let scenario: Scenario;
let configs: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  configs = scenario.manage(postgresConfig);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const onService = () => ({ ...scenario.emulator.world.state.projects.get(ref)?.postgresOverrides });
const editOutside = (overrides: ReturnType<typeof onService>): void =>
  scenario.emulator.control.edit((state) => {
    const project = state.projects.get(ref);
    if (project) project.postgresOverrides = overrides;
  });

it("keeps what others set, and restores what it found", async () => {
  editOutside({ work_mem: "4MB", max_connections: 50 });
  const inputs = declared({ workMem: "128MB", statementTimeout: "1min" });
  const made = await configs.create(inputs);
  expect(onService()).toMatchObject({ statement_timeout: "1min", max_connections: 50 });
  expect(made.state).toMatchObject({
    workMem: "128MB",
    __found: { values: { workMem: "4MB" }, unset: ["statementTimeout"] },
  });

  scenario.nextRun();
  const changed = declared({ workMem: "64MB", statementTimeout: "1min" });
  expect([...configs.diff(made.state, changed).changed]).toEqual(["workMem"]);
  const updated = await configs.update(made, changed);
  expect(onService()).toMatchObject({ max_connections: 50 });
  expect(updated.state).toMatchObject({ workMem: "64MB", __found: { values: { workMem: "4MB" } } });

  editOutside({ work_mem: "1MB" });
  scenario.nextRun();
  const drifted = await configs.read(updated);
  expect(drifted?.inputs).toMatchObject({ workMem: "1MB" });
  expect([...configs.diff(drifted?.state ?? {}, changed).changed].sort()).toEqual([
    "statementTimeout",
    "workMem",
  ]);
  await configs.delete(updated);
  expect(onService()).toEqual({ work_mem: "4MB" });
});

it("sees 128MB and 131072kB as one value", async () => {
  scenario.emulator.control.edit((state) => void (state.postgresSizesNormalised = true));
  const inputs = declared({ workMem: "128MB", sharedBuffers: "1GB" });
  const made = await configs.create(inputs);
  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.state).toMatchObject({ workMem: "128MB", sharedBuffers: "1GB" });
  expect(configs.diff(read?.state ?? {}, inputs).changes).toBe(false);
  expect(configs.diff(made.state, declared({ workMem: "131072kB", sharedBuffers: "1GB" })).changed.size).toBe(
    0,
  );
});

it("gives a setting that is taken out of the program its old value back", async () => {
  editOutside({ work_mem: "4MB" });
  const made = await configs.create(declared({ workMem: "8MB", maxConnections: 80 }));
  const updated = await configs.update(made, declared({ maxConnections: 80 }));
  expect(onService()).toEqual({ work_mem: "4MB", max_connections: 80 });
  const last = await configs.update(updated, declared({ workMem: "8MB" }));
  expect(onService()).toEqual({ work_mem: "8MB" });
  expect(last.state).toMatchObject({ __found: { values: { workMem: "4MB" }, unset: [] } });
});

it("restarts the database when told to, and waits until it is healthy", async () => {
  const made = await configs.create(declared({ sharedBuffers: "1GB", restartDatabase: true }));
  expect(made.state["sharedBuffers"]).toBe("1GB");
  expect(scenario.emulator.world.state.projects.get(ref)?.activity.kind).toBe("restart");
  expect(scenario.emulator.control.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  expect(scenario.progress.join("\n")).toContain("RESTARTING");
});

// service, Postgres settings: the project stays ACTIVE_HEALTHY.
it("takes changes one after the other where the service restarts nothing", async () => {
  const made = await configs.create(declared({ maxConnections: 80 }));
  const updated = await configs.update(made, declared({ maxConnections: 90 }));
  expect(updated.state["maxConnections"]).toBe(90);
  expect(scenario.emulator.world.state.projects.get(ref)?.activity.kind).not.toBe("restart");
  expect(scenario.progress.join("\n")).not.toContain("RESTARTING");
});

it("says which of its settings wait for a restart, until the database was restarted", async () => {
  const made = await configs.create(
    declared({ maxConnections: 80, trackCommitTimestamp: true, workMem: "8MB" }),
  );
  expect(made.state["pendingRestart"]).toEqual(["maxConnections", "trackCommitTimestamp"]);

  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.state["pendingRestart"]).toEqual(["maxConnections", "trackCommitTimestamp"]);

  const restarting = declared({ maxConnections: 90, trackCommitTimestamp: true, restartDatabase: true });
  const updated = await configs.update(made, restarting);
  expect(updated.state["pendingRestart"]).toEqual([]);
});

it("says of its own settings only that they wait for a restart", async () => {
  const other = await configs.create(declared({ maxWalSenders: 20 }));
  const made = await configs.create(declared({ maxConnections: 80 }));
  expect(made.state["pendingRestart"]).toEqual(["maxConnections"]);
  scenario.nextRun();
  expect((await configs.read(other))?.state["pendingRestart"]).toEqual(["maxWalSenders"]);
});

it("asks for no pending restart where no declared setting needs one", async () => {
  const made = await configs.create(declared({ workMem: "8MB" }));
  expect(made.state["pendingRestart"]).toEqual([]);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await configs.read(made);
  expect(scenario.calls()).toBe(1);
});

it.each([
  ["a token that may not run queries", { status: 403 }],
  ["a database that cannot be asked", { status: 544 }],
] as const)("leaves out what waits for a restart for %s", async (_, fault) => {
  const made = await configs.create(declared({ maxConnections: 80 }));
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", ...fault, times: 100 });
  const read = await configs.read(made);
  expect(read?.state).toMatchObject({ maxConnections: 80 });
  expect(read?.state).not.toHaveProperty("pendingRestart");
});

it("waits for a restart that the service decides on by itself", async () => {
  scenario.emulator.control.set("settingsRestartDatabase", true);
  await configs.create(declared({ maxConnections: 80 }));
  expect(scenario.emulator.world.state.projects.get(ref)?.activity.kind).toBe("restart");
  expect(scenario.emulator.control.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
});

it("does not restart it when told not to, nor when nothing changes", async () => {
  const made = await configs.create(declared({ maxConnections: 80, restartDatabase: false }));
  scenario.emulator.control.clearCalls();
  await configs.update(made, declared({ maxConnections: 80, restartDatabase: true }));
  expect(scenario.calls()).toBe(0);
  expect(scenario.emulator.world.state.projects.get(ref)?.activity.kind).not.toBe("restart");
});

it("is written by a token that may not look at the project", async () => {
  const token = scenario.emulator.control.createToken({
    permissions: ["database_config_read", "database_config_write"],
  });
  const client = new ManagementClient({
    baseUrl: scenario.emulator.url,
    credentials: { kind: "token", accessToken: () => token },
    clock: scenario.clock,
  });
  const runtime = { ...scenario.runtime, client: () => client };
  const made = await createResource(runtime, postgresConfig, configs.checked(declared({ workMem: "8MB" })));
  expect(made.state["workMem"]).toBe("8MB");
  await client.close();
});

it("restarts a branch, which has no project of its own ref", async () => {
  const branchRef = createBranchRef(scenario, ref);
  const made = await configs.create({ projectRef: branchRef, workMem: "8MB", restartDatabase: true });
  expect(made.id).toBe(branchRef);
  expect(scenario.emulator.world.state.projects.get(branchRef)?.postgresOverrides).toMatchObject({
    work_mem: "8MB",
  });
  const health = scenario.emulator.control.call("getHealth", { ref: branchRef, services: ["db"] });
  expect(health).toMatchObject([{ status: "ACTIVE_HEALTHY" }]);
});

it("shares a project with another one that has other settings", async () => {
  const [a, b] = await Promise.all([
    configs.create(declared({ workMem: "8MB" })),
    configs.create(declared({ maxConnections: 80 })),
  ]);
  expect(onService()).toEqual({ work_mem: "8MB", max_connections: 80 });
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all([configs.read(a), configs.read(b)]);
  expect(scenario.calls("getPostgresConfig")).toBe(1);
  await configs.delete(a);
  expect(onService()).toEqual({ max_connections: 80 });
  await configs.delete(b);
  expect(onService()).toEqual({});
});

it.each([{ drop: "after" }, { status: 500, after: true }, { drop: "before" }, { status: 500 }] as const)(
  "restores what was there before in spite of %j in its create",
  async (fault) => {
    editOutside({ work_mem: "4MB" });
    scenario.emulator.control.addFault({ operation: "patchPostgresConfig", ...fault });
    const made = await configs.create(declared({ workMem: "8MB" }));
    expect(onService()).toEqual({ work_mem: "8MB" });
    await configs.delete(made);
    expect(onService()).toEqual({ work_mem: "4MB" });
  },
);

describe("a write that the service ignores", () => {
  const ignoreWrites = (body: object): unknown =>
    scenario.emulator.control.addFault({ operation: "patchPostgresConfig", status: 200, body, times: 100 });
  const IGNORED = [expect.stringMatching(/took `workMem` of PostgresConfig .*: it ignores the setting/)];

  it("is told by its answer, without another write and without a word of other programs", async () => {
    editOutside({ work_mem: "4MB" });
    ignoreWrites({ work_mem: "4MB" });
    const made = await configs.create(declared({ workMem: "16MB" }));
    expect(made.state["workMem"]).toBe("4MB");
    expect([scenario.warnings, scenario.infos]).toEqual([IGNORED, []]);
    expect(scenario.calls("patchPostgresConfig")).toBe(1);
  });

  it.each([{ work_mem: "4MB" }, {}])(
    "is told by a second one where the answer says that it was done, from %j",
    async (before) => {
      editOutside(before);
      ignoreWrites({ work_mem: "16MB" });
      const made = await configs.create(declared({ workMem: "16MB" }));
      expect(scenario.warnings).toEqual(IGNORED);
      expect(scenario.calls("patchPostgresConfig")).toBe(2);

      scenario.nextRun();
      await configs.update(made, declared({ workMem: "32MB" }));
      expect(scenario.warnings.slice(1)).toEqual(IGNORED);
    },
  );
});

it("is gone with its project", async () => {
  const made = await configs.create(declared({ workMem: "8MB" }));
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref });
  scenario.clock.advance(10 * 60_000);
  scenario.nextRun();
  expect(await configs.read(made)).toBeUndefined();
  await configs.delete(made);
});

it("names each setting that does not fit, and the nearest name of an unknown one", () => {
  expect(configs.failures(declared({ workMem: "128 megabytes", sharedBufers: "1GB" })).sort()).toEqual([
    expect.stringMatching(/^sharedBufers: unknown property.*sharedBuffers/),
    expect.stringMatching(/^workMem: got "128 megabytes"/),
  ]);
});

describe("a setting that is accepted", () => {
  const values: Record<keyof typeof postgresSettings, string | number | boolean> = {
    effectiveCacheSize: "2GB",
    logicalDecodingWorkMem: "65MB",
    maintenanceWorkMem: "66MB",
    trackActivityQuerySize: "2048",
    maxConnections: 101,
    maxLocksPerTransaction: 65,
    maxParallelMaintenanceWorkers: 3,
    maxParallelWorkers: 9,
    maxParallelWorkersPerGather: 4,
    maxReplicationSlots: 6,
    maxSlotWalKeepSize: "1025MB",
    maxStandbyArchiveDelay: "31s",
    maxStandbyStreamingDelay: "32s",
    maxWalSize: "1026MB",
    maxWalSenders: 7,
    maxWorkerProcesses: 10,
    sessionReplicationRole: "replica",
    sharedBuffers: "257MB",
    statementTimeout: "61s",
    trackCommitTimestamp: true,
    walKeepSize: "67MB",
    walSenderTimeout: "62s",
    workMem: "5MB",
    checkpointTimeout: "301s",
    hotStandbyFeedback: false,
    autovacuumMaxWorkers: 4,
    autovacuumWorkMem: "64MB",
    cronLogStatement: false,
    logAutovacuumMinDuration: "9min",
    logCheckpoints: false,
    logConnections: true,
    logDisconnections: true,
    logDuration: true,
    logLockWaits: true,
    logRecoveryConflictWaits: true,
    logReplicationCommands: true,
    logStartupProgressInterval: "11s",
    logTempFiles: "12MB",
    maxLogicalReplicationWorkers: 5,
    maxSyncWorkersPerSubscription: 3,
    pgNetBatchSize: 199,
    pgStatStatementsMax: 4_999,
  };

  it("every setting that is accepted reaches the service and is read back", async () => {
    const inputs = { projectRef: ref, ...values };
    const made = await configs.create(inputs);
    const overrides = scenario.emulator.world.state.projects.get(ref)?.postgresOverrides ?? {};
    const { restart_database: option, ...settings } = patchPostgresConfigBody.shape;
    expect(option).toBeDefined();
    expect(Object.keys(overrides).sort()).toEqual(Object.keys(settings).sort());
    scenario.nextRun();
    const read = await configs.read(made);
    expect(read?.inputs).toEqual(inputs);
    expect(configs.diff(read?.state ?? {}, inputs).changes).toBe(false);
  });
});

describe("`ignoreChanges` inside settings", () => {
  it("every setting is an input of its own, so that `ignoreChanges` can name it", () => {
    const names = listMarkedFields(postgresConfig.inputs).map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["workMem", "maxConnections", "hotStandbyFeedback"]));
    expect(names).not.toContain("settings");
  });

  it("a setting whose change is ignored is not written when another one changes", async () => {
    const made = await configs.create({ projectRef: ref, maxConnections: 80, maxWorkerProcesses: 8 });
    scenario.emulator.control.edit((state) => {
      const project = state.projects.get(ref);
      if (project) project.postgresOverrides = { ...project.postgresOverrides, max_connections: 99 };
    });
    scenario.nextRun();
    // With `ignoreChanges: ["maxConnections"]` the engine passes the remembered value, whatever the program says.
    await configs.update(made, { projectRef: ref, maxConnections: 80, maxWorkerProcesses: 9 });
    expect(scenario.emulator.world.state.projects.get(ref)?.postgresOverrides).toEqual({
      max_connections: 99,
      max_worker_processes: 9,
    });
  });
});

it("settings that the program does not declare stay untouched when a configuration is taken over", async () => {
  scenario.emulator.control.call("updatePostgresConfig", {
    ref,
    body: { max_connections: 80, statement_timeout: "1min", hot_standby_feedback: true },
  });
  const inputs = { projectRef: ref, maxConnections: 80 };
  const imported = await configs.read({ id: ref, state: inputs });
  const state = imported?.state ?? {};
  expect(configs.diff(state, inputs).changes).toBe(false);
  const changed = { projectRef: ref, maxConnections: 90 };
  expect([...configs.diff(state, changed).changed]).toEqual(["maxConnections"]);
  await configs.update({ id: ref, state }, changed);
  expect(scenario.emulator.world.state.projects.get(ref)?.postgresOverrides).toEqual({
    max_connections: 90,
    statement_timeout: "1min",
    hot_standby_feedback: true,
  });
});

describe("settings of a project that cannot take them", () => {
  it("settings of a project that is still coming up wait for the database", async () => {
    const { ref: comingUp } = scenario.emulator.control.call("createProject", {
      body: {
        name: "app",
        organization_slug: "acme",
        db_pass: "initial-password",
        region_selection: { type: "specific", code: "eu-central-1" },
      },
    });
    const made = await configs.create({ projectRef: comingUp, workMem: "8MB" });
    expect(made.state["workMem"]).toBe("8MB");
    expect(scenario.emulator.world.state.projects.get(comingUp)?.postgresOverrides).toMatchObject({
      work_mem: "8MB",
    });
  });

  it("settings that a healthy project refuses are refused with the service's reason, by their names in the program", async () => {
    scenario.emulator.control.addFault({
      operation: "patchPostgresConfig",
      status: 400,
      message: "shared_buffers is too large",
      times: 10,
    });
    const creating = configs.create({ projectRef: ref, sharedBuffers: "1TB" });
    await expect(creating).rejects.toThrow("sharedBuffers is too large");
    scenario.emulator.control.clearFaults();
  });
});

// service, Postgres settings: PATCH merges, PUT replaces.
it("sends only what it sets, and everything where an override goes", async () => {
  editOutside({ maintenance_work_mem: "64MB" });
  const made = await configs.create(declared({ workMem: "8MB", maxConnections: 80 }));
  expect(sent("patchPostgresConfig")).toEqual([{ work_mem: "8MB", max_connections: 80 }]);
  scenario.nextRun();
  await configs.update(made, declared({ workMem: "16MB", maxConnections: 80 }));
  expect(sent("patchPostgresConfig").at(-1)).toEqual({ work_mem: "16MB" });
  expect(scenario.calls("updatePostgresConfig")).toBe(0);
  scenario.nextRun();
  await configs.update(made, declared({ workMem: "16MB" }));
  expect(sent("updatePostgresConfig")).toEqual([{ maintenance_work_mem: "64MB", work_mem: "16MB" }]);
  expect(onService()).toEqual({ maintenance_work_mem: "64MB", work_mem: "16MB" });
});

it("leaves what others set at the very moment, as it sends nothing of it", async () => {
  const { control } = scenario.emulator;
  // Between the look and the write.
  control.addFault({
    operation: "patchPostgresConfig",
    status: 429,
    message: "ThrottlerException: Too Many Requests",
  });
  const creating = configs.create(declared({ workMem: "8MB" }));
  editOutside({ maintenance_work_mem: "64MB" });
  await creating;
  expect(onService()).toEqual({ maintenance_work_mem: "64MB", work_mem: "8MB" });
});

it("writes the whole where the service has no write of a part", async () => {
  scenario.emulator.control.edit(asDocumented);
  editOutside({ maintenance_work_mem: "64MB" });
  await configs.create(declared({ workMem: "8MB" }));
  expect(sent("updatePostgresConfig")).toEqual([{ maintenance_work_mem: "64MB", work_mem: "8MB" }]);
  expect(onService()).toEqual({ maintenance_work_mem: "64MB", work_mem: "8MB" });
});

it.each([
  ["autovacuumMaxWorkers", 5],
  ["maxLogicalReplicationWorkers", 6],
  ["pgStatStatementsMax", 6_000],
] as const)("says of %s that it waits for a restart", async (name, value) => {
  const made = await configs.create(declared({ [name]: value, restartDatabase: false }));
  expect(made.state["pendingRestart"]).toEqual([name]);
});

function sent(operation: "patchPostgresConfig" | "updatePostgresConfig"): unknown[] {
  const { control } = scenario.emulator;
  return control
    .calls({ operation })
    .map(({ sequence }) => JSON.parse(control.exchange(sequence)?.request.body ?? "null") as unknown);
}
