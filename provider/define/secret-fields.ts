import type { z } from "zod";
import { childrenOf, shapeOf } from "../../spec/shape-of";
import { fieldsOf, traitsOf } from "./markers";

/** Names of the top-level properties that are secret or hold a secret. */
export function secretNames(schema: z.ZodObject): string[] {
  return fieldsOf(schema)
    .filter(([, field]) => holdsSecret(field))
    .map(([name]) => name);
}

/** Whether the value is secret or holds a secret. */
export function holdsSecret(schema: z.ZodType): boolean {
  return traitsOf(schema).secret === true || childrenOf(shapeOf(schema)).some(holdsSecret);
}
