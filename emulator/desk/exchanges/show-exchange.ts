import type { WorldState } from "../../service/world/state";
import type { KeptBody, KeptExchange } from "../../service/server/exchanges";
import { secretsInPath } from "./secrets-in-path";
import { HIDDEN, SecretHider } from "./hide-secrets";

/** What people see of a call: its secrets are hidden. */
export interface ExchangeView {
  readonly request: {
    readonly method: string;
    /** With the query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Null where there is none, or none was read. */
    readonly body: string | null;
  };
  /** Null where no answer was begun. */
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    /** Whether the connection was closed in the middle of it. */
    readonly isCut: boolean;
  } | null;
}

/** Headers that hold no secret, whoever sends them; what others hold is not known. */
const SHOWN_HEADERS =
  /^(?:accept(?:-.*)?|cf-ray|connection|content-(?:type|length|encoding|disposition)|date|expect|host|idempotency-key|location|retry-after|sec-.*|traceparent|user-agent|x-ratelimit-.*|x-(?:request|correlation)-id|ratelimit.*)$/;
const MOST_SHOWN = 16_000;

/** A call as it is shown to people; what the state knows to be a secret is hidden in every place. */
export function showExchange(exchange: KeptExchange, state: WorldState): ExchangeView {
  const { method, path, operation, query, headers, body, answer, ending } = exchange;
  const hider = new SecretHider(path);
  hider.learn(state);
  for (const token of (headers["authorization"] ?? "").split(" ").slice(1)) hider.learn({ token });
  for (const token of secretsInPath(path, operation)) hider.learn({ token });
  hider.learn(Object.fromEntries(query));
  const sent = body && decoded(body, headers["content-type"]);
  const answered = answer?.body && decoded(answer.body, answer.headers["content-type"]);
  hider.learn(sent?.value);
  hider.learn(answered?.value);
  return {
    request: {
      method,
      path: hider.text(path) + shownQuery(query, hider),
      headers: shownHeaders(headers, hider),
      body: shownBody(sent, hider),
    },
    answer:
      answer === undefined
        ? null
        : {
            status: answer.status,
            headers: shownHeaders(answer.headers, hider),
            body: shownBody(answered, hider),
            isCut: ending === "half",
          },
  };
}

/** A body by what it is: fields and values, a text, or bytes of which only the number is shown. */
type Decoded =
  | { readonly value: unknown; readonly text?: undefined }
  | { readonly value?: undefined; readonly text: string; readonly isSafe: boolean };

function decoded({ bytes, length }: KeptBody, contentType = ""): Decoded {
  if (bytes === undefined) return { text: `(${length} bytes, too long to keep)`, isSafe: true };
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const text = Buffer.from(bytes).toString("utf8");
  if (type === "application/json") {
    try {
      return { value: JSON.parse(text) as unknown };
    } catch {
      // Where its secrets are is not known.
      return { text: `(${length} bytes that are no JSON)`, isSafe: true };
    }
  }
  if (type === "application/x-www-form-urlencoded") {
    return { value: Object.fromEntries(new URLSearchParams(text)) };
  }
  if (type.startsWith("text/")) return { text, isSafe: false };
  return { text: `(${length} bytes of ${type === "" ? "no content type" : type})`, isSafe: true };
}

function shownBody(body: Decoded | undefined, hider: SecretHider): string | null {
  if (body === undefined) return null;
  if (body.text !== undefined) return body.isSafe ? body.text : cut(hider.text(body.text));
  return cut(JSON.stringify(hider.value(body.value), null, 2));
}

function cut(text: string): string {
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, MOST_SHOWN)}\n… (${text.length} characters in all)`;
}

function shownQuery(query: URLSearchParams, hider: SecretHider): string {
  if (query.size === 0) return "";
  const parameters = Array.from(query, ([name, value]) => `${hider.text(name)}=${hider.named(name, value)}`);
  return `?${parameters.join("&")}`;
}

function shownHeaders(headers: Readonly<Record<string, string>>, hider: SecretHider): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (name === "authorization") return [name, value.replace(/^(\w+ )?.*$/s, `$1${HIDDEN}`)];
      return [name, SHOWN_HEADERS.test(name) ? hider.named(name, value) : HIDDEN];
    }),
  );
}
