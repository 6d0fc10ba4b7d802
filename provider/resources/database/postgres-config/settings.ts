import { z } from "zod";
import { comparedBy, formed } from "../../../define/markers";
import { inBaseUnits, MEMORY_PATTERN, TIME_PATTERN, type BaseUnit } from "./units";

function memory(base: Extract<BaseUnit, `${string}B`>, what: string) {
  const unit = base === "8kB" ? "pages of 8 kB" : base === "B" ? "bytes" : base;
  const form = "a number with `B`, `kB`, `MB`, `GB` or `TB`";
  const schema = formed(z.string().regex(MEMORY_PATTERN), `${form}; ${unit} without a unit`, "64MB").describe(
    `${what}: ${form}; ${unit} without a unit.`,
  );
  return comparedBy(schema, (value) => inBaseUnits(value, base)).optional();
}

function time(base: "ms" | "s", what: string) {
  const form = "a number with `us`, `ms`, `s`, `min`, `h` or `d`";
  const schema = formed(z.string().regex(TIME_PATTERN), `${form}; ${base} without a unit`, "30s").describe(
    `${what}: ${form}; ${base} without a unit.`,
  );
  return comparedBy(schema, (value) => inBaseUnits(value, base)).optional();
}

function count(what: string, least?: number, most?: number) {
  const above = least === undefined ? z.int() : z.int().min(least);
  const range = least === undefined || most === undefined ? "" : `, from ${least} to ${most}`;
  return (most === undefined ? above : above.max(most)).describe(`${what}${range}.`).optional();
}

function flag(what: string) {
  return z.boolean().describe(`${what}.`).optional();
}

/** The settings by their property names. */
export const postgresSettings = {
  effectiveCacheSize: memory("8kB", "Cache that the planner counts on"),
  logicalDecodingWorkMem: memory("kB", "Memory of one logical decoding before it spills to disk"),
  maintenanceWorkMem: memory("kB", "Memory of one maintenance operation, as VACUUM"),
  trackActivityQuerySize: memory("B", "Memory kept for the text of the query that a session runs"),
  maxConnections: count("Connections at the same time", 1, 262_143),
  maxLocksPerTransaction: count("Locks for which there is room, per transaction", 10, 2_147_483_640),
  maxParallelMaintenanceWorkers: count("Parallel workers of one maintenance operation", 0, 1024),
  maxParallelWorkers: count("Parallel workers of all queries", 0, 1024),
  maxParallelWorkersPerGather: count("Parallel workers of one query node", 0, 1024),
  maxReplicationSlots: count("Replication slots"),
  maxSlotWalKeepSize: memory("MB", "WAL that replication slots may hold back; -1 is no limit"),
  maxStandbyArchiveDelay: time("ms", "Delay of a standby that reads archived WAL, for queries in its way"),
  maxStandbyStreamingDelay: time("ms", "Delay of a standby that receives WAL, for queries in its way"),
  maxWalSize: memory("MB", "WAL that calls for a checkpoint"),
  maxWalSenders: count("Processes that send WAL"),
  maxWorkerProcesses: count("Background processes", 0, 262_143),
  sessionReplicationRole: z
    .enum(["origin", "replica", "local"])
    .meta({
      id: "PostgresConfigSessionReplicationRole",
      description: "Which triggers and rules fire in a session.",
    })
    .describe(`Which triggers and rules fire: \`origin\`, \`replica\` or \`local\`.`)
    .optional(),
  sharedBuffers: memory("8kB", "Memory of the shared buffers"),
  statementTimeout: time("ms", "How long a statement may run; 0 is for ever"),
  trackCommitTimestamp: flag("Whether commit times of transactions are recorded"),
  walKeepSize: memory("MB", "WAL kept for standbys"),
  walSenderTimeout: time("ms", "Silence after which a replication connection ends; 0 is never"),
  workMem: memory("kB", "Memory of one sort or hash before it spills to disk"),
  checkpointTimeout: time("s", "Longest time between automatic checkpoints"),
  hotStandbyFeedback: flag("Whether a standby tells the primary about its queries"),
};
