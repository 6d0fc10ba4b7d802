import { postgresConfig } from "../../provider/resources/database/postgres-config/postgres-config";
import type { postgresSettings } from "../../provider/resources/database/postgres-config/settings";
import { updatePostgresConfigBody } from "../../spec/operations/database";
import { startScenario } from "../lifecycle/scenario";

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
};

it("every setting that is accepted reaches the service and is read back", async () => {
  const scenario = await startScenario();
  const ref = scenario.healthyProject();
  const configs = scenario.manage(postgresConfig);
  const inputs = { projectRef: ref, ...values };
  const made = await configs.create(inputs);
  const overrides = scenario.emulator.world.state.projects.get(ref)?.postgresOverrides ?? {};
  const { restart_database: option, ...settings } = updatePostgresConfigBody.shape;
  expect(option).toBeDefined();
  expect(Object.keys(overrides).sort()).toEqual(Object.keys(settings).sort());
  scenario.nextRun();
  const read = await configs.read(made);
  expect(read?.inputs).toEqual(inputs);
  expect(configs.diff(read?.state ?? {}, inputs).changes).toBe(false);
  await scenario.close();
});
