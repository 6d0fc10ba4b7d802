import type { RequestBody, Operation } from "../../../spec/operation";
import { InvalidRequest, checkAgainst, type RequestIssue } from "../answers/invalid-request";

/** The parts of a call that the operation table describes. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

/** Compares a call with the table. */
export function validate(operation: Operation, raw: Input): Input {
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

/** Bytes are taken as they are: a schema of an object whose fields may all be absent would make `{}` of them. */
function checkedBody(
  { schema, bytesContentType }: RequestBody,
  body: unknown,
  issues: RequestIssue[],
): unknown {
  const isBytes = bytesContentType !== undefined && body instanceof Uint8Array;
  return isBytes ? body : checkAgainst(schema, body, "body", issues);
}

function pick(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
