import { z } from "zod";
import { patchPostgresConfigBody } from "../../../../spec/operations/current/postgres-settings";
import { waitForRestart, callWhenReady } from "../../../waiting/project-health";
import { defineSettings } from "../../../settings/settings";
import { ApiError, isUnrouted } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { isSet } from "../../../settings/mapping/original-values";
import type { ProjectConfig } from "../../../settings/settings-definition";
import { NEEDING_RESTART, postgresSettings } from "./settings";

/** The settings in the answer about the whole project, where a name has no dot. */
function fromProjectConfig({ database }: ProjectConfig): object | undefined {
  const { postgres_settings: shown } = database ?? {};
  if (shown === undefined || shown === null) return undefined;
  const { cron_log_statement, pg_net_batch_size, pg_stat_statements_max, ...others } = shown;
  return {
    ...others,
    "cron.log_statement": cron_log_statement,
    "pg_net.batch_size": pg_net_batch_size,
    "pg_stat_statements.max": pg_stat_statements_max,
  };
}

const settings = defineSettings({
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
  // Overrides only (service, Postgres settings).
  showsOnlySet: true,
  services: ["db"],
  get: (ctx, ref) => ctx.api.getPostgresConfig({ ref }),
  inProjectConfig: { pick: fromProjectConfig, keptOutputs: ["pendingRestart"] },
  put: async (ctx, ref, body, { options, changes }) => {
    if (Object.values(changes).every(isSet)) {
      try {
        // What others set meanwhile is not sent along, but nothing can be unset (service, Postgres settings).
        return await ctx.api.patchPostgresConfig({ ref, body: addRestart(changes, options) });
      } catch (error) {
        if (!isUnrouted(error)) throw error;
      }
    }
    return ctx.api.updatePostgresConfig({ ref, body: addRestart(body, options) });
  },
  settle: async (ctx, ref, declared) => {
    const { restartDatabase } = declared;
    if (restartDatabase !== false) await waitForRestart(ctx, ref, restartDatabase === true);
    ctx.shared.forget(pendingKey(ref));
    // What a read shows next: a database that has just restarted may not answer yet.
    if (listNeedingRestart(declared).length > 0)
      await callWhenReady(ctx, ref, ["db"], () => listPendingNames(ctx, ref)).catch(ignoreRefusal);
  },
});

/** Settings of a project's Postgres that differ from the defaults of its compute size. */
export const postgresConfig: typeof settings = {
  ...settings,
  async read(ctx, target) {
    const observed = await settings.read(ctx, target);
    return observed && addPendingRestart(ctx, target.id, target.state, observed);
  },
  async settle(ctx, target) {
    const observed = await settings.settle(ctx, target);
    return addPendingRestart(ctx, target.id, { ...target.state, ...target.inputs }, observed);
  },
};

type Body = z.input<typeof patchPostgresConfigBody>;

function addRestart(body: Body, { restartDatabase }: { restartDatabase?: boolean | undefined }): Body {
  return restartDatabase === undefined ? body : { ...body, restart_database: restartDatabase };
}

const pendingKey = (ref: string): string => `PostgresConfig:${ref}:pending-restart`;

function listNeedingRestart(declared: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(postgresSettings).filter((name) => NEEDING_RESTART.has(name) && isSet(declared[name]));
}

/** What waits for a restart, by its name in Postgres: once for all resources of a run, until one of them is changed. */
function listPendingNames(ctx: Context, ref: string): Promise<ReadonlySet<unknown>> {
  return ctx.shared.list(pendingKey(ref), async () => {
    const query = "select name from pg_settings where pending_restart";
    const rows = await ctx.api.runReadOnlyQuery({ ref, body: { query } });
    return new Set(rows.map(({ name }) => name));
  });
}

type Observed = Awaited<ReturnType<typeof settings.settle>>;

/** Only Postgres knows what waits for a restart: the answer of the settings shows what was asked for. */
async function addPendingRestart(
  ctx: Context,
  ref: string,
  declared: Readonly<Record<string, unknown>>,
  { inputs, outputs }: Observed,
): Promise<Observed> {
  const { pendingRestart: _before, ...others } = outputs;
  const names = listNeedingRestart(declared);
  const pending = names.length === 0 ? new Set() : await listPendingNames(ctx, ref).catch(ignoreRefusal);
  // Absent where the service does not say.
  if (pending === undefined) return { inputs, outputs: others };
  const pendingRestart = names.filter((name) => pending.has(NEEDING_RESTART.get(name)));
  return { inputs, outputs: { ...others, pendingRestart } };
}

/** The settings themselves are read and written without it. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ApiError) return undefined;
  throw error;
}
