import { z } from "zod";

/** What a schema cannot say by itself of the names in it. */
interface Mark {
  /** The texts are names, of which those that begin so are the service's own. */
  readonly reservedPrefix?: string;
  /** Values that an open text is known to take. */
  readonly values?: readonly string[];
}

/** A registry of its own, so that nothing of it shows in the OpenAPI document. */
export const marks = z.registry<Mark>();

/** Marks names of which the service reserves those with a prefix, or a schema of the keys of such a record. */
export function reservesPrefix<S extends z.ZodType>(reservedPrefix: string, schema: S): S {
  marks.add(schema, { reservedPrefix });
  return schema;
}

/** Marks an open text with values that another field's enum has. */
export function takesValues<S extends z.ZodType>(values: readonly string[], schema: S): S {
  marks.add(schema, { values });
  return schema;
}
