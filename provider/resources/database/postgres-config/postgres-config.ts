import { z } from "zod";
import { updatePostgresConfigBody } from "../../../../spec/operations/database";
import { ForbiddenError, isNotFound } from "../../../client/errors";
import { poll } from "../../../converge/poll";
import { waitForServices } from "../../../converge/project-health";
import { defineSettings } from "../../../converge/settings";
import { BRANCH_REFUSED, REFUSED } from "../../../converge/starting-calls";
import type { Context } from "../../../define/context";
import { postgresSettings } from "./settings";

/** Settings of a project's Postgres that differ from the defaults of its compute size. */
export const postgresConfig = defineSettings({
  type: "PostgresConfig",
  description:
    "Postgres settings of a project. Only declared settings are managed; all others stay as they are. Deleting the resource restores the previous values.",
  settings: postgresSettings,
  options: {
    restartDatabase: z
      .boolean()
      .describe(
        "Whether to restart the database after a change, which some settings require; the service decides if omitted. The update waits for the restart.",
      )
      .optional(),
  },
  conditionalCalls: [
    ["getHealth", ["create", "update", "delete"], `after a restart, or ${REFUSED}`],
    ["getBranchConfig", ["create", "update", "delete"], BRANCH_REFUSED],
  ],
  wireNames: {},
  body: updatePostgresConfigBody,
  timeouts: { create: 600, update: 600, delete: 600 },
  mode: "replace",
  services: ["db"],
  get: (ctx, ref) => ctx.api.getPostgresConfig({ ref }),
  put: (ctx, ref, body, { restartDatabase }) =>
    ctx.api.updatePostgresConfig({
      ref,
      body: restartDatabase === undefined ? body : { ...body, restart_database: restartDatabase },
    }),
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
