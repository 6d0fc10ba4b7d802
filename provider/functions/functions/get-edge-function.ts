import { z } from "zod";
import type { FunctionSource } from "../../client/function-source/function-source";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { decodeUtf8 } from "../../resources/functions/edge-function/imported-source";
import { ofProject, explainMissing } from "../../lookup/missing-errors";
import { requireFunction, ofFunction } from "../named-function";
import { projectRef } from "../../define/shared-arguments";
import { shareInFlight } from "../answers";
import { functionFields, toFunction } from "./get-edge-functions";

const inputs = z.strictObject({
  projectRef,
  slug: z.string().min(1).describe("Name in the function's URL."),
  withSource: z
    .boolean()
    .describe("Whether to read the source, with one more call. Default: `false`.")
    .optional(),
});

const source = z.object({
  entrypointPath: z.string().describe("Path of the entrypoint module, one of the files."),
  files: z.record(z.string(), z.string()).describe("Text files by path."),
  binaryFiles: z.record(z.string(), z.string()).describe("Binary files in Base64, by path."),
});

const outputs = z.object({
  ...functionFields.shape,
  source: source.describe("The deployed source, with `withSource`.").optional(),
});

const problems = {
  ...ofProject,
  ...ofFunction,
  noSource: defineProblem({
    says: "The service does not return the source of the edge function {slug} of the project {ref}. {remedy}.",
    means: "The service answered 404 to the request for the source.",
    remedy: "Omit `withSource`, or deploy the function again",
  }),
};

function toSource({ entrypointPath, files }: FunctionSource): z.output<typeof source> {
  const texts: Record<string, string> = {};
  const binaries: Record<string, string> = {};
  for (const { name, content } of files) {
    const text = decodeUtf8(content);
    if (text === undefined) binaries[name] = Buffer.from(content).toString("base64");
    else texts[name] = text;
  }
  return { entrypointPath, files: texts, binaryFiles: binaries };
}

/** An edge function of a project. */
export const getEdgeFunction = defineFunction({
  name: "getEdgeFunction",
  description: "Reads an edge function of a project by its slug, optionally with the deployed source.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref, slug, withSource = false }) {
    const found = await requireFunction(ctx, ref, slug);
    if (!withSource) return toFunction(found);
    const body = await explainMissing(
      shareInFlight(ctx, `function-source:${ref}:${slug}`, () =>
        ctx.api.parts.getFunctionBody({ ref, function_slug: slug }),
      ),
      problems.noSource.message({ ref, slug }),
    );
    return { ...toFunction(found), source: toSource(body) };
  },
});
