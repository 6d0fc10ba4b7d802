import type { Operation } from "../../spec/operation";
import type { Fields } from "./request-target";

/** Names the request as one that the service executes once, however often it arrives (`behaviour.md`, Other). */
const IDEMPOTENCY_KEY = "idempotency-key";

/** The operation's own headers with lower-case names, and what kinds of answer are understood. */
export function headersOf(operation: Operation, parameters: Fields): Record<string, string> {
  const given = Object.keys(operation.headers.shape).flatMap((name): [string, string][] => {
    const value = parameters[name];
    return typeof value === "string" || typeof value === "number"
      ? [[name.toLowerCase(), String(value)]]
      : [];
  });
  return { accept: acceptOf(operation), ...Object.fromEntries(given) };
}

/** Whether sending the request again leaves the service as sending it once. */
export function isRepeatable(operation: Operation, parameters: Fields): boolean {
  return operation.idempotent || (headersOf(operation, parameters)[IDEMPOTENCY_KEY] ?? "") !== "";
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
