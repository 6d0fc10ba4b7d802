import { z } from "zod";
import { fieldsOf, traitsOf, unwrap } from "./markers";

/** Names of the top-level properties that are secret or hold a secret. */
export function secretNames(schema: z.ZodObject): string[] {
  return fieldsOf(schema)
    .filter(([, field]) => holdsSecret(field))
    .map(([name]) => name);
}

/** Whether the value is secret or holds a secret. */
export function holdsSecret(schema: z.ZodType): boolean {
  if (traitsOf(schema).secret === true) return true;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return secretNames(inner).length > 0;
  if (inner instanceof z.ZodRecord) return holdsSecret(inner.valueType as z.ZodType);
  if (inner instanceof z.ZodArray) return holdsSecret(inner.element as z.ZodType);
  return false;
}
