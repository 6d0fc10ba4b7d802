import { z } from "zod";
import type { Operation } from "../../spec/operation";
import { ResponseSchemaError } from "./errors";
import { readTolerantly } from "./reading";
import type { WireAnswer } from "./transport";

/** The value of a success answer. */
export function readAnswer(name: string, operation: Operation, answer: WireAnswer): unknown {
  const { schema, contentType } = operation.success;
  // Where the specification writes `{}`, anything will do (`spec/README.md`, rule 2).
  if (schema instanceof z.ZodVoid) return undefined;
  if (contentType === "text/plain") return readTolerantly(schema, answer.text, name);
  return readTolerantly(schema, parse(name, operation, answer.text), name);
}

/** An empty answer to a read is no answer: taken as `{}` it would say that nothing is set. */
function parse(name: string, operation: Operation, text: string): unknown {
  if (text.trim() === "" && operation.method !== "GET") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ResponseSchemaError(
      `${name}: the success answer is ${text.trim() === "" ? "empty" : "no JSON"}. ` +
        "Something between here and the service may have answered instead: check the base URL and any proxy.",
      name,
      "",
    );
  }
}
