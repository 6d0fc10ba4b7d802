import { CancelledError, type ManagementError, NetworkError, RateLimitedError, TimeoutError } from "./errors";
import type { ProxySetting } from "../transport/proxy-variables";
import type { Route } from "../transport/route";
import type { SendFailure } from "../transport/send-failure";
import type { StopKind } from "../transport/stop-signal";

/** The error when all attempts ended without an answer. */
export function sendError(
  name: string,
  failure: SendFailure,
  route: Route,
  attempts: number,
  mayBeExecuted: boolean,
): ManagementError {
  const tried = attempts > 1 ? ` It was tried ${attempts} times.` : "";
  const message = `${name} failed: ${failure.summary}.${tried} ${adviceFor(failure, route)}${doubt(mayBeExecuted)}`;
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
  // An attempt before this one may have been executed, which no error of a rate limit can say.
  if (kind === "rate limit" && !mayBeExecuted) {
    const message =
      `${name} was not sent: by its deadline it was ${doing}, which leaves no call. ` +
      "Allow more time, or check what else uses the same account.";
    return new RateLimitedError({ status: 429, operation: name, serviceMessage: "", message });
  }
  return new TimeoutError(
    `${name} was not done by its deadline: it was ${doing}. Allow more time, or try again later.${doubt(mayBeExecuted)}`,
    mayBeExecuted,
  );
}

const AUTHORITIES =
  "let Node.js know the authority that issued it, by the environment variable NODE_EXTRA_CA_CERTS (a PEM file) " +
  "or NODE_OPTIONS=--use-system-ca";

function adviceFor(failure: SendFailure, route: Route): string {
  const proxy = route.proxy();
  if (failure.kind === "proxy" && proxy !== undefined) return proxyAdvice(failure, proxy, route.origin);
  const through =
    proxy === undefined
      ? ""
      : ` The request went through the proxy ${proxy.shown} (environment variable ${proxy.variable}).`;
  return serviceAdvice(failure, route.origin) + through;
}

function serviceAdvice({ kind, isCertificateRefused }: SendFailure, origin: string): string {
  if (kind === "unreachable") return `Check the base URL (${origin}) and the network.`;
  if (kind !== "unsendable")
    return `Check the network and any proxy on the way to ${origin}, or try again later.`;
  return isCertificateRefused
    ? `The certificate of ${origin} is not accepted: check the base URL, or ${AUTHORITIES}.`
    : "A value in it is not allowed in an HTTP request: check the base URL and the access token.";
}

function proxyAdvice(
  failure: SendFailure,
  { shown, variable, secrets }: ProxySetting,
  origin: string,
): string {
  const proxy = `The proxy is ${shown}, from the environment variable ${variable}:`;
  const { hostname } = new URL(origin);
  if (failure.isCertificateRefused) return `${proxy} its certificate is not accepted; ${AUTHORITIES}.`;
  if (failure.proxyStatus === 407) {
    return secrets.length === 0
      ? `${proxy} it asks for a user name and a password; write them into the variable, percent-encoded, as in ` +
          '"http://user:password@proxy.example.com:3128".'
      : `${proxy} it does not accept the user name and the password in the variable; correct them, percent-encoded.`;
  }
  const instead = `or add ${hostname} to NO_PROXY if it can be reached directly.`;
  return failure.proxyStatus === undefined
    ? `${proxy} correct the variable, see that the proxy runs, ${instead}`
    : `${proxy} ask whoever runs it to let it connect to ${hostname}, ${instead}`;
}

function doubt(mayBeExecuted: boolean): string {
  return mayBeExecuted ? " Whether the service executed the request is unknown." : "";
}
