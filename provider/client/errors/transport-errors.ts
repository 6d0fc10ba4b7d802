import { CancelledError, type ManagementError, NetworkError, RateLimitedError, TimeoutError } from "./errors";
import type { ProxySetting } from "../transport/proxy-variables";
import type { Route } from "../transport/route";
import type { SendFailure } from "../transport/send-failure";
import type { StopKind } from "../transport/stop-signal";

/** The error when all attempts ended without an answer. */
export function createSendError(
  name: string,
  failure: SendFailure,
  route: Route,
  attempts: number,
  mayBeExecuted: boolean,
): ManagementError {
  const tried = attempts > 1 ? ` It was tried ${attempts} times.` : "";
  const message = `${name} failed: ${failure.summary}.${tried} ${formatSendAdvice(failure, route)}${formatDoubt(mayBeExecuted)}`;
  return failure.kind === "timeout"
    ? new TimeoutError(message, mayBeExecuted)
    : new NetworkError(message, mayBeExecuted, failure.code);
}

/** The error when something unexpected failed after the request had left: only its kind is told, as it may quote the answer. */
export function createUnreadableAnswerError(name: string, error: unknown): ManagementError {
  const kind = typeof error === "object" && error !== null && "name" in error ? String(error.name) : "Error";
  const message = `${name} failed while its answer was read (${kind}). Try again; if it persists, report it.${formatDoubt(true)}`;
  return new NetworkError(message, true, kind);
}

/** The error when a stream's connection broke, or nothing more came, after its first piece. */
export function createBrokenStreamError(
  name: string,
  failure: SendFailure,
  receivedBytes: number,
): ManagementError {
  const why =
    failure.kind === "timeout" ? "no more data arrived in time" : `the connection broke (${failure.code})`;
  const message = `${name} stopped after ${receivedBytes} bytes: ${why}. The received data is incomplete: call it again.`;
  return failure.kind === "timeout"
    ? new TimeoutError(message, true)
    : new NetworkError(message, true, failure.code);
}

/** The error when the caller or the deadline ended the call; `doing` says in the middle of what. */
export function createStopError(
  name: string,
  kind: StopKind,
  doing: string,
  mayBeExecuted: boolean,
): ManagementError {
  if (kind === "cancelled") {
    return new CancelledError(
      `${name} was cancelled while ${doing}.${formatDoubt(mayBeExecuted)}`,
      mayBeExecuted,
    );
  }
  // An attempt before this one may have been executed, which no error of a rate limit can say.
  if (kind === "rate limit" && !mayBeExecuted) {
    const message =
      `${name} was not sent: at its deadline it was still ${doing}, and no calls are left. ` +
      "Allow more time, or check what else uses the same account.";
    return new RateLimitedError({ status: 429, operation: name, serviceMessage: "", message });
  }
  return new TimeoutError(
    `${name} timed out while ${doing}. Allow more time, or try again later.${formatDoubt(mayBeExecuted)}`,
    mayBeExecuted,
  );
}

const AUTHORITIES =
  "add its certificate authority with the environment variable NODE_EXTRA_CA_CERTS (a PEM file) " +
  "or NODE_OPTIONS=--use-system-ca";

function formatSendAdvice(failure: SendFailure, route: Route): string {
  const proxy = route.proxy();
  if (failure.kind === "proxy" && proxy !== undefined) return formatProxyAdvice(failure, proxy, route.origin);
  const through =
    proxy === undefined
      ? ""
      : ` The request went through the proxy ${proxy.shown} (environment variable ${proxy.variable}).`;
  return formatServiceAdvice(failure, route.origin) + through;
}

function formatServiceAdvice({ kind, isCertificateRefused }: SendFailure, origin: string): string {
  if (kind === "unreachable") return `Check the base URL (${origin}) and the network.`;
  if (kind !== "unsendable")
    return `Check the network and any proxy on the way to ${origin}, or try again later.`;
  return isCertificateRefused
    ? `The certificate of ${origin} is not trusted: check the base URL, or ${AUTHORITIES}.`
    : "It contains a value that is not allowed in an HTTP request: check the base URL and the access token.";
}

function formatProxyAdvice(
  failure: SendFailure,
  { shown, variable, secrets }: ProxySetting,
  origin: string,
): string {
  const proxy = `The proxy is ${shown}, from the environment variable ${variable}:`;
  const { hostname } = new URL(origin);
  if (failure.isCertificateRefused) return `${proxy} its certificate is not trusted; ${AUTHORITIES}.`;
  if (failure.proxyStatus === 407) {
    return secrets.length === 0
      ? `${proxy} it requires a user name and a password; add them to the variable, percent-encoded, as in ` +
          '"http://user:password@proxy.example.com:3128".'
      : `${proxy} it rejects the user name and password in the variable; correct them, percent-encoded.`;
  }
  const instead = `or add ${hostname} to NO_PROXY if it can be reached directly.`;
  return failure.proxyStatus === undefined
    ? `${proxy} correct the variable, check that the proxy runs, ${instead}`
    : `${proxy} ask its operator to allow connections to ${hostname}, ${instead}`;
}

function formatDoubt(mayBeExecuted: boolean): string {
  return mayBeExecuted ? " Whether the service executed the request is unknown." : "";
}
