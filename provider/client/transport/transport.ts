import type { Dispatcher } from "undici";
import type { Method } from "../../../spec/operation";
import type { Clock } from "../clock";
import { BodyReader } from "./body-reader";
import type { ResponseHeaders } from "../rate-limit/rate-headers";
import { type EncodedBody, splitBody } from "./request-body";
import type { Route } from "./route";
import { SendFailure, sortFailure } from "./send-failure";
import { raceWithStop, StopError, StopSignal } from "./stop-signal";

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
  readonly open?: BodyReader;
}

export function decodeText({ bytes }: WireAnswer): string {
  return new TextDecoder().decode(bytes);
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Whether `signal` ends a request that has left; the outcome of a write that is cut off would be unknown. */
  readonly isCancellable: boolean;
  /** Whether a success answer's body is left to be read piece by piece. */
  readonly isStreamed: boolean;
  /** Whether the deadline alone ends the wait for the answer. */
  readonly isLong: boolean;
  /** How much of a success answer is read into memory, unless the client's options say otherwise. */
  readonly largestAnswerBytes: number;
  readonly deadlineMs: number | undefined;
  /** Called when the request is about to leave, which `signal` can still prevent: until then it waits for a connection. */
  readonly onLeaving: (() => void) | undefined;
  /** Called when it leaves. */
  readonly onSending: () => void;
}

export interface TransportOptions {
  readonly route: Route;
  /** The base URL's own path, without a trailing slash. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly connections: number;
  /** Of every request, where it is given. */
  readonly requestTimeoutMs: number | undefined;
  /** For every operation, where it is given. */
  readonly largestAnswerBytes: number | undefined;
  readonly userAgent: string;
  readonly onAnswer: (headers: ResponseHeaders) => void;
  readonly log: (line: string) => void;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Of a call without a deadline that may take long. */
const LONG_TIMEOUT_MS = 60 * 60_000;

/** No error of the service is as long; the beginning of a gateway's is enough to recognise it. */
const LARGEST_ERROR_BYTES = 64 * 1024;

/** What an operating system may hold of an upload before the line has taken it: Linux's largest send buffer. */
const LARGEST_SEND_BUFFER = 4 * 1024 * 1024;
/** The slowest line on which an upload is not given up: 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

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

  /** Rejects with a `SendFailure` or with a `StopError`; no request leaves once its deadline has passed. */
  async send(request: WireRequest, options: SendOptions): Promise<WireAnswer> {
    const { clock, log } = this.#options;
    const stop = new StopSignal([options.signal], clock);
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
    { deadlineMs, isCancellable, isStreamed, onLeaving, onSending, ...options }: SendOptions,
    sending: { hasLeft: boolean },
  ): Promise<WireAnswer> {
    const { clock, requestTimeoutMs = REQUEST_TIMEOUT_MS, userAgent } = this.#options;
    const isPatient = options.isLong && this.#options.requestTimeoutMs === undefined;
    const largestAnswerBytes = this.#options.largestAnswerBytes ?? options.largestAnswerBytes;
    let handedOverBytes = 0;
    let callOff = stop.stopAfter(requestTimeoutMs, "timeout");
    const seeProgress = (): void => {
      callOff();
      callOff = stop.stopAfter(idleTimeoutMs(requestTimeoutMs, handedOverBytes), "timeout");
    };
    const agent = watchProgress(this.route.dispatcher, {
      leaving: () => {
        if (deadlineMs !== undefined && clock.now() >= deadlineMs) throw new StopError("deadline");
        onLeaving?.();
        stop.signal.throwIfAborted();
        if (!isCancellable) stop.outliveParents();
        onSending();
        sending.hasLeft = true;
        this.#sent += 1;
        seeProgress();
      },
      handedOver: (bytes) => {
        handedOverBytes += bytes;
        seeProgress();
      },
      sent: () => {
        if (!isPatient) return;
        callOff();
        callOff = stop.stopAfter(deadlineMs === undefined ? LONG_TIMEOUT_MS : Infinity, "timeout");
      },
    });
    const { content, headers } = splitBody(request.body);
    // Undici does not let go of a request that waits for its connection.
    const answered = await raceWithStop(
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
    const answer = { status, headers: toSingleValues(answered.headers) };
    const open = await BodyReader.open(body, stop, requestTimeoutMs);
    const isSuccess = status >= 200 && status < 300;
    if (isStreamed && isSuccess) return { ...answer, bytes: new Uint8Array(), isCut: false, open };
    const largestBytes = isSuccess ? largestAnswerBytes : Math.min(largestAnswerBytes, LARGEST_ERROR_BYTES);
    return { ...answer, ...(await bufferBody(open, largestBytes)) };
  }
}

/** Cookies are left out: nobody needs them and they may be secret. */
function toSingleValues(headers: Record<string, string | string[] | undefined>): ResponseHeaders {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lowerCaseName = name.toLowerCase();
    if (value === undefined || lowerCaseName === "set-cookie") continue;
    result[lowerCaseName] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}

/**
 * Lets as many requests leave as there are connections. A request that waits in the transport's own queue would spend
 * its timeout there, and it would not be known whether it was sent.
 */
class ConnectionSlots {
  #free: number;
  readonly #waiters: (() => void)[] = [];

  constructor(connections: number) {
    this.#free = connections;
  }

  /** Resolves to the function that gives the slot back; rejects with the signal's reason as soon as it aborts. */
  take(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve(() => this.#giveBack());
      };
      const leave = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      if (this.#free > 0) {
        this.#free -= 1;
        return enter();
      }
      this.#waiters.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #giveBack(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** What becomes of a request within the dispatcher, which may queue it until a connection stands. */
interface RequestProgress {
  /** The request is about to be written to a connection; throwing keeps it back. */
  leaving(): void;
  /** Bytes of the body were handed to the operating system. */
  handedOver(bytes: number): void;
  /** All of it was handed over. */
  sent(): void;
}

/** The dispatcher for one request, whose progress is told. */
function watchProgress(dispatcher: Dispatcher, progress: RequestProgress): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const watching: Dispatcher.DispatchHandler = {
      onRequestStart: (controller, context) => {
        progress.leaving();
        handler.onRequestStart?.(controller, context);
      },
      onBodySent: (chunk) => {
        progress.handedOver(chunk.byteLength);
        handler.onBodySent?.(chunk);
      },
      onRequestSent: () => {
        progress.sent();
        handler.onRequestSent?.();
      },
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...failure) => handler.onResponseError?.(...failure),
    };
    return dispatch(options, watching);
  });
}

/**
 * How long nothing need be seen of a request before it counts as stuck. Bytes that were handed over may still wait for the
 * line, unseen, and the service answers only when it has them.
 */
export function idleTimeoutMs(requestTimeoutMs: number, handedOverBytes: number): number {
  return requestTimeoutMs + Math.min(handedOverBytes, LARGEST_SEND_BUFFER) / SLOWEST_BYTES_PER_MS;
}

/** An answer's body in memory. */
interface BufferedBody {
  readonly bytes: Uint8Array;
  /** Whether it goes on beyond what is kept. */
  readonly isCut: boolean;
}

/** Reads a body to its end, or to where it becomes larger than `largestBytes`: the rest is not waited for. */
async function bufferBody(open: BodyReader, largestBytes: number): Promise<BufferedBody> {
  const pieces: Uint8Array[] = [];
  for (let piece = await open.next(); piece !== undefined; piece = await open.next()) {
    pieces.push(piece);
    if (open.receivedBytes <= largestBytes) continue;
    open.cancel();
    return { bytes: Buffer.concat(pieces).subarray(0, largestBytes), isCut: true };
  }
  return { bytes: Buffer.concat(pieces), isCut: false };
}
