import type { z } from "zod";
import { newerPostgresSettings } from "../../../../spec/operations/current/postgres-settings";
import { updatePostgresConfigBody } from "../../../../spec/operations/database";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { checkAgainst, InvalidRequest, type RequestIssue } from "../../answers/invalid-request";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { begin } from "../shared/project-status";
import type { PostgresOverrides, ProjectRecord } from "../../world/records/project";
import { sentFields } from "../shared/sent-fields";
import { Refusal } from "../../answers/refusal";
import { restartsFor } from "../shared/database/pending-restarts";

type PostgresSetting = keyof PostgresOverrides;

const sizes: ReadonlySet<PostgresSetting> = new Set<PostgresSetting>([
  "effective_cache_size",
  "logical_decoding_work_mem",
  "maintenance_work_mem",
  "track_activity_query_size",
  "max_slot_wal_keep_size",
  "max_wal_size",
  "shared_buffers",
  "wal_keep_size",
  "work_mem",
]);

const durations: ReadonlySet<PostgresSetting> = new Set<PostgresSetting>([
  "max_standby_archive_delay",
  "max_standby_streaming_delay",
  "statement_timeout",
  "wal_sender_timeout",
  "checkpoint_timeout",
]);

const known = updatePostgresConfigBody.shape;
const newer = newerPostgresSettings;
/** Settings of the running service that no document lists (service, Postgres settings). */
const FURTHER = /^log_[a-z_]+$/;

/** Overrides only (service, Postgres settings). */
const getPostgresConfig: Handler<Operations["getPostgresConfig"]> = ({ params, world }) =>
  viewOverrides(world, projectAt(world, params.ref).postgresOverrides);

/**
 * Replaces the whole set of overrides, and leaves the project ACTIVE_HEALTHY unless a restart is asked for (service,
 * Postgres settings); `restart_database` is never returned.
 */
const updatePostgresConfig: Handler<Operations["updatePostgresConfig"]> = ({ params, body, world }) =>
  write(world, params.ref, body, () => ({}));

/** The same for what is sent only: no override goes by it (service, Postgres settings). */
const patchPostgresConfig: Handler<Operations["patchPostgresConfig"]> = ({ params, body, world }) =>
  write(world, params.ref, body, ({ postgresOverrides }) => postgresOverrides);

type PostgresConfigUpdate = z.output<typeof updatePostgresConfigBody>;

function write(
  world: World,
  ref: string,
  body: PostgresConfigUpdate,
  kept: (project: ProjectRecord) => PostgresOverrides,
): PostgresOverrides {
  const project = settledProjectAt(world, ref, "db");
  const { restart_database: restart, ...given } = body;
  const sent = sentFields(given);
  requireKnown(world, sent);
  const overrides = { ...kept(project), ...sent };
  const invalid = namesIn(overrides).filter((name) => !hasValidUnit(name, overrides[name]));
  if (invalid.length > 0)
    throw new InvalidRequest(invalid.map((path) => ({ path, message: "Invalid value or unit" })));
  const before = project.postgresOverrides;
  const needed = restartsFor(before, overrides).length > 0;
  project.postgresOverrides = overrides;
  if (restart ?? (needed && world.state.settingsRestartDatabase)) {
    begin(world, project, "restart", "ACTIVE_HEALTHY");
  }
  return viewOverrides(world, overrides);
}

function requireKnown({ state }: World, sent: PostgresOverrides): void {
  if (isAsMeasured(state)) {
    const unheardOf = Object.keys(sent).filter((name) => !(name in known) && !(name in newer.shape));
    if (unheardOf.length > 0) {
      const keys = unheardOf.map((name) => `"${name}"`).join(", ");
      throw new Refusal(400, `Unrecognized key${unheardOf.length === 1 ? "" : "s"}: ${keys}`);
    }
    const issues: RequestIssue[] = [];
    checkAgainst(newer, sent, "body", issues);
    if (issues.length > 0) throw new InvalidRequest(issues);
    return;
  }
  const unheardOf = Object.keys(sent).filter((name) => !(name in known) && !FURTHER.test(name));
  if (unheardOf.length > 0)
    throw new InvalidRequest(unheardOf.map((path) => ({ path, message: "Unknown key" })));
}

function namesIn(overrides: PostgresOverrides): PostgresSetting[] {
  // The keys of the overrides are settings, which `Object.keys` widens to string.
  return Object.keys(overrides) as PostgresSetting[];
}

function hasValidUnit(name: PostgresSetting, value: unknown): boolean {
  if (typeof value !== "string") return true;
  if (sizes.has(name)) return isSize(value);
  return !durations.has(name) || isDuration(value);
}

function viewOverrides({ state }: World, overrides: PostgresOverrides): PostgresOverrides {
  if (!state.postgresSizesNormalised) return { ...overrides };
  const entries = namesIn(overrides).map((name) => {
    const value = overrides[name];
    return [name, sizes.has(name) && typeof value === "string" ? sizeInKilobytes(value) : value];
  });
  // The same settings with another spelling of their sizes.
  return Object.fromEntries(entries) as PostgresOverrides;
}

const SIZE = /^-?\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB)?$/;
const DURATION = /^-?\d+(?:\.\d+)?\s*(?:us|ms|s|min|h|d)?$/;

const kilobytes: Readonly<Record<string, number>> = { kB: 1, MB: 2 ** 10, GB: 2 ** 20, TB: 2 ** 30 };

/** A number with one of the units that Postgres has for sizes, or with none. */
function isSize(value: string): boolean {
  return SIZE.test(value);
}

/** A number with one of the units that Postgres has for times, or with none. */
function isDuration(value: string): boolean {
  return DURATION.test(value);
}

/** The size in kB; one without such a unit stays as it is. */
function sizeInKilobytes(value: string): string {
  const [, amount, unit = ""] = /^(-?\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(value) ?? [];
  const factor = kilobytes[unit];
  return amount === undefined || factor === undefined ? value : `${Math.round(Number(amount) * factor)}kB`;
}

export const postgresConfigHandlers = { getPostgresConfig, updatePostgresConfig, patchPostgresConfig };
