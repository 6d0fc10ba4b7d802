import type { Operation } from "../../../spec/operation";
import { InvalidInputError } from "../errors/errors";
import type { Fields } from "./request-target";

/** Names the request as one that the service executes once, however often it arrives (service, Migrations). */
const IDEMPOTENCY_KEY = "idempotency-key";

/** What HTTP lets a header hold, without the bytes beyond ASCII whose encoding is nobody's agreement. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** The operation's own headers with lower-case names, and what kinds of answer are understood. */
export function headersOf(operation: Operation, parameters: Fields): Record<string, string> {
  const given = Object.keys(operation.headers.shape).flatMap((name): [string, string][] => {
    const value = parameters[name];
    if (typeof value !== "string") return [];
    if (!HEADER_VALUE.test(value)) throw unsendable(name);
    return [[name.toLowerCase(), value]];
  });
  return { accept: acceptOf(operation), ...Object.fromEntries(given) };
}

/** Whether sending the request again leaves the service as sending it once. */
export function isRepeatable(operation: Operation, headers: Readonly<Record<string, string>>): boolean {
  return operation.idempotent || (headers[IDEMPOTENCY_KEY] ?? "") !== "";
}

/** Errors are JSON whatever the success is; a function's body may come in a content type of its own. */
function acceptOf({ success: { contentType } }: Operation): string {
  switch (contentType) {
    case "application/json":
      return contentType;
    case "text/plain":
      return `${contentType}, application/json;q=0.5`;
    case "application/octet-stream":
      return `${contentType}, */*;q=0.5`;
  }
}

function unsendable(name: string): InvalidInputError {
  return new InvalidInputError(
    name,
    `"${name}" holds a character that no header may have: use printable ASCII.`,
  );
}
