import { ProxyFailure } from "./route";
import { StopError } from "./stop-signal";

/** Not sent, and not at the next attempt either: mostly a certificate that is not accepted. */
const UNSENDABLE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|UND_ERR_INVALID_ARG)/;

export type SendFailureKind = "proxy" | "unreachable" | "unsendable" | "broken" | "timeout";

/** A request that got no answer. It carries a code only: the transport's own error may quote the request. */
export class SendFailure extends Error {
  constructor(
    readonly kind: SendFailureKind,
    readonly code: string,
    /** What the proxy answered instead of connecting. */
    readonly proxyStatus?: number,
  ) {
    super(`${kind}: ${code}`);
  }

  get mayBeExecuted(): boolean {
    return this.kind === "broken" || this.kind === "timeout";
  }

  /** Whether another attempt would surely fail the same way. */
  get isFinal(): boolean {
    return (
      this.kind === "unsendable" ||
      this.isCertificateRefused ||
      (this.kind === "proxy" && this.#isProxyRefusal)
    );
  }

  get isCertificateRefused(): boolean {
    return UNSENDABLE.test(this.code) && !this.code.startsWith("UND_ERR");
  }

  get #isProxyRefusal(): boolean {
    return this.proxyStatus !== undefined && this.proxyStatus >= 300 && this.proxyStatus < 500;
  }

  /** Within a sentence. */
  get summary(): string {
    switch (this.kind) {
      case "proxy":
        return this.proxyStatus === undefined
          ? `the proxy could not be reached (${this.code})`
          : `the proxy did not connect to the service (it answered ${this.proxyStatus})`;
      case "unreachable":
        return `the service could not be reached (${this.code})`;
      case "unsendable":
        return `the request could not be sent (${this.code})`;
      case "broken":
        return `the connection broke before the answer arrived (${this.code})`;
      case "timeout":
        return "no answer arrived in time";
    }
  }
}

/** Sorts what the transport threw; a stop by the caller passes through. What has not left was surely not executed. */
export function sortFailure(error: unknown, signal: AbortSignal, hasLeft: boolean): StopError | SendFailure {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof StopError) {
    if (reason.kind !== "timeout") return reason;
    return hasLeft ? new SendFailure("timeout", "timeout") : new SendFailure("unreachable", "timeout");
  }
  if (error instanceof ProxyFailure)
    return new SendFailure("proxy", findErrorCode(error.cause), error.status);
  const code = findErrorCode(error);
  if (UNSENDABLE.test(code)) return new SendFailure("unsendable", code);
  return new SendFailure(hasLeft ? "broken" : "unreachable", code);
}

/** Read by shape, since an error may come from another realm; several tried addresses give an error of errors. */
function findErrorCode(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const { code, name, cause, errors } = error as Record<"code" | "name" | "cause" | "errors", unknown>;
  if (typeof code === "string") return code;
  if (Array.isArray(errors)) return findErrorCode(errors[0]);
  if (cause !== undefined) return findErrorCode(cause);
  return typeof name === "string" ? name : "unknown";
}
