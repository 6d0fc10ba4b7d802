import { CancelledError, type ManagementError, NetworkError, TimeoutError } from "./errors";
import type { SendFailure } from "./send-failure";
import type { StopKind } from "./stop-signal";

/** The error when all attempts ended without an answer. */
export function sendError(
  name: string,
  failure: SendFailure,
  origin: string,
  attempts: number,
  mayBeExecuted: boolean,
): ManagementError {
  const tried = attempts > 1 ? ` It was tried ${attempts} times.` : "";
  const message = `${name} failed: ${failure.summary}.${tried} ${adviceFor(failure, origin)}${doubt(mayBeExecuted)}`;
  return failure.kind === "timeout"
    ? new TimeoutError(message, mayBeExecuted)
    : new NetworkError(message, mayBeExecuted, failure.code);
}

/** The error when a stream's connection broke, or nothing more came, after its first piece. */
export function brokenOffError(name: string, failure: SendFailure, receivedBytes: number): ManagementError {
  const why =
    failure.kind === "timeout" ? "nothing more came in time" : `the connection broke (${failure.code})`;
  const message = `${name} broke off after ${receivedBytes} bytes: ${why}. What has come is incomplete: call it again.`;
  return failure.kind === "timeout"
    ? new TimeoutError(message, true)
    : new NetworkError(message, true, failure.code);
}

/** The error when the caller or the deadline ended the call; `doing` says in the middle of what. */
export function stopError(
  name: string,
  kind: StopKind,
  doing: string,
  mayBeExecuted: boolean,
): ManagementError {
  if (kind === "cancelled") {
    return new CancelledError(`${name} was cancelled while ${doing}.${doubt(mayBeExecuted)}`, mayBeExecuted);
  }
  return new TimeoutError(
    `${name} was not done by its deadline: it was ${doing}. Allow more time, or try again later.${doubt(mayBeExecuted)}`,
    mayBeExecuted,
  );
}

function adviceFor({ kind, code }: SendFailure, origin: string): string {
  if (kind === "unreachable") return `Check the base URL (${origin}) and the network.`;
  if (kind !== "unsendable")
    return `Check the network and any proxy on the way to ${origin}, or try again later.`;
  return code.startsWith("UND_ERR")
    ? "A value in it is not allowed in an HTTP request: check the base URL and the access token."
    : `The certificate of ${origin} is not accepted: check the base URL, or let Node.js know the authority that issued it.`;
}

function doubt(mayBeExecuted: boolean): string {
  return mayBeExecuted ? " Whether the service executed the request is unknown." : "";
}
