import type { z } from "zod";
import type { ReadableSettings } from "../settings/settings";
import type { Context } from "../define/context";
import { orNoProject } from "../lookup/missing-errors";
import { presentFields } from "./present-fields";

/** A configuration of a project or branch, of the fields that a function returns. */
export async function readConfiguration<S extends z.ZodObject>(
  ctx: Context,
  ref: string,
  resource: ReadableSettings,
  outputs: S,
): Promise<z.output<S>> {
  const seen = await orNoProject(ref, resource.readAll(ctx, ref));
  const fields = Object.keys(outputs.shape).map((name) => [name, seen[name]]);
  // The fields are read by the schemas that the function has taken over; enums are open, as everywhere.
  return presentFields(Object.fromEntries(fields) as object) as z.output<S>;
}
