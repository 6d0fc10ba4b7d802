import { z } from "zod";
import { defineAction, createDoneState, everyAction, ranAt } from "../define-action";
import { callWhenReady } from "../../waiting/project-health";
import { projectRef } from "../../define/shared-inputs";
import { stable } from "../../define/markers";

const outputs = z.object({
  activeUntil: stable(
    z
      .string()
      .describe(
        "Time until which read-only mode is lifted, ISO 8601. Absent if the database was not in read-only mode.",
      ),
  ).optional(),
  ranAt,
});

/** Lifts the read-only mode of a project's database for a while. */
export const readOnlyOverride = defineAction({
  type: "ReadOnlyOverride",
  description:
    "Lifts the read-only mode of a project's database for 15 minutes. A full disk puts the database into this mode; use the time to delete data or to enlarge the disk. If the database is not in read-only mode, nothing happens.",
  inputs: z.strictObject({ projectRef, ...everyAction }),
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  target: "projectRef",
  // Lifting it once more prolongs at most what was asked for.
  isRepeatable: true,

  async run(ctx, { projectRef: ref }) {
    return callWhenReady(ctx, ref, ["db"], async () => {
      const before = await ctx.api.getReadonlyMode({ ref });
      // Where the answer does not tell, the service decides.
      if (before.enabled === false && before.override_enabled !== true) {
        ctx.info("the database is not in read-only mode. Nothing was done.");
        return createDoneState(ctx, {});
      }
      await ctx.api.disableReadonlyMode({ ref });
      const { override_active_until: until } = await ctx.api.getReadonlyMode({ ref });
      return createDoneState(ctx, until ? { activeUntil: until } : {});
    });
  },
});
