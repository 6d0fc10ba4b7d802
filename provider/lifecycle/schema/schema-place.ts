import type { z } from "zod";
import { schemaAt, shapeOf } from "../../../spec/shape-of";
import { fieldsOf, traitsOf } from "../../define/markers";
import type { Path } from "../../define/property-path";
import { holdsSecret } from "../../define/secret-fields";

/** In place of a key that is not shown. */
const HIDDEN = "[secret]";

/** The names that a program may give there. */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  return at === undefined ? [] : keysOf(at);
}

function keysOf(schema: z.ZodType): string[] {
  const shape = shapeOf(schema);
  if (shape.kind === "union") return [...new Set(shape.options.flatMap(keysOf))];
  if (shape.kind !== "object") return [];
  return fieldsOf(shape.inner).flatMap(([name, , traits]) => (traits.computed === true ? [] : [name]));
}

/** Whether the value there is secret, is part of a secret, or holds one. */
export function isSecretAt(schema: z.ZodType, path: Path): boolean {
  const at = schemaAt(schema, path);
  if (path.length > 0 && at !== undefined && holdsSecret(at)) return true;
  return isMarkedAt(schema, path);
}

/** Whether the schema makes a secret of the value there, or of one that it is part of. */
export function isMarkedAt(schema: z.ZodType, path: Path): boolean {
  return path.some((_, index) => {
    const above = schemaAt(schema, path.slice(0, index + 1));
    return above !== undefined && traitsOf(above).secret === true;
  });
}

/**
 * The path without the keys that the program chose within a secret, be it the schema's or the program's (`isMarked`): they
 * may be as secret as what they lead to. Names of secrets, as in a map of them, are none.
 */
export function withoutForeignKeys(schema: z.ZodType, path: Path, isMarked: boolean): Path {
  return path.map((key, index) => {
    const above = path.slice(0, index);
    if (index === 0 || typeof key === "number" || keysAt(schema, above).includes(String(key))) return key;
    const isWithinSecret = isMarked || isMarkedAt(schema, above);
    return isWithinSecret && !isMapOfSecrets(schemaAt(schema, above)) ? HIDDEN : key;
  });
}

function isMapOfSecrets(schema: z.ZodType | undefined): boolean {
  return schema !== undefined && traitsOf(schema).secret === true && shapeOf(schema).kind === "record";
}
