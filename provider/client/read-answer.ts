import type { Spelling } from "../../spec/names/names";
import type { Operation } from "../../spec/operation";
import { ResponseSchemaError } from "./errors/errors";
import { readTolerantly } from "./reading";
import { isJson } from "./errors/service-message";
import { textOf, type WireAnswer } from "./transport/transport";

/** Makes of a success answer what the caller gets; `spelling` brings it back from the wire. */
export type ReadAnswer<T> = (
  name: string,
  operation: Operation,
  answer: WireAnswer,
  spelling: Spelling,
) => T | Promise<T>;

/** The value of a success answer. */
export function readAnswer(
  name: string,
  operation: Operation,
  answer: WireAnswer,
  spelling: Spelling,
): unknown {
  const { schema, contentType, header } = operation.success;
  requireWhole(name, operation, answer);
  // Where the specification writes `{}`, anything will do (service, Reading answers).
  if (schema.type === "void") {
    requireOwn(name, answer);
    return undefined;
  }
  if (header !== undefined) return readTolerantly(schema, scalarOf(answer.headers[header]), name);
  if (contentType === "application/octet-stream") return readTolerantly(schema, answer.bytes, name);
  const text = textOf(answer);
  const value = contentType === "text/plain" ? text : spelling.value(schema, parse(name, operation, text));
  return readTolerantly(schema, value, name, operation.success.isOfNamed === true ? "named" : "certain");
}

export function requireWhole(name: string, { success }: Operation, { isCut, bytes }: WireAnswer): void {
  if (isCut) throw tooLarge(name, bytes.length, success.contentType !== "application/json");
}

/** Anything but what the service surely has not said: a page, or what calls itself JSON and is none. */
function requireOwn(name: string, answer: WireAnswer): void {
  const text = textOf(answer).trim();
  const isCalledJson = /json/i.test(answer.headers["content-type"] ?? "");
  if (text.startsWith("<") || (isCalledJson && text !== "" && !isJson(text))) throw foreign(name, "no JSON");
}

/** A header's text as the number that it spells, or as it is. */
function scalarOf(text: string | undefined): unknown {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** An empty answer to a read is no answer: taken as `{}` it would say that nothing is set. */
function parse(name: string, operation: Operation, text: string): unknown {
  if (text.trim() === "" && operation.method !== "GET") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw foreign(name, text.trim() === "" ? "empty" : "no JSON");
  }
}

/** Everything but JSON can be had as a stream. */
function tooLarge(name: string, largestBytes: number, isStreamable: boolean): ResponseSchemaError {
  const advice = isStreamable
    ? `Read it piece by piece with \`client.stream.${name}\`, or`
    : "Ask for less at once, or";
  return new ResponseSchemaError(
    `${name}: the answer is larger than ${largestBytes} bytes and was not read to its end, to spare memory. ` +
      `${advice} make the client with a larger \`largestAnswerBytes\`.`,
    name,
    "",
  );
}

function foreign(name: string, what: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `${name}: the success answer is ${what}. ` +
      "Something between here and the service may have answered instead: check the base URL and any proxy.",
    name,
    "",
  );
}
