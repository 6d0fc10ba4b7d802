import type { z } from "zod";
import { schemaAt, shapeOf } from "../../spec/shape-of";
import { fieldsOf, traitsOf } from "../define/markers";
import type { Path } from "../define/property-path";
import { holdsSecret } from "../define/secret-fields";

/** The names that a program may give there. */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  const shape = at === undefined ? undefined : shapeOf(at);
  if (shape?.kind !== "object") return [];
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

/** The path without the keys that the program chose, which may be as secret as what they lead to. */
export function withoutForeignKeys(schema: z.ZodType, path: Path): Path {
  return path.map((key, index) => {
    if (index === 0 || typeof key === "number") return key;
    const isNamed = keysAt(schema, path.slice(0, index)).includes(String(key));
    return isNamed ? key : "[secret]";
  });
}
