import type { OperationName } from "../../../spec/table";
import type { CallEnding } from "./reply";
import type { ApiRequest } from "./request";

/** As many as the page shows. */
const MOST_KEPT = 300;
/** Bytes of a body from which on only its length is kept. */
const LONGEST_KEPT = 64 * 1024;

/** A body, as far as it is kept; undefined where there is none, or none was read. */
export interface KeptBody {
  readonly length: number;
  readonly bytes: Uint8Array | undefined;
}

/** A call as it was sent and answered, with its secrets. */
export interface KeptExchange {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | undefined;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: KeptBody | undefined;
  readonly ending: CallEnding["kind"];
  /** Undefined where no answer was begun. */
  readonly answer:
    | {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: KeptBody | undefined;
      }
    | undefined;
}

/** The newest calls with what was sent and answered: only in memory, for whoever looks at the page. */
export class Exchanges {
  private readonly kept = new Map<number, KeptExchange>();

  /** The request, which remembers its body once that is read. */
  watch(request: ApiRequest): { readonly request: ApiRequest; readonly body: () => KeptBody | undefined } {
    let body: KeptBody | undefined;
    const readBody = async (): Promise<Uint8Array> => {
      const bytes = await request.readBody();
      body = keptBody(bytes);
      return bytes;
    };
    return { request: { ...request, readBody }, body: () => body };
  }

  add(sequence: number, request: ApiRequest, body: KeptBody | undefined, outcome: CallEnding): void {
    const { method, path, target, query, headers } = request;
    const reply = "reply" in outcome ? outcome.reply : undefined;
    this.kept.set(sequence, {
      method,
      path,
      operation: target?.name,
      query,
      headers,
      body,
      ending: outcome.kind,
      answer: reply && { status: reply.status, headers: reply.headers, body: keptBody(reply.body) },
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }

  get(sequence: number): KeptExchange | undefined {
    return this.kept.get(sequence);
  }

  clear(): void {
    this.kept.clear();
  }
}

function keptBody(body: string | Uint8Array | null): KeptBody | undefined {
  if (body === null || body.length === 0) return undefined;
  // A long text is not copied only to be counted.
  if (body.length > LONGEST_KEPT) return { length: lengthOf(body), bytes: undefined };
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return { length: bytes.byteLength, bytes };
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}
