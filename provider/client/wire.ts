import { isTooDeep } from "../../spec/json-depth";
import { type Names, ReservedNameError } from "../../spec/names/names";
import type { Operation } from "../../spec/operation";
import { InvalidInputError, ResponseSchemaError } from "./errors/errors";
import { isJson } from "./parse-json";
import { decodeLenient } from "./decode-response";
import { type EncodedBody, encodeBody } from "./transport/request-body";
import { type ParameterValues, formatPath, formatQuery } from "./transport/request-target";
import { decodeText, type WireAnswer } from "./transport/transport";

/** Makes of a success answer what the caller gets. */
export type ReadAnswer<T> = (name: string, operation: Operation, answer: WireAnswer) => T | Promise<T>;

/**
 * Requests and answers as they are on the wire. This is the one place where an installation's names for the specification's
 * placeholders are exchanged: everything around it has those of the specification.
 */
export class ClientWire {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  /** Path and query of a request. */
  target(name: string, operation: Operation, parameters: ParameterValues): string {
    const { path, params, query } = operation;
    // Each schema names what is its own; the names of the path's parameters are never sent.
    const inPath = this.#fields(params, pick(parameters, params.shape));
    const inQuery = this.#fields(query, pick(parameters, query.shape));
    return formatPath(name, this.#names.path(path), inPath) + formatQuery(inQuery);
  }

  /** The body of a request; nothing where the operation has none. */
  async body({ body }: Operation, value: unknown): Promise<EncodedBody | undefined> {
    return body === undefined ? undefined : encodeBody(body, this.#request(body.schema, value));
  }

  /** The value of a success answer. */
  value(name: string, operation: Operation, answer: WireAnswer): unknown {
    const { schema, contentType, header } = operation.success;
    requireWhole(name, operation, answer);
    // Where the specification writes `{}`, anything will do (service, Reading answers).
    if (schema.type === "void") {
      requireOwn(name, answer);
      return undefined;
    }
    if (header !== undefined) return decodeLenient(schema, scalarOf(answer.headers[header]), name);
    if (contentType === "application/octet-stream") return decodeLenient(schema, answer.bytes, name);
    const text = decodeText(answer);
    const value =
      contentType === "text/plain"
        ? text
        : this.#names.fromWire.value(schema, parseAnswer(name, operation, text));
    return decodeLenient(schema, value, name, operation.success.isOfNamed === true ? "named" : "certain");
  }

  /** What the service says to people. */
  message(text: string): string {
    return this.#names.fromWire.text(text);
  }

  #fields(schema: Operation["query"], fields: ParameterValues): ParameterValues {
    // An object's fields are named one by one, so it stays an object.
    return this.#request(schema, fields) as ParameterValues;
  }

  #request(schema: Parameters<Names["request"]>[0], value: unknown): unknown {
    try {
      return this.#names.request(schema, value);
    } catch (error) {
      // What the service reserves under another name than the specification's would change its meaning on the way.
      if (error instanceof ReservedNameError) throw new InvalidInputError("name", error.message);
      throw error;
    }
  }
}

function pick(parameters: ParameterValues, shape: object): ParameterValues {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, parameters[name]]));
}

export function requireWhole(name: string, { success }: Operation, { isCut, bytes }: WireAnswer): void {
  if (isCut) throw createTooLargeError(name, bytes.length, success.contentType !== "application/json");
}

/** Anything but what the service surely has not said: a page, or what calls itself JSON and is none. */
function requireOwn(name: string, answer: WireAnswer): void {
  const text = decodeText(answer).trim();
  const isCalledJson = /json/i.test(answer.headers["content-type"] ?? "");
  if (text.startsWith("<") || (isCalledJson && text !== "" && !isJson(text)))
    throw createForeignError(name, "no JSON");
}

/** A header's text as the number that it spells, or as it is. */
function scalarOf(text: string | undefined): unknown {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** An empty answer to a read is no answer: taken as `{}` it would say that nothing is set. */
function parseAnswer(name: string, operation: Operation, text: string): unknown {
  if (text.trim() === "" && operation.method !== "GET") return {};
  if (isTooDeep(text)) throw createForeignError(name, "nested too deeply to be read");
  try {
    return JSON.parse(text);
  } catch {
    throw createForeignError(name, text.trim() === "" ? "empty" : "no JSON");
  }
}

/** Everything but JSON can be had as a stream. */
function createTooLargeError(name: string, largestBytes: number, isStreamable: boolean): ResponseSchemaError {
  const advice = isStreamable
    ? `Read it piece by piece with \`client.stream.${name}\`, or`
    : "Ask for less at once, or";
  return new ResponseSchemaError(
    `${name}: the answer is larger than ${largestBytes} bytes. The rest was not read, to save memory. ` +
      `${advice} create the client with a larger \`largestAnswerBytes\`.`,
    name,
    "",
  );
}

function createForeignError(name: string, what: string): ResponseSchemaError {
  return new ResponseSchemaError(
    `${name}: the success answer is ${what}. ` +
      "A proxy or another server may have answered instead: check the base URL and any proxy.",
    name,
    "",
  );
}
