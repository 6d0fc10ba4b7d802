import type { NameMapping } from "../../spec/names/names";
import type { Body, Operation } from "../../spec/operation";
import { coerceFields } from "./coerce";
import { InvalidRequest, checkAgainst, type RequestIssue } from "./invalid-request";
import { readBody } from "./read-body";
import type { ApiRequest } from "./request";

/** A request that keeps to the operation table. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/** Reads a request off the wire, as `mapping` brings it back from there, and compares it with the table. */
export async function validateRequest(
  operation: Operation,
  request: ApiRequest,
  mapping: NameMapping,
): Promise<Input> {
  return validate(operation, {
    params: mapping.value(operation.params, request.params),
    query: coerceFields(operation.query, request.query, mapping),
    headers: sentHeaders(operation, request),
    body: operation.body && (await readBody(operation.body, request, mapping)),
  });
}

/** Compares a call made by an operator, path and query fields side by side, with the table. */
export function validateParameters(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
): Input {
  const { body, ...fields } = parameters;
  return validate(operation, {
    params: pick(fields, Object.keys(operation.params.shape)),
    query: pick(fields, Object.keys(operation.query.shape)),
    headers: pick(fields, Object.keys(operation.headers.shape)),
    body,
  });
}

function validate(operation: Operation, raw: Input): Input {
  const issues: RequestIssue[] = [];
  const input = {
    params: checkAgainst(operation.params, raw.params, "path", issues),
    query: checkAgainst(operation.query, raw.query, "query", issues),
    headers: checkAgainst(operation.headers, raw.headers, "header", issues),
    body: operation.body && checkedBody(operation.body, raw.body, issues),
  };
  if (issues.length > 0) throw new InvalidRequest(issues);
  return input;
}

/** Bytes are taken as they are: a schema of an object whose fields may all be absent would make `{}` of them. */
function checkedBody({ schema, bytesContentType }: Body, body: unknown, issues: RequestIssue[]): unknown {
  const isBytes = bytesContentType !== undefined && body instanceof Uint8Array;
  return isBytes ? body : checkAgainst(schema, body, "body", issues);
}

function sentHeaders(operation: Operation, request: ApiRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(operation.headers.shape).flatMap((name) => {
      const text = request.header(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function pick(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
