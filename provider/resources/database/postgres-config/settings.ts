import { z } from "zod";
import { openRange } from "../../../define/open-values";
import { comparedBy, formed } from "../../../define/markers";

/** The unit in which Postgres counts a setting whose value has no unit of its own. */
type BaseUnit = keyof typeof MEMORY | keyof typeof TIME;

/** A number with an optional unit, as Postgres reads memory. */
const MEMORY_PATTERN = /^-?\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB)?$/;

function memory(base: Extract<BaseUnit, `${string}B`>, what: string) {
  const unit = base === "8kB" ? "pages of 8 kB" : base === "B" ? "bytes" : base;
  const form = "a number with `B`, `kB`, `MB`, `GB` or `TB`";
  const schema = formed(z.string().regex(MEMORY_PATTERN), `${form}; ${unit} without a unit`, "64MB").describe(
    `${what}: ${form}; ${unit} without a unit.`,
  );
  return comparedBy(schema, (value) => toBaseUnits(value, base)).optional();
}

/** A number with an optional unit, as the specification has it for times. */
const TIME_PATTERN = /^-?\d+(?:\.\d+)?(?:us|ms|s|min|h|d)?$/;

function time(base: "ms" | "s", what: string) {
  const form = "a number with `us`, `ms`, `s`, `min`, `h` or `d`";
  const schema = formed(z.string().regex(TIME_PATTERN), `${form}; ${base} without a unit`, "30s").describe(
    `${what}: ${form}; ${base} without a unit.`,
  );
  return comparedBy(schema, (value) => toBaseUnits(value, base)).optional();
}

function count(what: string, least?: number, most?: number) {
  const range = least === undefined || most === undefined ? "" : `, from ${least} to ${most}`;
  return openRange({ least, most }).describe(`${what}${range}.`).optional();
}

function flag(what: string) {
  return z.boolean().describe(`${what}.`).optional();
}

/** The settings by their property names. */
export const postgresSettings = {
  effectiveCacheSize: memory("8kB", "Cache size that the planner assumes"),
  logicalDecodingWorkMem: memory("kB", "Memory for one logical decoding before it spills to disk"),
  maintenanceWorkMem: memory("kB", "Memory for one maintenance operation, such as VACUUM"),
  trackActivityQuerySize: memory("B", "Memory reserved for the text of the query that a session runs"),
  maxConnections: count("Maximum number of concurrent connections", 1, 262_143),
  maxLocksPerTransaction: count("Maximum number of locks per transaction", 10, 2_147_483_640),
  maxParallelMaintenanceWorkers: count(
    "Maximum number of parallel workers for one maintenance operation",
    0,
    1024,
  ),
  maxParallelWorkers: count("Maximum number of parallel workers for all queries", 0, 1024),
  maxParallelWorkersPerGather: count("Maximum number of parallel workers for one query node", 0, 1024),
  maxReplicationSlots: count("Maximum number of replication slots"),
  maxSlotWalKeepSize: memory("MB", "Maximum WAL that replication slots may retain; -1 means no limit"),
  maxStandbyArchiveDelay: time(
    "ms",
    "Maximum delay before a standby that reads archived WAL cancels conflicting queries",
  ),
  maxStandbyStreamingDelay: time(
    "ms",
    "Maximum delay before a standby that receives WAL cancels conflicting queries",
  ),
  maxWalSize: memory("MB", "Amount of WAL that triggers a checkpoint"),
  maxWalSenders: count("Maximum number of processes that send WAL"),
  maxWorkerProcesses: count("Maximum number of background processes", 0, 262_143),
  sessionReplicationRole: z
    .enum(["origin", "replica", "local"])
    .meta({
      id: "PostgresConfigSessionReplicationRole",
      description: "Which triggers and rules fire in a session.",
    })
    .describe(`Which triggers and rules fire: \`origin\`, \`replica\` or \`local\`.`)
    .optional(),
  sharedBuffers: memory("8kB", "Memory for the shared buffers"),
  statementTimeout: time("ms", "Maximum duration of a statement; 0 means no limit"),
  trackCommitTimestamp: flag("Whether to record commit times of transactions"),
  walKeepSize: memory("MB", "Amount of WAL kept for standbys"),
  walSenderTimeout: time("ms", "Inactivity after which a replication connection ends; 0 means never"),
  workMem: memory("kB", "Memory for one sort or hash before it spills to disk"),
  checkpointTimeout: time("s", "Longest time between automatic checkpoints"),
  hotStandbyFeedback: flag("Whether a standby sends feedback about its queries to the primary"),
  autovacuumMaxWorkers: count("Maximum number of autovacuum processes", 1, 262_143),
  autovacuumWorkMem: memory("kB", "Memory for one autovacuum process; -1 means `maintenanceWorkMem`"),
  cronLogStatement: flag("Whether the extension pg_cron logs each statement before it runs it"),
  logAutovacuumMinDuration: time(
    "ms",
    "Duration from which on an autovacuum is logged; 0 logs all of them, -1 none",
  ),
  logCheckpoints: flag("Whether checkpoints are logged"),
  logConnections: flag("Whether connections are logged; applies to new sessions"),
  logDisconnections: flag("Whether the ends of sessions are logged; applies to new sessions"),
  logDuration: flag("Whether the duration of every statement is logged"),
  logLockWaits: flag("Whether long waits for a lock are logged"),
  logRecoveryConflictWaits: flag("Whether long waits of a standby for conflicting queries are logged"),
  logReplicationCommands: flag("Whether replication commands are logged"),
  logStartupProgressInterval: time("ms", "Time between log lines about a long start; 0 means none"),
  logTempFiles: memory("kB", "Size from which on temporary files are logged; 0 logs all of them, -1 none"),
  maxLogicalReplicationWorkers: count("Maximum number of logical replication workers", 0, 262_143),
  maxSyncWorkersPerSubscription: count(
    "Maximum number of workers that copy tables for one subscription",
    0,
    262_143,
  ),
  pgNetBatchSize: count("Number of requests that the extension pg_net sends at a time", 0, 32_767),
  pgStatStatementsMax: count("Maximum number of statements that pg_stat_statements tracks", 100, 45_000),
};

/**
 * Settings that take effect only when Postgres starts, with their names in Postgres: those of the context `postmaster` in
 * `pg_settings`.
 */
export const NEEDING_RESTART: ReadonlyMap<string, string> = new Map<keyof typeof postgresSettings, string>([
  ["maxConnections", "max_connections"],
  ["maxLocksPerTransaction", "max_locks_per_transaction"],
  ["maxReplicationSlots", "max_replication_slots"],
  ["maxWalSenders", "max_wal_senders"],
  ["maxWorkerProcesses", "max_worker_processes"],
  ["sharedBuffers", "shared_buffers"],
  ["trackActivityQuerySize", "track_activity_query_size"],
  ["trackCommitTimestamp", "track_commit_timestamp"],
  ["autovacuumMaxWorkers", "autovacuum_max_workers"],
  ["cronLogStatement", "cron.log_statement"],
  ["maxLogicalReplicationWorkers", "max_logical_replication_workers"],
  ["pgStatStatementsMax", "pg_stat_statements.max"],
]);
const MEMORY = { B: 1, kB: 2 ** 10, "8kB": 2 ** 13, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 } as const;
/** In microseconds. */
const TIME = { us: 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9, d: 8.64e10 } as const;

/**
 * One spelling for equal values: the whole number of base units, to which Postgres rounds. What is no number with a
 * unit stays as it is.
 */
export function toBaseUnits(value: unknown, base: BaseUnit): unknown {
  if (typeof value === "number") return value;
  const parts = typeof value === "string" ? /^\s*(-?\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(value) : null;
  if (parts === null) return value;
  const factors: Readonly<Record<string, number>> = base in TIME ? TIME : MEMORY;
  const unit = parts[2] === "" ? base : (parts[2] ?? base);
  const factor = factors[unit];
  const baseFactor = factors[base];
  if (factor === undefined || baseFactor === undefined) return value;
  return Math.round((Number(parts[1]) * factor) / baseFactor);
}
