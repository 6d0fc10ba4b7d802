import { z } from "zod";
import { traitsOf } from "../../provider/define/markers";
import { unwrapSchema } from "../../spec/shape-of";

declare module "zod" {
  // What `.meta({ id })` says of a type in the package schema beside its name and description.
  interface GlobalMeta {
    /** Stands before names of enum values that begin with a digit, which no language takes for a name. */
    beforeDigits?: string;
    /** Names of enum values, where the one made of the value does not do. */
    valueNames?: Readonly<Record<string, string>>;
  }
}

export type TypeMeta = Readonly<Pick<z.GlobalMeta, "id" | "description" | "beforeDigits" | "valueNames">>;

/** What a schema is called as a type; a copy that `.describe()` makes for one field has the name of its original. */
export function typeMetaOf(schema: z.ZodType): TypeMeta {
  let at: z.core.$ZodType | undefined = unwrapSchema(schema);
  for (; at !== undefined; at = at._zod.parent) {
    // An id is not handed on to copies: it stands where it was given.
    const meta = z.globalRegistry.get(at);
    if (meta?.id !== undefined) return meta;
  }
  const { description } = traitsOf(schema);
  return description === undefined ? {} : { description };
}
