import { z } from "zod";
import { updatePostgresConfigBody } from "../../../../spec/operations/database";
import { ForbiddenError, isNotFound } from "../../../client/errors";
import { BRANCH_REFUSED, REFUSED } from "../../../converge/starting-calls";
import type { Api, Context } from "../../../define/context";
import { local } from "../../../define/markers";
import { settingsOutputs, type SettingValues } from "../../../converge/found-settings";
import { defineSettings } from "../../../converge/settings";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { unknownIn } from "../../../converge/keep-unknown";
import { waitForServices } from "../../../converge/project-health";
import { poll } from "../../../converge/poll";
import { postgresSettings, SETTING_NAMES, WIRE_NAMES } from "./settings";

const inputs = z.strictObject({
  projectRef,
  ...postgresSettings,
  restartDatabase: local(
    z
      .boolean()
      .describe(
        "Whether a change of a setting restarts the database, which some settings need; the service decides when not given. A restart is waited for.",
      ),
  ).optional(),
  ...everyResource,
});

const outputs = z.object(settingsOutputs);

type Body = z.input<typeof updatePostgresConfigBody>;

function toBody(values: SettingValues, restartDatabase: boolean | undefined): Body {
  const named = SETTING_NAMES.filter((name) => values[name] !== undefined && values[name] !== null);
  const body: Record<string, unknown> = Object.fromEntries(
    named.map((name) => [WIRE_NAMES[name], values[name]]),
  );
  // Each value has passed the schema of its setting or comes from the service itself.
  return {
    ...unknownSettings(values),
    ...(body as Body),
    ...(restartDatabase === undefined ? {} : { restart_database: restartDatabase }),
  };
}

/** Before the service's name of a setting that this version does not know: a write replaces all, so it goes along. */
const UNKNOWN = "unknown:";

function fromWire(config: Awaited<ReturnType<Api["getPostgresConfig"]>>): SettingValues {
  const known = SETTING_NAMES.map((name) => [name, config[WIRE_NAMES[name]]] as const);
  const unknown = Object.entries(unknownIn(updatePostgresConfigBody, config));
  return Object.fromEntries([...known, ...unknown.map(([name, value]) => [UNKNOWN + name, value] as const)]);
}

function unknownSettings(values: SettingValues): SettingValues {
  const unknown = Object.entries(values).filter(([name]) => name.startsWith(UNKNOWN));
  return Object.fromEntries(unknown.map(([name, value]) => [name.slice(UNKNOWN.length), value]));
}

/** Settings of a project's Postgres that differ from the defaults of its compute size. */
export const postgresConfig = defineSettings({
  type: "PostgresConfig",
  description:
    "Postgres settings of a project. Only declared settings are managed; the others stay as they are, and deleting the resource restores what it found.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  conditionalCalls: [
    ["getHealth", ["create", "update", "delete"], `after a restart, or ${REFUSED}`],
    ["getBranchConfig", ["create", "update", "delete"], BRANCH_REFUSED],
  ],
  key: "postgres-config",
  settings: SETTING_NAMES,
  mode: "replace",
  services: ["db"],
  get: async (ctx, ref) => fromWire(await ctx.api.getPostgresConfig({ ref })),
  put: async (ctx, ref, values, { restartDatabase }) =>
    fromWire(await ctx.api.updatePostgresConfig({ ref, body: toBody(values, restartDatabase) })),
  settle: async (ctx, ref, { restartDatabase }) => {
    if (restartDatabase !== false) await waitForRestart(ctx, ref, restartDatabase === true);
  },
});

/** A project shows its restart in its status; a branch, which has no project of its own ref, in its health only. */
async function waitForRestart(ctx: Context, ref: string, isWanted: boolean): Promise<void> {
  let hasRestarted = isWanted;
  await poll<boolean, undefined>(ctx, {
    what: `the database of ${ref} to restart`,
    look: () => isRestarting(ctx, ref, isWanted),
    judge: (restarting) => {
      hasRestarted ||= restarting;
      return restarting ? { kind: "waiting", reason: "RESTARTING" } : { kind: "done", value: undefined };
    },
  });
  if (hasRestarted) await waitForServices(ctx, ref, ["db"]);
}

/** A token that may not look at the project does not fail a write that wanted no restart. */
async function isRestarting(ctx: Context, ref: string, isWanted: boolean): Promise<boolean> {
  try {
    return (await ctx.api.getProject({ ref })).status === "RESTARTING";
  } catch (error) {
    if (isNotFound(error) || (error instanceof ForbiddenError && !isWanted)) return false;
    throw error;
  }
}
