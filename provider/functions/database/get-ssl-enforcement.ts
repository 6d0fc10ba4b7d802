import { z } from "zod";
import { defineFunction } from "../../define/function";
import { sslEnforcement } from "../../resources/database/ssl-enforcement/ssl-enforcement";
import { ofProject } from "../../lookup/missing-errors";
import { toFoundShape, readConfiguration } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const outputs = z.object({
  database: sslEnforcement.inputs.shape.database.optional(),
  ...toFoundShape(sslEnforcement.outputs.shape),
});

/** Whether a project's database refuses connections without SSL. */
export const getSslEnforcement = defineFunction({
  name: "getSslEnforcement",
  description: "Reads whether a project's database accepts only encrypted connections.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, sslEnforcement, outputs),
});
