import type { z } from "zod";

/** The mark of a response field without which an answer is of no use. */
export const IDENTIFIER = "identifier";

/**
 * Marks a response field as required: a missing or mistyped one is an error, unless the request named
 * what it changed (`answersOfNamed`). Every other response field is read tolerantly (service, Reading answers).
 */
export function identifier<S extends z.ZodType>(schema: S): z.core.$ZodBranded<S, typeof IDENTIFIER> & S {
  // `.brand()` changes the type only: at run time it is the same schema.
  return schema.meta({ [IDENTIFIER]: true }).brand(IDENTIFIER);
}
