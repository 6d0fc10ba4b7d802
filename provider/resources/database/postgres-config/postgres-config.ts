import { z } from "zod";
import { updatePostgresConfigBody } from "../../../../spec/operations/database";
import { waitForRestart } from "../../../waiting/project-health";
import { defineSettings } from "../../../settings/settings";
import { BRANCH_REFUSED, REFUSED } from "../../../waiting/starting-calls";
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
  outputs: {},
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
