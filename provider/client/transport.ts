import { Agent } from "undici";
import type { Method } from "../../spec/operation";
import type { Clock } from "./clock";
import { ConnectionSlots } from "./connection-slots";
import { OpenBody } from "./open-body";
import type { ResponseHeaders } from "./rate-headers";
import type { EncodedBody } from "./request-body";
import { SendFailure, sortFailure } from "./send-failure";
import { StopSignal } from "./stop-signal";

export interface WireRequest {
  readonly method: Method;
  /** Path and query, the base URL's own path included. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: EncodedBody | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The whole body; nothing where it is open. */
  readonly bytes: Uint8Array;
  /** A success answer's body still on its way, where it was asked for so. */
  readonly open?: OpenBody;
}

export function textOf({ bytes }: WireAnswer): string {
  return new TextDecoder().decode(bytes);
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Whether `signal` ends a request that has left; the outcome of a write that is cut off would be unknown. */
  readonly isCancellable: boolean;
  /** Whether a success answer's body is left to be read piece by piece. */
  readonly isStreamed: boolean;
  readonly deadlineMs: number | undefined;
  readonly onSending: () => void;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly connections: number;
  readonly requestTimeoutMs: number;
  readonly userAgent: string;
  readonly onAnswer: (headers: ResponseHeaders) => void;
  readonly log: (line: string) => void;
}

/** Sends single requests over kept connections; knows neither tokens nor retries nor limits. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #agent: Agent;
  readonly #slots: ConnectionSlots;
  readonly origin: string;
  /** The base URL's own path, without a trailing slash. */
  readonly prefix: string;
  #sent = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#slots = new ConnectionSlots(options.connections);
    const base = new URL(options.baseUrl);
    this.origin = base.origin;
    this.prefix = base.pathname.replace(/\/+$/, "");
    // Its timeouts would not know the deadline; redirects are never followed here.
    this.#agent = new Agent({
      connections: options.connections,
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get sentCount(): number {
    return this.#sent;
  }

  /** Rejects with a `SendFailure` or with a `Stop`; `onSending` is called when the request leaves. */
  async send(request: WireRequest, options: SendOptions): Promise<WireAnswer> {
    const giveBack = await this.#slots.take(options.signal);
    const { clock, log } = this.#options;
    const startedMs = clock.now();
    const stop = new StopSignal(options.isCancellable ? [options.signal] : []);
    const path = request.target.split("?", 1)[0] ?? "";
    let isEnded = false;
    const end = (how: string | number): void => {
      if (isEnded) return;
      isEnded = true;
      log(`${request.method} ${path} ${how} ${clock.now() - startedMs} ms`);
      stop.release();
      giveBack();
    };
    try {
      options.onSending();
      this.#sent += 1;
      const answer = await this.#exchange(request, stop, options);
      this.#options.onAnswer(answer.headers);
      if (answer.open === undefined) end(answer.status);
      else answer.open.onEnd(() => end(answer.status));
      return answer;
    } catch (error) {
      const failure = sortFailure(error, stop.signal);
      end(failure instanceof SendFailure ? `${failure.kind} (${failure.code})` : failure.kind);
      throw failure;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #exchange(
    request: WireRequest,
    stop: StopSignal,
    { deadlineMs, isStreamed }: SendOptions,
  ): Promise<WireAnswer> {
    const { clock, requestTimeoutMs, userAgent } = this.#options;
    if (deadlineMs !== undefined) stop.stopAfter(Math.max(0, deadlineMs - clock.now()), "deadline");
    const disarm = stop.stopAfter(requestTimeoutMs, "timeout");
    const { content, contentType } = request.body ?? {};
    const { statusCode, headers, body } = await this.#agent.request({
      origin: this.origin,
      path: request.target,
      method: request.method,
      headers: {
        "user-agent": userAgent,
        ...(contentType === undefined ? {} : { "content-type": contentType }),
        ...request.headers,
      },
      body: content ?? null,
      signal: stop.signal,
    });
    const answer = { status: statusCode, headers: singleValues(headers) };
    if (!isStreamed || statusCode < 200 || statusCode >= 300) return { ...answer, bytes: await body.bytes() };
    disarm();
    const open = await OpenBody.open(body, stop, requestTimeoutMs);
    return { ...answer, bytes: new Uint8Array(), open };
  }
}

/** Cookies are left out: nobody needs them and they may be secret. */
function singleValues(headers: Record<string, string | string[] | undefined>): ResponseHeaders {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lowerCaseName = name.toLowerCase();
    if (value === undefined || lowerCaseName === "set-cookie") continue;
    result[lowerCaseName] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}
