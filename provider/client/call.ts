import type { ReadableStream } from "node:stream/web";
import type { Operation } from "../../spec/operation";
import type { TokenSource } from "./auth/credentials";
import type { CallServices, CallSubject } from "./call-subject";
import type { TracedRequest } from "./call-trace";
import { toApiError, isQuotaRefusal, readRequestId } from "./errors/api-error";
import { InvalidInputError, isAmbiguousStatus, isSlow, ManagementError } from "./errors/errors";
import {
  createBrokenStreamError,
  createSendError,
  createStopError,
  createUnreadableAnswerError,
} from "./errors/transport-errors";
import { LONGEST_WAIT_MS, parseRateHeaders, parseRetryAfterMs } from "./rate-limit/rate-headers";
import type { RequestPermit } from "./rate-limit/rate-limiter";
import { needsToken, type RateScope, findRateScope } from "./rate-limit/rate-scope";
import { decideRetry, formatSeconds, type AttemptFailure, type RetryDecision } from "./retry-policy";
import { type ParameterValues, formatPath } from "./transport/request-target";
import { SendFailure } from "./transport/send-failure";
import { raceWithStop, StopError, StopSignal } from "./transport/stop-signal";
import type { WireAnswer } from "./transport/transport";
import type { ReadAnswer } from "./wire";

/** Names the request as one that the service executes once, however often it arrives (service, Migrations). */
const IDEMPOTENCY_KEY = "idempotency-key";

/** What HTTP lets a header hold, without the bytes beyond ASCII whose encoding is nobody's agreement. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

const MOST_REDIRECTS = 5;

/** How long a call waits for the rate limit whose caller has another way. */
const PERMIT_WAIT_MS = 1_000;

/** How long the answer of a long operation is waited for until each line that says so; then with the last time between two. */
const TELLS_AFTER_MS = [10_000, 20_000, 60_000] as const;

const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

/**
 * One call of an operation with all its attempts. Once prepared, each attempt waits for the rate limit, sends the request and
 * ends in an answer, an error or the decision to try again.
 */
export class Call {
  readonly #services: CallServices;
  readonly #subject: CallSubject;
  readonly #scope: RateScope;
  readonly #ticket: number;
  /** In the specification's names, for messages. */
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isRead: boolean;
  readonly #target: CallTarget;
  readonly #stop: StopSignal;
  readonly #token: CallToken;
  #isStreamed = false;
  #attempts = 0;
  #rateLimitedAttempts = 0;
  #mayBeExecuted = false;
  /** How long the latest attempt has been with the service. */
  #underWayMs = 0;
  /** What the call is doing, for the message when it is stopped. */
  #doing = "starting";

  constructor(services: CallServices, subject: CallSubject) {
    const { name, operation, parameters, options } = subject;
    const { route, prefix } = services.transport;
    this.#services = services;
    this.#subject = subject;
    this.#scope = findRateScope(operation, parameters);
    this.#ticket = services.nextTicket();
    this.#isRead = ["GET", "HEAD"].includes(operation.method);
    this.#path = formatPath(name, operation.path, parameters);
    this.#headers = headersOf(operation, parameters);
    const target = prefix + services.wire.target(name, operation, parameters);
    this.#target = new CallTarget(route.origin, target, this.#isRead);
    this.#stop = new StopSignal([options.signal, services.closing], services.clock);
    this.#token = new CallToken(services.tokens, this.#stop, () => this.#leftMs());
  }

  /** What the success answer says, by the operation's schema. */
  value(): Promise<unknown> {
    const { wire } = this.#services;
    return this.run((name, operation, answer) => wire.value(name, operation, answer));
  }

  async run<T>(read: ReadAnswer<T>): Promise<T> {
    const { name, operation } = this.#subject;
    try {
      return await read(name, operation, await this.#success());
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#stop.release();
    }
  }

  /** The answer's body piece by piece; attempts are repeated until its first piece has come. */
  async stream(): Promise<ReadableStream<Uint8Array>> {
    this.#isStreamed = true;
    try {
      const { open } = await this.#success();
      if (open === undefined) throw new TypeError("a streamed answer has an open body");
      this.#doing = "reading the answer";
      open.onEnd(() => this.#stop.release());
      return open.stream((failure) =>
        failure instanceof SendFailure
          ? createBrokenStreamError(this.#subject.name, failure, open.receivedBytes)
          : this.#explained(failure),
      );
    } catch (error) {
      this.#stop.release();
      throw this.#explained(error);
    }
  }

  /** Attempt after attempt, until one succeeds or the decision is not to try again. */
  async #success(): Promise<WireAnswer> {
    const { clock } = this.#services;
    for (;;) {
      const askedAtMs = clock.now();
      const permit = await this.#acquirePermit();
      this.#attempts += 1;
      const outcome = await this.#traced(permit, clock.now() - askedAtMs);
      if (outcome instanceof SendFailure) {
        await this.#afterFailure(outcome);
      } else if (outcome.status === 429 && !isQuotaRefusal(outcome)) {
        this.#afterRateLimit(outcome, permit);
      } else {
        permit.answered(parseRateHeaders(outcome.headers));
        if (outcome.status >= 200 && outcome.status < 300) return outcome;
        await this.#afterRefusal(outcome);
      }
    }
  }

  async #acquirePermit(): Promise<RequestPermit> {
    const { label } = this.#scope;
    const { deadlineMs, isTriedOnce } = this.#subject.options;
    const latestMs = this.#services.clock.now() + PERMIT_WAIT_MS;
    this.#doing = `waiting for the rate limit of ${label}`;
    return this.#services.limiter.acquire({
      scope: this.#scope,
      ticket: this.#ticket,
      signal: this.#stop.signal,
      deadlineMs: isTriedOnce === true ? Math.min(deadlineMs ?? Infinity, latestMs) : deadlineMs,
      onWait: (waitMs) => this.#report(`waiting ${formatSeconds(waitMs)} for the rate limit of ${label}`),
    });
  }

  /** Sends, and reports to the trace what became of it. */
  async #traced(permit: RequestPermit, waitedMs: number): Promise<WireAnswer | SendFailure> {
    const { trace, clock } = this.#services;
    const atMs = clock.now();
    let end: Pick<TracedRequest, "status" | "failure" | "requestId"> = { failure: "stopped" };
    try {
      const outcome = await this.#send(permit);
      if (outcome instanceof SendFailure) end = { failure: outcome.summary };
      else end = { status: outcome.status, requestId: readRequestId(outcome.headers) };
      return outcome;
    } finally {
      trace?.({
        operation: this.#subject.name,
        resource: this.#subject.options.resource,
        attempt: this.#attempts + this.#rateLimitedAttempts,
        atMs,
        waitedMs,
        durationMs: clock.now() - atMs,
        ...end,
      });
    }
  }

  async #send(permit: RequestPermit): Promise<WireAnswer | SendFailure> {
    const { operation, parameters, options } = this.#subject;
    const { transport, wire } = this.#services;
    const wasMaybeExecuted = this.#mayBeExecuted;
    const sending = { hasLeft: false };
    let onAnswer: (() => void) | undefined;
    let end = (): void => undefined;
    this.#underWayMs = 0;
    try {
      const authorization = await this.#authorization();
      const body = await wire.body(operation, parameters["body"]);
      this.#doing = "waiting for a connection";
      const answer = await transport.send(
        {
          method: operation.method,
          target: this.#target.pathAndQuery,
          headers: { ...this.#headers, ...authorization },
          body,
        },
        {
          signal: this.#stop.signal,
          isCancellable: this.#isRead,
          isStreamed: this.#isStreamed,
          isLong: operation.isLong,
          largestAnswerBytes: largestAnswerBytes(operation),
          deadlineMs: options.deadlineMs,
          onLeaving: this.#isRead ? undefined : () => (onAnswer = options.onWrite?.()),
          onSending: () => {
            sending.hasLeft = true;
            this.#mayBeExecuted = true;
            this.#doing = "waiting for the answer";
            end = this.#watchWait();
            permit.sending();
          },
        },
      );
      if (isOfService(answer.status)) onAnswer?.();
      this.#mayBeExecuted = wasMaybeExecuted || (!this.#isRead && isAmbiguousStatus(answer.status));
      return answer;
    } catch (error) {
      const isSent = sending.hasLeft && !(error instanceof SendFailure && !error.mayBeExecuted);
      if (isSent) permit.lost();
      else permit.unused();
      if (!isSent) this.#mayBeExecuted = wasMaybeExecuted;
      if (error instanceof SendFailure) return error;
      throw error;
    } finally {
      end();
    }
  }

  /** Measures how long the answer is waited for, and tells of it where that may be long. */
  #watchWait(): () => void {
    const { name, operation } = this.#subject;
    const { clock } = this.#services;
    const sinceMs = clock.now();
    let callOff = (): void => undefined;
    const tellAfter = ([ms, ...later]: readonly [number, ...number[]]): void => {
      callOff = this.#stop.actAfter(ms, () => {
        const seconds = Math.floor((clock.now() - sinceMs) / 1_000);
        this.#report(`${name}: waiting for the answer for ${seconds} s`);
        const [next = ms, ...others] = later;
        tellAfter([next, ...others]);
      });
    };
    if (operation.isLong) tellAfter(TELLS_AFTER_MS);
    return () => {
      callOff();
      this.#underWayMs = clock.now() - sinceMs;
    };
  }

  async #authorization(): Promise<Record<string, string>> {
    if (!needsToken(this.#subject.operation)) return {};
    this.#doing = "fetching an access token";
    return this.#token.getAuthorization();
  }

  /** No answer came: returns when the next attempt is due. */
  async #afterFailure(failure: SendFailure): Promise<void> {
    const { transport } = this.#services;
    const verdict = failure.isFinal
      ? { again: false as const }
      : this.#judge({ kind: failure.mayBeExecuted ? "unanswered" : "unreachable" });
    if (!verdict.again) {
      throw createSendError(
        this.#subject.name,
        failure,
        transport.route,
        this.#attempts,
        this.#mayBeExecuted,
      );
    }
    await this.#backOff(verdict.afterMs, failure.summary);
  }

  /** The next attempt waits for its permit, as all calls of the scope do. */
  #afterRateLimit(answer: WireAnswer, permit: RequestPermit): void {
    this.#rateLimitedAttempts += 1;
    this.#attempts -= 1;
    const headers = parseRateHeaders(answer.headers);
    const retryAfterMs = parseRetryAfterMs(answer.headers, this.#services.clock.now());
    const verdict = this.#judge({ kind: "answer", status: 429, retryAfterMs, resetMs: headers?.resetMs });
    // Too long a wait is told to each call, and waited by none.
    const waitMs = retryAfterMs !== undefined && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : 0;
    permit.refused(headers, verdict.again ? verdict.afterMs : waitMs);
    if (!verdict.again) throw this.#apiError(answer, this.#rateLimitedAttempts);
  }

  /** The answer is no success: returns when the next attempt is due. */
  async #afterRefusal(answer: WireAnswer): Promise<void> {
    if (isQuotaRefusal(answer)) throw this.#apiError(answer, this.#attempts);
    if (answer.status === 401 && (await this.#hasOtherToken())) return;
    if (this.#target.followRedirect(answer)) return;
    const retryAfterMs = parseRetryAfterMs(answer.headers, this.#services.clock.now());
    const verdict = this.#judge({ kind: "answer", status: answer.status, retryAfterMs });
    if (!verdict.again || (await this.#isLasting(answer.status)))
      throw this.#apiError(answer, this.#attempts);
    await this.#backOff(verdict.afterMs, `the service answered ${answer.status}`);
  }

  async #isLasting(status: number): Promise<boolean> {
    const { name, parameters, options } = this.#subject;
    return (await options.isLasting?.(name, parameters, status)) ?? false;
  }

  async #hasOtherToken(): Promise<boolean> {
    this.#doing = "fetching another access token";
    return this.#token.hasOther();
  }

  #judge(outcome: AttemptFailure): RetryDecision {
    const { clock } = this.#services;
    const { operation, options } = this.#subject;
    if (options.isTriedOnce === true) return { again: false };
    const isOnce = !this.#isRead && options.sendsOnce === true;
    return decideRetry({
      // What a gateway did not wait for may still be under way.
      idempotent:
        !isOnce && !(operation.isLong && isSlow(this.#underWayMs)) && isRepeatable(operation, this.#headers),
      attempt: this.#attempts,
      rateLimitedAttempt: this.#rateLimitedAttempts,
      outcome,
      now: clock.now(),
      deadlineMs: options.deadlineMs,
      random: clock.random(),
    });
  }

  async #backOff(afterMs: number, why: string): Promise<void> {
    this.#doing = `waiting to try again, after ${why}`;
    this.#report(`${this.#subject.name}: ${why}, trying again in ${formatSeconds(afterMs)}`);
    await this.#services.clock.sleep(afterMs, this.#stop.signal);
  }

  #apiError(answer: WireAnswer, attempts: number): ManagementError {
    const note = attempts > 1 ? { note: `It was tried ${attempts} times.` } : {};
    const call = { ...this.#subject, path: this.#path, scopeLabel: this.#scope.label, answer, ...note };
    return toApiError(call, this.#services);
  }

  /** A clock may reject with an error of its own; the signal says what it means. */
  #explained(error: unknown): unknown {
    const told = this.#told(error);
    if (told instanceof ManagementError) told.underWayMs = this.#underWayMs;
    return told;
  }

  #told(error: unknown): unknown {
    const reason: unknown = error instanceof StopError ? error : this.#stop.signal.reason;
    if (error instanceof ManagementError) return error;
    if (reason instanceof StopError)
      return createStopError(this.#subject.name, reason.kind, this.#doing, this.#mayBeExecuted);
    return this.#mayBeExecuted ? createUnreadableAnswerError(this.#subject.name, error) : error;
  }

  #leftMs(): number {
    return (this.#subject.options.deadlineMs ?? Infinity) - this.#services.clock.now();
  }

  #report(message: string): void {
    this.#subject.options.progress?.(this.#services.redactor.redact(message));
  }
}

/** The operation's own headers with lower-case names, and what kinds of answer are understood. */
function headersOf(operation: Operation, parameters: ParameterValues): Record<string, string> {
  const given = Object.keys(operation.headers.shape).flatMap((name): [string, string][] => {
    const value = parameters[name];
    if (typeof value !== "string") return [];
    if (!HEADER_VALUE.test(value)) throw createHeaderError(name);
    return [[name.toLowerCase(), value]];
  });
  return { accept: acceptOf(operation), ...Object.fromEntries(given) };
}

function largestAnswerBytes({ success }: Operation): number {
  return success.isLarge === true ? LARGEST_BODY_BYTES : LARGEST_ANSWER_BYTES;
}

/** Whether sending the request again leaves the service as sending it once. */
function isRepeatable(operation: Operation, headers: Readonly<Record<string, string>>): boolean {
  return operation.idempotent || (headers[IDEMPOTENCY_KEY] ?? "") !== "";
}

/** Errors are JSON whatever the success is; a function's body may come in a content type of its own. */
function acceptOf({ success: { contentType } }: Operation): string {
  switch (contentType) {
    case "application/json":
      return contentType;
    case "text/plain":
      return `${contentType}, application/json;q=0.5`;
    case "application/octet-stream":
      return `${contentType}, */*;q=0.5`;
  }
}

function createHeaderError(name: string): InvalidInputError {
  return new InvalidInputError(
    name,
    `"${name}" contains a character that is not allowed in a header: use printable ASCII.`,
  );
}

/** Where a call goes. A read follows redirects within the same origin: the token must stay with it. */
class CallTarget {
  readonly #origin: string;
  readonly #isRead: boolean;
  #pathAndQuery: string;
  #redirects = 0;

  constructor(origin: string, pathAndQuery: string, isRead: boolean) {
    this.#origin = origin;
    this.#pathAndQuery = pathAndQuery;
    this.#isRead = isRead;
  }

  get pathAndQuery(): string {
    return this.#pathAndQuery;
  }

  /** Whether the answer leads on to where the next attempt goes. */
  followRedirect({ status, headers: { location } }: WireAnswer): boolean {
    if (status < 300 || status >= 400 || location === undefined) return false;
    const current = `${this.#origin}${this.#pathAndQuery}`;
    if (!this.#isRead || this.#redirects >= MOST_REDIRECTS || !URL.canParse(location, current)) return false;
    const next = new URL(location, current);
    if (next.origin !== this.#origin) return false;
    this.#redirects += 1;
    this.#pathAndQuery = `${next.pathname}${next.search}`;
    return true;
  }
}

/** The access token that one call carries; replaced once when the service rejects it. */
class CallToken {
  readonly #tokens: TokenSource;
  readonly #stop: StopSignal;
  readonly #leftMs: () => number;
  #token: string | undefined;
  #isReplaced = false;

  /** `leftMs` is the time until the call's deadline. */
  constructor(tokens: TokenSource, stop: StopSignal, leftMs: () => number) {
    this.#tokens = tokens;
    this.#stop = stop;
    this.#leftMs = leftMs;
  }

  async getAuthorization(): Promise<Record<string, string>> {
    this.#token = await this.#inTime((signal) => this.#tokens.token(signal));
    return { authorization: `Bearer ${this.#token}` };
  }

  async hasOther(): Promise<boolean> {
    const rejected = this.#token;
    if (rejected === undefined || this.#isReplaced) return false;
    this.#isReplaced = true;
    const other = await this.#inTime((signal) => this.#tokens.replacement(rejected, signal));
    return other !== undefined;
  }

  /** Whoever gives the token may know neither deadline nor signal. */
  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const callOff = this.#stop.stopAfter(this.#leftMs(), "deadline");
    try {
      return await raceWithStop(work(this.#stop.signal), this.#stop.signal);
    } finally {
      callOff();
    }
  }
}

/** What a gateway answers in the service's place says nothing of the request, which may still be under way. */
function isOfService(status: number): boolean {
  return status !== 408 && status < 502;
}
