import { z } from "zod";
import { defineFunction } from "../../define/function";
import { edgeFunction, fromWire } from "../../resources/functions/edge-function/edge-function";
import {
  listFunctionsOnce,
  type FunctionRecord,
} from "../../resources/functions/shared/edge-functions/calls";
import { ofProject, explainMissingProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields } from "../answers";

const inputs = z.strictObject({ projectRef });

/** A function as both functions return it. */
export const functionFields = z
  .object({
    slug: z.string().describe("Name in the function's URL."),
    name: z.string().describe("Display name.").optional(),
    verifyJwt: z.boolean().describe("Whether a call requires a valid JWT.").optional(),
    ...toFoundShape(edgeFunction.outputs.shape),
    entrypointPath: z.string().describe("Path of the entrypoint module, without `file:///`.").optional(),
    importMapPath: z.string().describe("Path of the import map, without `file:///`.").optional(),
  })
  .describe("An edge function of a project.");

const outputs = z.object({
  functions: z.array(functionFields).describe("All edge functions of the project."),
});

export function toFunction(record: FunctionRecord): z.output<typeof functionFields> {
  const { inputs: seen, outputs: others } = fromWire(record);
  return {
    slug: record.slug,
    ...pickPresentFields({
      name: seen.name,
      verifyJwt: seen.verifyJwt,
    }),
    ...pickPresentFields(others),
  };
}

/** The edge functions of a project. */
export const getEdgeFunctions = defineFunction({
  name: "getEdgeFunctions",
  description: "Lists the edge functions of a project, without their source.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await explainMissingProject(ref, listFunctionsOnce(ctx, ref));
    return { functions: [...found.values()].map(toFunction) };
  },
});
