import type { Success } from "../../../spec/operation";
import { MultipartBytes } from "../answers/multipart-bytes";
import { InvalidRequest } from "../answers/invalid-request";
import type { Refusal } from "../answers/refusal";

/** What goes back to the caller. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** How a call ends: answered, the connection closed after half the answer or without one, or left without an end or an answer. */
export type CallEnding = (
  | { readonly kind: "complete" | "half" | "endless"; readonly reply: Reply }
  | { readonly kind: "dropped" | "held" }
) & {
  /** The end of work that goes on without anybody waiting for it. */
  readonly goesOn?: Promise<void>;
};

export function successReply(success: Success, answer: unknown): Reply {
  if (success.status === 204 || success.written === null) {
    return { status: success.status, headers: {}, body: null };
  }
  if (success.header !== undefined) {
    return { status: success.status, headers: { [success.header]: String(answer) }, body: null };
  }
  if (success.contentType === "application/octet-stream") {
    // Its schema takes nothing but bytes, which no handler shares.
    const body = answer as Uint8Array<ArrayBuffer>;
    const contentType = body instanceof MultipartBytes ? body.contentType : success.contentType;
    return { status: success.status, headers: { "content-type": contentType }, body };
  }
  if (success.contentType === "text/plain") {
    return {
      status: success.status,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: String(answer),
    };
  }
  const headers = success.isWithoutCharset === true ? { "content-type": "application/json" } : {};
  return jsonReply(success.status, answer ?? success.written ?? {}, headers);
}

/** An error body is `{"message": …}`, sometimes with further keys (service, Errors); `write` gives its texts another form. */
export function refusalReply(refusal: Refusal, write = (text: string): string => text): Reply {
  const said = refusal instanceof InvalidRequest ? refusal.sentences : refusal.message;
  const message = typeof said === "string" ? write(said) : said.map((each) => write(each));
  return jsonReply(refusal.status, { message, ...refusal.further }, refusal.headers);
}

/** A gateway's page instead of the service's JSON (service, Errors). */
export function gatewayReply(status: number): Reply {
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;
  return { status, headers: { "content-type": "text/html" }, body };
}

/** A call beyond the limit (service, Limits). */
export function throttledReply(message = "ThrottlerException: Too Many Requests"): Reply {
  return jsonReply(429, { message }, { "retry-after": "60" });
}

export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const hasBody = status !== 204 && status !== 304;
  return {
    status,
    headers: { ...(hasBody ? { "content-type": "application/json; charset=utf-8" } : {}), ...headers },
    body: hasBody ? JSON.stringify(body) : null,
  };
}
