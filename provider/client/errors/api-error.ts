import type { Spelling } from "../../../spec/names/names";
import type { Operation } from "../../../spec/operation";
import {
  ApiError,
  type ApiFailure,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  QuotaError,
  RateLimitedError,
  UnauthorizedError,
} from "./errors";
import { problems } from "./problems";
import { isQuotaRefusal } from "./quota";
import { parseRateHeaders, type ResponseHeaders } from "../rate-limit/rate-headers";
import type { Redactor } from "../redaction/redactor";
import { isJson, serviceMessageOf, shortened } from "./service-message";
import { textOf, type WireAnswer } from "../transport/transport";

/** How the service answers where it has no such endpoint: that says nothing of an object (service, Errors). */
const UNROUTED = /^Cannot (?:GET|HEAD|POST|PUT|PATCH|DELETE) \//;

/** How a project answers that was deleted a moment ago (service, Errors). */
const REMOVED = /Resource has been removed/;

const PLAN = /\b(?:plans?|free-tier)\b/i;

export interface FailedCall {
  readonly name: string;
  readonly operation: Operation;
  readonly path: string;
  readonly scopeLabel: string;
  readonly answer: WireAnswer;
  /** What to do about a refused access token. */
  readonly tokenAdvice: string;
  /** More for the user, such as the number of attempts. */
  readonly note?: string;
}

/** The error for an answer that is no success; every text of the service is redacted, and cut only then. */
export function apiErrorOf(call: FailedCall, redactor: Redactor, spelling: Spelling): ApiError {
  const { answer, name, operation, path } = call;
  const saidInFull = serviceMessageOf(textOf(answer));
  // A secret is recognised only as it was sent, so it goes before anything is spelled otherwise.
  const serviceMessage = shortened(spelling.text(redactor.redactQuoted(saidInFull)));
  const headers = redacted(answer.headers, redactor);
  // The service's own answers carry the last of these.
  const requestId = headers["x-request-id"] ?? headers["x-correlation-id"] ?? headers["cf-ray"];
  const said = serviceMessage === "" ? "without saying why" : `saying "${serviceMessage}"`;
  const parts = [
    `${name} failed: the service answered ${answer.status} to ${operation.method} ${path}, ${said}.`,
    ...(call.note === undefined ? [] : [call.note]),
    ...adviceFor(call, saidInFull),
    ...(requestId === undefined ? [] : [`Request id: ${requestId}.`]),
  ];
  const failure: ApiFailure = {
    status: answer.status,
    operation: name,
    serviceMessage,
    headers,
    requestId,
    message: redactor.redact(parts.join(" ")),
  };
  return new (classOf(call, saidInFull))(failure);
}

function classOf(call: FailedCall, said: string): new (failure: ApiFailure) => ApiError {
  switch (call.answer.status) {
    case 400:
      return REMOVED.test(said) ? NotFoundError : ApiError;
    case 401:
      return UnauthorizedError;
    case 403:
      return ForbiddenError;
    case 404:
    case 406:
      // A gateway's page, or another server at a wrong base URL, does not know what is gone.
      return isOfService(call) && !UNROUTED.test(said) ? NotFoundError : ApiError;
    case 409:
      return ConflictError;
    case 429:
      return isQuotaRefusal(call.answer) ? QuotaError : RateLimitedError;
    default:
      return ApiError;
  }
}

/** The service's errors are JSON; those to HEAD have nothing but its content type. */
function isOfService({ answer, operation }: FailedCall): boolean {
  if (operation.method === "HEAD") return /^application\/json\b/.test(answer.headers["content-type"] ?? "");
  return isJson(textOf(answer));
}

function adviceFor(call: FailedCall, said: string): string[] {
  const { answer, operation, scopeLabel } = call;
  const { status, headers } = answer;
  if (status === 400 || status === 422) return PLAN.test(said) ? [problems.planRefusal.message()] : [];
  if (status === 401) {
    return [problems.wrongToken.message({ advice: call.tokenAdvice })];
  }
  if ((status === 404 || status === 406) && !isOfService(call)) {
    return [problems.foreignAnswer.message()];
  }
  if (status === 402) return [problems.planQuota.message()];
  if (status === 403) return [missingRights(operation)];
  if (isQuotaRefusal(answer)) {
    return ["Calls are left, so this is no rate limit: try again when what the service names has passed."];
  }
  if (status === 429) {
    const limit = parseRateHeaders(headers)?.limit;
    const scope = `${scopeLabel}${limit === undefined ? "" : ` (${limit} requests per window)`}`;
    return [problems.noCallsLeft.message({ scope })];
  }
  if (status >= 300 && status < 400) return [redirectAdvice(headers)];
  if (status >= 500) return [problems.faultOfService.message()];
  return [];
}

/** The permissions and the scope are facts of the table of operations. */
function missingRights({ permissions, scope }: Operation): string {
  const needs = [
    ...(permissions.length === 0
      ? []
      : [`the permission ${permissions.map((all) => all.join(" and ")).join(", or ")}`]),
    ...(scope === undefined ? [] : [`with OAuth the scope ${scope}`]),
  ];
  if (needs.length === 0) return "The token's owner may not do this: use a token of a member who may.";
  return problems.missingRights.message({ rights: needs.join(" and ") });
}

function redirectAdvice({ location }: ResponseHeaders): string {
  const target = location !== undefined && URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
  return problems.redirected.message({ target });
}

function redacted(headers: ResponseHeaders, redactor: Redactor): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactor.redactQuoted(value)]),
  );
}
