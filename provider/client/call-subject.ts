import type { Operation } from "../../spec/operation";
import type { TraceListener } from "./call-trace";
import type { Clock } from "./clock";
import type { TokenSource } from "./auth/credentials";
import type { RateLimiter } from "./rate-limit/rate-limiter";
import type { Redactor } from "./redaction/redactor";
import type { ParameterValues } from "./transport/request-target";
import type { Transport } from "./transport/transport";
import type { ClientWire } from "./wire";

/** What all calls of a client share. */
export interface CallServices {
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly transport: Transport;
  readonly wire: ClientWire;
  readonly tokens: TokenSource;
  /** What to do about a refused access token, within a sentence. */
  readonly tokenAdvice: string;
  readonly redactor: Redactor;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
  readonly nextTicket: () => number;
  readonly trace: TraceListener | undefined;
}

export type WriteListener = () => (() => void) | undefined;

export interface CallOptions {
  /** Cancels the call; a write that has left is let come to its end. */
  readonly signal?: AbortSignal | undefined;
  /** Time after which the call gives up, in milliseconds since the epoch: `Date.now() + 60_000`. */
  readonly deadlineMs?: number | undefined;
  /** Called with what the call waits for. */
  readonly progress?: ((message: string) => void) | undefined;
  /**
   * Called when a write leaves: from then on it may happen, whatever becomes of its answer. What it returns is called once
   * the service itself has answered: the write has happened by then, or never will.
   */
  readonly onWrite?: WriteListener | undefined;
  /** A write of an unclear outcome is reported as such, even where sending it twice would leave the service as sending it once. */
  readonly sendsOnce?: boolean | undefined;
  /** A failed attempt is the last one, as its caller has another way. */
  readonly isTriedOnce?: boolean | undefined;
  /** Asked before a call is repeated that the service failed to answer: whether its answer would be the same again. */
  readonly isLasting?:
    ((name: string, parameters: ParameterValues, status: number) => Promise<boolean>) | undefined;
  /** What the call is made for, as a trace names it: `ApiKey backend`. */
  readonly resource?: string | undefined;
}

export interface CallSubject {
  readonly name: string;
  readonly operation: Operation;
  readonly parameters: ParameterValues;
  readonly options: CallOptions;
}
