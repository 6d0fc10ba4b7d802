import { Stop } from "./stop-signal";

/** Codes of failures before the connection stood: the request was surely not executed. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Not sent, and not at the next attempt either: mostly a certificate that is not accepted. */
const UNSENDABLE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|UND_ERR_INVALID_ARG)/;

export type SendFailureKind = "unreachable" | "unsendable" | "broken" | "timeout";

/** A request that got no answer. It carries a code only: the transport's own error may quote the request. */
export class SendFailure extends Error {
  constructor(
    readonly kind: SendFailureKind,
    readonly code: string,
  ) {
    super(`${kind}: ${code}`);
  }

  get mayBeExecuted(): boolean {
    return this.kind === "broken" || this.kind === "timeout";
  }

  /** Whether another attempt would surely fail the same way. */
  get isFinal(): boolean {
    return this.kind === "unsendable";
  }

  /** Within a sentence. */
  get summary(): string {
    switch (this.kind) {
      case "unreachable":
        return `the service could not be reached (${this.code})`;
      case "unsendable":
        return `the request could not be sent (${this.code})`;
      case "broken":
        return `the connection broke before the answer had come (${this.code})`;
      case "timeout":
        return "no answer came in time";
    }
  }
}

/** Sorts what the transport threw; a stop by the caller passes through. */
export function sortFailure(error: unknown, signal: AbortSignal): Stop | SendFailure {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (reason instanceof Stop)
    return reason.kind === "timeout" ? new SendFailure("timeout", "timeout") : reason;
  const code = codeOf(error);
  if (UNREACHABLE.has(code)) return new SendFailure("unreachable", code);
  return new SendFailure(UNSENDABLE.test(code) ? "unsendable" : "broken", code);
}

/** Read by shape, since an error may come from another realm; several tried addresses give an error of errors. */
function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, name, cause, errors } = error as Record<"code" | "name" | "cause" | "errors", unknown>;
  if (typeof code === "string") return code;
  if (Array.isArray(errors)) return codeOf(errors[0]);
  if (cause !== undefined) return codeOf(cause);
  return typeof name === "string" ? name : "unknown";
}
