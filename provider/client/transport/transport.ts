import type { Method } from "../../../spec/operation";
import type { Clock } from "../clock";
import { ConnectionSlots } from "./connection-slots";
import { watched } from "./departure";
import { OpenBody } from "./open-body";
import { patienceMs } from "./patience";
import type { ResponseHeaders } from "../rate-limit/rate-headers";
import { type EncodedBody, inPieces } from "./request-body";
import type { Route } from "./route";
import { SendFailure, sortFailure } from "./send-failure";
import { orStopped, Stop, StopSignal } from "./stop-signal";
import { wholeBody } from "./whole-body";

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
  /** Whether the body goes on beyond `bytes`, as it is larger than any that is taken. */
  readonly isCut: boolean;
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
  /** Told when the request is about to leave, which `signal` can still prevent: until then it waits for a connection. */
  readonly onLeaving: (() => void) | undefined;
  /** Told when it leaves. */
  readonly onSending: () => void;
}

export interface TransportOptions {
  readonly route: Route;
  /** The base URL's own path, without a trailing slash. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly connections: number;
  readonly requestTimeoutMs: number;
  readonly largestAnswerBytes: number;
  readonly userAgent: string;
  readonly onAnswer: (headers: ResponseHeaders) => void;
  readonly log: (line: string) => void;
}

/** No error of the service is as long; one of a gateway is told by its beginning. */
const LARGEST_ERROR_BYTES = 64 * 1024;

/** Sends single requests over kept connections; knows neither tokens nor retries nor limits. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #slots: ConnectionSlots;
  readonly route: Route;
  readonly prefix: string;
  #sent = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#slots = new ConnectionSlots(options.connections);
    this.route = options.route;
    this.prefix = options.prefix;
  }

  get sentCount(): number {
    return this.#sent;
  }

  /** Rejects with a `SendFailure` or with a `Stop`; no request leaves once its deadline has passed. */
  async send(request: WireRequest, options: SendOptions): Promise<WireAnswer> {
    const { clock, log } = this.#options;
    const stop = new StopSignal([options.signal]);
    stop.stopAfter((options.deadlineMs ?? Infinity) - clock.now(), "deadline");
    const giveBack = await this.#slots.take(stop.signal).catch((error: unknown) => {
      stop.release();
      throw error;
    });
    const startedMs = clock.now();
    const path = request.target.split("?", 1)[0] ?? "";
    const sending = { hasLeft: false };
    let isEnded = false;
    const end = (how: string | number): void => {
      if (isEnded) return;
      isEnded = true;
      log(`${request.method} ${path} ${how} ${clock.now() - startedMs} ms`);
      stop.release();
      giveBack();
    };
    try {
      const answer = await this.#exchange(request, stop, options, sending);
      this.#options.onAnswer(answer.headers);
      if (answer.open === undefined) end(answer.status);
      else answer.open.onEnd(() => end(answer.status));
      return answer;
    } catch (error) {
      const failure = sortFailure(error, stop.signal, sending.hasLeft);
      end(failure instanceof SendFailure ? `${failure.kind} (${failure.code})` : failure.kind);
      throw failure;
    }
  }

  close(): Promise<void> {
    return this.route.dispatcher.destroy();
  }

  async #exchange(
    request: WireRequest,
    stop: StopSignal,
    { deadlineMs, isCancellable, isStreamed, onLeaving, onSending }: SendOptions,
    sending: { hasLeft: boolean },
  ): Promise<WireAnswer> {
    const { clock, requestTimeoutMs, largestAnswerBytes, userAgent } = this.#options;
    let handedOverBytes = 0;
    let callOff = stop.stopAfter(requestTimeoutMs, "timeout");
    const seeProgress = (): void => {
      callOff();
      callOff = stop.stopAfter(patienceMs(requestTimeoutMs, handedOverBytes), "timeout");
    };
    const agent = watched(this.route.dispatcher, {
      leaving: () => {
        if (deadlineMs !== undefined && clock.now() >= deadlineMs) throw new Stop("deadline");
        onLeaving?.();
        stop.signal.throwIfAborted();
        if (!isCancellable) stop.leaveParents();
        onSending();
        sending.hasLeft = true;
        this.#sent += 1;
        seeProgress();
      },
      handedOver: (bytes) => {
        handedOverBytes += bytes;
        seeProgress();
      },
    });
    const { content, headers } = inPieces(request.body);
    // Undici does not let go of a request that waits for its connection.
    const answered = await orStopped(
      agent.request({
        origin: this.route.origin,
        path: request.target,
        method: request.method,
        headers: { "user-agent": userAgent, ...headers, ...request.headers },
        body: content,
        signal: stop.signal,
      }),
      stop.signal,
    );
    callOff();
    const { statusCode: status, body } = answered;
    const answer = { status, headers: singleValues(answered.headers) };
    const open = await OpenBody.open(body, stop, requestTimeoutMs);
    const isSuccess = status >= 200 && status < 300;
    if (isStreamed && isSuccess) return { ...answer, bytes: new Uint8Array(), isCut: false, open };
    const largestBytes = isSuccess ? largestAnswerBytes : Math.min(largestAnswerBytes, LARGEST_ERROR_BYTES);
    return { ...answer, ...(await wholeBody(open, largestBytes)) };
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
