import { z } from "zod";
import { openEnum } from "../../define/open-values";
import { getFunctionStats as operation } from "../../../spec/operations/analytics";
import { ResponseSchemaError } from "../../client/errors/errors";
import { defineFunction } from "../../define/function";
import { ofAnalytics, requireOpenRows } from "./analytics-result";
import { ofProject } from "../../lookup/missing-errors";
import { requireFunction, ofFunction } from "../named-function";
import { readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({
  projectRef,
  slug: z.string().min(1).describe("Name of the edge function in its URL."),
  interval: openEnum(
    operation.query.shape.interval.meta({
      id: "FunctionStatsInterval",
      description: "Period of the statistics.",
      beforeDigits: "Last",
    }),
  ).describe("Period of the statistics."),
});

const outputs = z.object({
  stats: z
    .array(z.record(z.string(), z.unknown()).describe("Values by name."))
    .describe("Statistics by period, with the service's undocumented names."),
});

/** How often an edge function was called, and with what outcome. */
export const getFunctionStats = defineFunction({
  name: "getFunctionStats",
  description: "Reads the statistics of an edge function: number of calls, results and durations.",
  inputs,
  outputs,
  problems: { ...ofProject, ...ofFunction, ...ofAnalytics },
  async run(ctx, { projectRef: ref, slug, interval }) {
    const { id } = await requireFunction(ctx, ref, slug);
    if (id == null) throw createMissingFunctionIdError(slug);
    const found = await readInProject(ctx, ref, `function-stats:${id}:${interval}`, () =>
      ctx.api.ofEveryProject(ref, () => ctx.api.getFunctionStats({ ref, function_id: id, interval })),
    );
    return { stats: requireOpenRows("getFunctionStats", found) };
  },
});

function createMissingFunctionIdError(slug: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `listFunctions failed: the answer has no identifier of the edge function ${slug}. Try again or report it.`,
    "listFunctions",
    "id",
  );
}
