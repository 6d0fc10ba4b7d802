import { defineProblem } from "../client/errors/problem";
import type { Context } from "../define/context";
import { listFunctionsOnce, type FunctionRecord } from "../resources/functions/shared/edge-functions/calls";
import { createNotFoundError, explainMissingProject } from "../lookup/missing-errors";
import { formatNames } from "./one-of-several";

/** The errors of a read of one edge function. */
export const ofFunction = {
  noFunction: defineProblem({
    says: "The project {ref} has no edge function {slug}; it has {present}. {remedy}.",
    means: "The project has no such edge function.",
    remedy: "Check `slug`, and that the function has not been deleted",
  }),
};

/** The edge function of this name, by the listing of the run. */
export async function requireFunction(ctx: Context, ref: string, slug: string): Promise<FunctionRecord> {
  const all = await explainMissingProject(ref, listFunctionsOnce(ctx, ref));
  const found = all.get(slug);
  if (found !== undefined) return found;
  const present = formatNames([...all.keys()], String);
  throw createNotFoundError("listFunctions", ofFunction.noFunction.message({ ref, slug, present }));
}
