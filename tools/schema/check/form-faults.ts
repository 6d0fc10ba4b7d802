import type { z } from "zod";
import { traitsOf } from "../../../provider/define/markers";
import { shapeOf } from "../../../spec/shape-of";
import { fault, type Fault } from "./fault";

/** A regular expression that a user would be shown for want of a sentence, and an example that breaks the rule it is of. */
export function formFaults(schema: z.ZodType, path: string): Fault[] {
  const { form, example } = traitsOf(schema);
  if (form === undefined || example === undefined) {
    return hasPattern(schema)
      ? [fault(path, "has a pattern and no sentence that says what it asks for: give one with `formed`")]
      : [];
  }
  return schema.safeParse(example).success
    ? []
    : [fault(path, `has an example, ${JSON.stringify(example)}, that is not of its own form: correct one`)];
}

function hasPattern(schema: z.ZodType): boolean {
  const shape = shapeOf(schema);
  if (shape.kind !== "string") return false;
  // Zod types checks by its core interface, whose definitions are plain data.
  return (shape.inner.def.checks ?? []).some((check) => Reflect.get(check._zod.def, "format") === "regex");
}
