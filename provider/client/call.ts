import type { ReadableStream } from "node:stream/web";
import { apiErrorOf } from "./errors/api-error";
import { streamOf } from "./transport/body-stream";
import type { CallServices, CallSubject } from "./call-subject";
import { CallToken } from "./auth/call-token";
import { isAmbiguousStatus, ManagementError } from "./errors/errors";
import { isQuotaRefusal } from "./errors/quota";
import { LONGEST_WAIT_MS, parseRateHeaders, parseRetryAfterMs } from "./rate-limit/rate-headers";
import type { Admission } from "./rate-limit/rate-limiter";
import { needsToken, rateScopeOf } from "./rate-limit/rate-scope";
import type { ReadAnswer } from "./read-answer";
import { Target } from "./transport/redirect";
import { headersOf, isRepeatable } from "./transport/request-headers";
import { pathOf } from "./transport/request-target";
import { judge, seconds, type Outcome, type Verdict } from "./retry-policy";
import { SendFailure } from "./transport/send-failure";
import { sentSecretsOf } from "./redaction/sent-secrets";
import { spelledBody, spelledTarget } from "./spelled-request";
import { Stop, StopSignal } from "./transport/stop-signal";
import type { WireAnswer } from "./transport/transport";
import { brokenOffError, sendError, stopError } from "./errors/unanswered-error";

/** One call of an operation with all its attempts. */
export class Call {
  readonly #services: CallServices;
  readonly #subject: CallSubject;
  readonly #scope;
  readonly #ticket: number;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isRead: boolean;
  readonly #target: Target;
  readonly #stop: StopSignal;
  readonly #token: CallToken;
  #isStreamed = false;
  #attempts = 0;
  #rateLimitedAttempts = 0;
  #mayBeExecuted = false;
  /** What the call is doing, for the message when it is stopped. */
  #doing = "starting";

  constructor(services: CallServices, subject: CallSubject) {
    this.#services = services;
    this.#subject = subject;
    this.#scope = rateScopeOf(subject.operation, subject.parameters);
    this.#ticket = services.nextTicket();
    this.#isRead = ["GET", "HEAD"].includes(subject.operation.method);
    this.#path = pathOf(subject.name, subject.operation.path, subject.parameters);
    this.#headers = headersOf(subject.operation, subject.parameters);
    const { route, prefix } = services.transport;
    this.#target = new Target(route.origin, prefix + spelledTarget(services.names, subject), this.#isRead);
    this.#stop = new StopSignal([subject.options.signal, services.closing]);
    this.#token = new CallToken(services.tokens, this.#stop, () => this.#leftMs());
  }

  async run<T>(read: ReadAnswer<T>): Promise<T> {
    const { name, operation } = this.#subject;
    try {
      return await read(name, operation, await this.#succeed(), this.#services.names.fromWire);
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
      const { open } = await this.#succeed();
      if (open === undefined) throw new TypeError("a streamed answer has an open body");
      this.#doing = "reading the answer";
      open.onEnd(() => this.#stop.release());
      return streamOf(open, (failure, receivedBytes) =>
        failure instanceof SendFailure
          ? brokenOffError(this.#subject.name, failure, receivedBytes)
          : this.#explained(failure),
      );
    } catch (error) {
      this.#stop.release();
      throw this.#explained(error);
    }
  }

  async #succeed(): Promise<WireAnswer> {
    for (;;) {
      const answer = await this.#attempt();
      if (answer !== undefined) return answer;
    }
  }

  /** A clock may reject with an error of its own; the signal says what it means. */
  #explained(error: unknown): unknown {
    const reason: unknown = error instanceof Stop ? error : this.#stop.signal.reason;
    if (error instanceof ManagementError || !(reason instanceof Stop)) return error;
    return stopError(this.#subject.name, reason.kind, this.#doing, this.#mayBeExecuted);
  }

  /** The success answer, or undefined when the next attempt is due. */
  async #attempt(): Promise<WireAnswer | undefined> {
    const { limiter } = this.#services;
    const { label } = this.#scope;
    this.#doing = `waiting for the rate limit of ${label}`;
    const admission = await limiter.admit({
      scope: this.#scope,
      ticket: this.#ticket,
      signal: this.#stop.signal,
      deadlineMs: this.#subject.options.deadlineMs,
      onWait: (waitMs) => this.#tell(`waiting ${seconds(waitMs)} for the rate limit of ${label}`),
    });
    this.#attempts += 1;
    const sent = await this.#send(admission);
    if (sent instanceof SendFailure) return this.#failed(sent);
    if (sent.status === 429 && !isQuotaRefusal(sent)) {
      this.#rateLimited(sent, admission);
      return undefined;
    }
    const isSuccess = sent.status >= 200 && sent.status < 300;
    admission.answered(parseRateHeaders(sent.headers));
    if (isQuotaRefusal(sent)) throw this.#apiError(sent, this.#attempts);
    if (isSuccess) return sent;
    if (sent.status === 401 && (await this.#hasOtherToken())) return undefined;
    if (this.#target.follows(sent)) return undefined;
    return this.#refused(sent);
  }

  async #send(admission: Admission): Promise<WireAnswer | SendFailure> {
    const { operation, parameters } = this.#subject;
    const wasMaybeExecuted = this.#mayBeExecuted;
    const departure = { hasLeft: false };
    let onAnswer: (() => void) | undefined;
    try {
      const authorization = await this.#authorization();
      const body = await spelledBody(this.#services.names, operation, parameters["body"]);
      this.#doing = "waiting for a connection";
      const answer = await this.#services.transport.send(
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
          deadlineMs: this.#subject.options.deadlineMs,
          onLeaving: this.#isRead ? undefined : () => (onAnswer = this.#subject.options.onWrite?.()),
          onSending: () => {
            departure.hasLeft = true;
            this.#mayBeExecuted = true;
            this.#doing = "waiting for the answer";
            admission.sending();
          },
        },
      );
      this.#mayBeExecuted = wasMaybeExecuted;
      if (isOfService(answer.status)) onAnswer?.();
      return answer;
    } catch (error) {
      const isSent = departure.hasLeft && !(error instanceof SendFailure && !error.mayBeExecuted);
      if (isSent) admission.lost();
      else admission.unused();
      if (!isSent) this.#mayBeExecuted = wasMaybeExecuted;
      if (error instanceof SendFailure) return error;
      throw error;
    }
  }

  async #authorization(): Promise<Record<string, string>> {
    if (!needsToken(this.#subject.operation)) return {};
    this.#doing = "fetching an access token";
    return this.#token.authorization();
  }

  async #hasOtherToken(): Promise<boolean> {
    this.#doing = "fetching another access token";
    return this.#token.hasOther();
  }

  #leftMs(): number {
    return (this.#subject.options.deadlineMs ?? Infinity) - this.#services.clock.now();
  }

  #rateLimited(answer: WireAnswer, admission: Admission): void {
    this.#rateLimitedAttempts += 1;
    this.#attempts -= 1;
    const headers = parseRateHeaders(answer.headers);
    const retryAfterMs = parseRetryAfterMs(answer.headers, this.#services.clock.now());
    const verdict = this.#judge({ kind: "answer", status: 429, retryAfterMs, resetMs: headers?.resetMs });
    // Too long a wait is told to each call, and waited by none.
    const waitMs = retryAfterMs !== undefined && retryAfterMs <= LONGEST_WAIT_MS ? retryAfterMs : 0;
    admission.refused(headers, verdict.again ? verdict.afterMs : waitMs);
    if (!verdict.again) throw this.#apiError(answer, this.#rateLimitedAttempts);
  }

  async #refused(answer: WireAnswer): Promise<undefined> {
    const retryAfterMs = parseRetryAfterMs(answer.headers, this.#services.clock.now());
    const verdict = this.#judge({ kind: "answer", status: answer.status, retryAfterMs });
    if (!verdict.again) throw this.#apiError(answer, this.#attempts);
    this.#mayBeExecuted ||= isAmbiguousStatus(answer.status);
    await this.#backOff(verdict.afterMs, `the service answered ${answer.status}`);
    return undefined;
  }

  async #failed(failure: SendFailure): Promise<undefined> {
    const { transport } = this.#services;
    const verdict = failure.isFinal
      ? { again: false as const }
      : this.#judge({ kind: failure.mayBeExecuted ? "unanswered" : "unreachable" });
    if (!verdict.again) {
      throw sendError(this.#subject.name, failure, transport.route, this.#attempts, this.#mayBeExecuted);
    }
    await this.#backOff(verdict.afterMs, failure.summary);
    return undefined;
  }

  #judge(outcome: Outcome): Verdict {
    const { clock } = this.#services;
    const { operation, options } = this.#subject;
    const isOnce = !this.#isRead && options.sendsOnce === true;
    return judge({
      idempotent: !isOnce && isRepeatable(operation, this.#headers),
      attempt: this.#attempts,
      rateLimitedAttempt: this.#rateLimitedAttempts,
      outcome,
      now: clock.now(),
      deadlineMs: this.#subject.options.deadlineMs,
      random: clock.random(),
    });
  }

  async #backOff(afterMs: number, why: string): Promise<void> {
    this.#doing = `waiting to try again, after ${why}`;
    this.#tell(`${this.#subject.name}: ${why}, trying again in ${seconds(afterMs)}`);
    await this.#services.clock.sleep(afterMs, this.#stop.signal);
  }

  #apiError(answer: WireAnswer, attempts: number): ManagementError {
    const { tokenAdvice, redactor, names } = this.#services;
    const note = attempts > 1 ? { note: `It was tried ${attempts} times.` } : {};
    return apiErrorOf(
      { ...this.#subject, path: this.#path, scopeLabel: this.#scope.label, answer, tokenAdvice, ...note },
      redactor.with(sentSecretsOf(this.#subject.parameters)),
      names.fromWire,
    );
  }

  #tell(message: string): void {
    this.#subject.options.progress?.(this.#services.redactor.redact(message));
  }
}

/** What a gateway answers in the service's place says nothing of the request, which may still be under way. */
function isOfService(status: number): boolean {
  return status !== 408 && status < 502;
}
