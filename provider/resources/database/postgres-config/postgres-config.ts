import { z } from "zod";
import { patchPostgresConfigBody } from "../../../../spec/operations/current/postgres-settings";
import { waitForRestart, callWhenReady } from "../../../waiting/project-health";
import { defineSettings } from "../../../settings/settings";
import { ApiError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { NEEDING_RESTART, postgresSettings } from "./settings";

/** Settings of a project's Postgres that differ from the defaults of its compute size. */
export const postgresConfig = defineSettings({
  type: "PostgresConfig",
  description:
    "The Postgres settings of a project. Only the settings you declare are managed; the others are left alone. Deleting the resource restores the earlier values.",
  settings: postgresSettings,
  options: {
    restartDatabase: z
      .boolean()
      .describe(
        "Whether to restart the database after a change. Some settings require a restart. The update waits for it. Default: the service decides.",
      )
      .optional(),
  },
  outputs: {
    pendingRestart: z
      .array(z.string())
      .describe(
        "Declared settings that take effect only after the next restart of the database. Absent if the token may not run read-only queries.",
      )
      .optional(),
  },
  wireNames: {
    cronLogStatement: "cron.log_statement",
    pgNetBatchSize: "pg_net.batch_size",
    pgStatStatementsMax: "pg_stat_statements.max",
  },
  body: patchPostgresConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  mode: "replace",
  services: ["db"],
  get: (ctx, ref) => ctx.api.getPostgresConfig({ ref }),
  readOutputs: async (ctx, ref, declared) => {
    const names = await findPendingRestart(ctx, ref, declared);
    return names === undefined ? {} : { pendingRestart: names };
  },
  put: (ctx, ref, body, options) => ctx.api.updatePostgresConfig({ ref, body: addRestart(body, options) }),
  // What others set meanwhile is not sent along (service, Postgres settings).
  patch: (ctx, ref, body, options) => ctx.api.patchPostgresConfig({ ref, body: addRestart(body, options) }),
  settle: async (ctx, ref, declared) => {
    const { restartDatabase } = declared;
    if (restartDatabase !== false) await waitForRestart(ctx, ref, restartDatabase === true);
    ctx.shared.forget(pendingKey(ref));
    // What a read shows next: a database that has just restarted may not answer yet.
    const names = Object.keys(declared);
    if (pickNeedingRestart(names).length > 0)
      await callWhenReady(ctx, ref, ["db"], () => listPendingNames(ctx, ref)).catch(ignoreRefusal);
  },
});

type Body = z.input<typeof patchPostgresConfigBody>;

function addRestart(body: Body, { restartDatabase }: { restartDatabase?: boolean | undefined }): Body {
  return restartDatabase === undefined ? body : { ...body, restart_database: restartDatabase };
}

const pendingKey = (ref: string): string => `PostgresConfig:${ref}:pending-restart`;

const pickNeedingRestart = (names: readonly string[]): string[] =>
  names.filter((name) => NEEDING_RESTART.has(name));

/** What waits for a restart, by its name in Postgres: once for all resources of a run, until one of them is changed. */
function listPendingNames(ctx: Context, ref: string): Promise<ReadonlySet<unknown>> {
  return ctx.shared.list(pendingKey(ref), async () => {
    const query = "select name from pg_settings where pending_restart";
    const rows = await ctx.api.runReadOnlyQuery({ ref, body: { query } });
    return new Set(rows.map(({ name }) => name));
  });
}

/**
 * Which of the declared settings wait for a restart. Only Postgres knows: the answer of the settings shows what was asked for.
 * Undefined where the service does not say.
 */
async function findPendingRestart(
  ctx: Context,
  ref: string,
  declared: readonly string[],
): Promise<string[] | undefined> {
  const candidates = pickNeedingRestart(declared);
  if (candidates.length === 0) return [];
  const pending = await listPendingNames(ctx, ref).catch(ignoreRefusal);
  return pending && candidates.filter((name) => pending.has(NEEDING_RESTART.get(name)));
}

/** The settings themselves are read and written without it. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ApiError) return undefined;
  throw error;
}
