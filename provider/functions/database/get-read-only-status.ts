import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const outputs = z.object({
  enabled: z
    .boolean()
    .describe("Whether the database is in read-only mode, for example because its disk is full.")
    .optional(),
  overrideEnabled: z.boolean().describe("Whether read-only mode is lifted temporarily.").optional(),
  overrideActiveUntil: z
    .string()
    .describe("Time at which read-only mode returns, in the service's format.")
    .optional(),
});

/** Whether a database refuses writes. */
export const getReadOnlyStatus = defineFunction({
  name: "getReadOnlyStatus",
  description: "Reads whether the database of a project is in read-only mode.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "readonly-status", () => ctx.api.getReadonlyMode({ ref }));
    return pickPresentFields({
      enabled: found.enabled,
      overrideEnabled: found.override_enabled,
      overrideActiveUntil: found.override_active_until,
    });
  },
});
