import { Stop } from "./stop-signal";

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

/** Sorts what the transport threw; a stop by the caller passes through. What has not left was surely not executed. */
export function sortFailure(error: unknown, signal: AbortSignal, hasLeft: boolean): Stop | SendFailure {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof Stop) {
    if (reason.kind !== "timeout") return reason;
    return hasLeft ? new SendFailure("timeout", "timeout") : new SendFailure("unreachable", "timeout");
  }
  const code = codeOf(error);
  if (UNSENDABLE.test(code)) return new SendFailure("unsendable", code);
  return new SendFailure(hasLeft ? "broken" : "unreachable", code);
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
