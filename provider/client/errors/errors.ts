/** The root of every error that the client and the provider raise on purpose. */
export abstract class ManagementError extends Error {
  /** How long the request had been with the service when it failed. */
  underWayMs = 0;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** An answer that refuses the request. Its texts are redacted by whoever builds it. */
export interface ApiFailure {
  readonly status: number;
  /** Name of the operation in the table of operations. */
  readonly operation: string;
  /** What the service said, empty where it said nothing. */
  readonly serviceMessage: string;
  /** What the second version of the API calls the refusal, such as `endpoint_not_found`. */
  readonly serviceCode?: string | undefined;
  /** Response headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId?: string | undefined;
  /** The whole message for the user; made from the other fields when absent. */
  readonly message?: string;
}

/** The service answered with a status that is no success. */
export class ApiError extends ManagementError {
  readonly status: number;
  readonly operation: string;
  readonly requestId?: string;
  readonly serviceMessage: string;
  readonly serviceCode?: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(failure: ApiFailure) {
    super(
      failure.message ?? `${failure.operation} failed: ${failure.status} ${failure.serviceMessage}`.trim(),
    );
    this.status = failure.status;
    this.operation = failure.operation;
    this.serviceMessage = failure.serviceMessage;
    this.headers = failure.headers ?? {};
    if (failure.requestId !== undefined) this.requestId = failure.requestId;
    if (failure.serviceCode !== undefined) this.serviceCode = failure.serviceCode;
  }
}

/** The service itself said that the object does not exist: 404, 406, or the 400 of a removed project. */
export class NotFoundError extends ApiError {}

/** 409: the object exists already or is busy. */
export class ConflictError extends ApiError {}

/** The rate limit left no call until the deadline, or 429 was all that came: the request was not executed. */
export class RateLimitedError extends ApiError {}

/** 429 with calls left: the service does not allow this change yet, and `serviceMessage` says why. It was not executed. */
export class QuotaError extends ApiError {}

/** 401: the access token is wrong, expired or revoked; or the service refused the refresh token or the OAuth client. */
export class UnauthorizedError extends ApiError {}

/** 403: the token lacks a permission or a scope, or its owner may not reach the object. */
export class ForbiddenError extends ApiError {}

/** No answer: the service could not be reached, the connection broke, or no access token could be fetched. */
export class NetworkError extends ManagementError {
  constructor(
    message: string,
    /** False when the request surely never reached the service. */
    readonly requestSent: boolean,
    /** The operating system's or the transport's code, such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** No answer in time, or no chance to send before the deadline for another reason than the rate limit. */
export class TimeoutError extends ManagementError {
  constructor(
    message: string,
    /** False when the request surely never reached the service. */
    readonly requestSent: boolean,
  ) {
    super(message);
  }
}

/** The caller's signal aborted, or the client was closed. */
export class CancelledError extends ManagementError {
  constructor(
    message: string,
    /** True when a request was under way, so that its outcome is unknown. */
    readonly requestSent = false,
    /** As the reason of a signal: how long a write that has left may still take; undefined for as long as it does. */
    readonly graceMs?: number,
  ) {
    super(message);
  }
}

/** A success answer that cannot be used: no JSON, or a required identifier is missing. */
export class ResponseSchemaError extends ManagementError {
  constructor(
    message: string,
    readonly operation: string,
    readonly path: string,
  ) {
    super(message);
  }
}

/** A value that the caller or the user must correct; `path` names the property. */
export class InvalidInputError extends ManagementError {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

// What a failure says of what to do next. The documents give neither "busy" nor "not ready" a status of its own (service, Errors),
// so one status may be in several of these classes.

/** How the service answers where it has no such endpoint: that says nothing of an object (service, Errors). */
export const UNROUTED = /^Cannot (?:GET|HEAD|POST|PUT|PATCH|DELETE) \//;

/** Whether the service has no such endpoint. */
export function isUnrouted(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404 && UNROUTED.test(error.serviceMessage);
}

/** Gone: the service said that the object does not exist; never true for 401, 403, 429, 5xx and timeouts. */
export function isNotFound(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError;
}

/** The service, or a database behind it, says no to what was sent, or to what was sent at this moment. */
export function isRefusal(error: unknown): error is ApiError {
  return hasStatus(error, 400, 409, 422);
}

const EXISTS = /\balready (?:exists?|has|have|in use|been)\b|\bexists\b|\bduplicate\b|\btaken\b/i;

/** The service refuses to make what is there already: with 409, or in words that differ by kind (service, Errors). */
export function saysThatItExists(error: unknown): error is ApiError {
  return isRefusal(error) && (error.status === 409 || EXISTS.test(error.serviceMessage));
}

/** A refusal of what was sent, whatever else is under way. */
export function isContentRefusal(error: unknown): error is ApiError {
  return hasStatus(error, 400, 422);
}

/** Something else is under way, or exists already: 409, locked or too early. */
export function isBusy(error: unknown): error is ApiError {
  return hasStatus(error, 409, 423, 425);
}

/** A project that starts, or a database that cannot be reached yet, answers so for a while (service, Health). */
export function isNotReady(error: unknown): error is ApiError {
  return hasStatus(error, 400, 409, 544);
}

/** Whether the same request may succeed a moment later, as it is. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && isTransientStatus(error.status);
}

export function isTransientStatus(status: number): boolean {
  // 501 says that it never will.
  return (status >= 500 && status !== 501) || status === 408 || status === 425;
}

/** Whether a write that failed with this error may nevertheless have been executed: look it up before repeating it. */
export function isAmbiguous(error: unknown): boolean {
  if (error instanceof NotFoundError) return false;
  if (error instanceof ApiError) return isAmbiguousStatus(error.status);
  if (error instanceof NetworkError || error instanceof TimeoutError || error instanceof CancelledError) {
    return error.requestSent;
  }
  return error instanceof ResponseSchemaError;
}

/** Sooner, a gateway or a connection has failed by itself, and not by waiting. */
const SLOW_MS = 10_000;

export function isSlow(underWayMs: number): boolean {
  return underWayMs >= SLOW_MS;
}

/** Whether a write had no answer because it takes long: the service may still be working on it. */
export function mayBeUnderWay(error: unknown): error is ManagementError {
  return error instanceof ManagementError && isAmbiguous(error) && isSlow(error.underWayMs);
}

/** Refusals that the service documents: nothing was done (service, Errors). */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 409, 422, 429];

/** Every other answer leaves open whether a write was executed, a success that cannot be read included. */
export function isAmbiguousStatus(status: number): boolean {
  return !REFUSALS.includes(status);
}

function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}
