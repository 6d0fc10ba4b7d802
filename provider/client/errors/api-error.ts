import { isObject } from "../../../spec/is-object";
import { quoteInSentence } from "../../../spec/shown-text";
import type { Operation } from "../../../spec/operation";
import { isNewer } from "../../../spec/table";
import {
  ApiError,
  type ApiFailure,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  QuotaError,
  RateLimitedError,
  UNROUTED,
  UnauthorizedError,
} from "./errors";
import { problems } from "./problems";
import { parseRateHeaders, type ResponseHeaders } from "../rate-limit/rate-headers";
import type { CallServices } from "../call-subject";
import { addOwnWords } from "../redaction/own-words";
import type { Redactor } from "../redaction/redactor";
import { isJson, parseJson } from "../parse-json";
import type { ParameterValues } from "../transport/request-target";
import { decodeText, type WireAnswer } from "../transport/transport";

/** How a project answers that was deleted a moment ago (service, Errors). */
const REMOVED = /Resource has been removed/;

/** How the service words a refusal by a rate limit, whichever of its limits the headers describe. */
const THROTTLED = /ThrottlerException|too many requests/i;

/** What a token of an organization is answered where only a user's will do (service, Access). */
export const USER_SCOPED = /\buser-scoped access token\b/i;

/** Whether a refusal is about the organization's plan, by its words. */
export function namesPlan(said: string): boolean {
  return /\b(?:plans?|free-tier)\b/i.test(said);
}

const LONGEST_MESSAGE = 1_000;
const SAYS_NOTHING = /^<|<html|^(\{\}|\[\]|null)$/i;

/** Names of body fields that hold secrets, with everything below them. */
const SECRET_FIELD =
  /(?:^|_)(?:pass|password|secrets?|token|api_key|access_key(?:_id)?|root_key|cipher_key|client_key|dsn|structured_data|private_jwk|value|code_verifier|headers|k)$/;

/** Shorter texts in a secret object are names of algorithms and the like. */
const SHORTEST_SECRET = 8;

export interface FailedCall {
  readonly name: string;
  readonly operation: Operation;
  readonly parameters: ParameterValues;
  /** The path of the call, in the specification's names. */
  readonly path: string;
  readonly scopeLabel: string;
  readonly answer: WireAnswer;
  /** More for the user, such as the number of attempts. */
  readonly note?: string;
}

const FAILED = "failed: the service answered ";
addOwnWords(FAILED);

type ErrorServices = Pick<CallServices, "redactor" | "tokenAdvice" | "wire">;

/** The error for an answer that is no success; every text of the service is redacted, and cut only then. */
export function toApiError(call: FailedCall, services: ErrorServices): ApiError {
  const { answer, name, operation, parameters, path } = call;
  const redactor = services.redactor.with(sentSecretsOf(parameters));
  const saidInFull = serviceMessageOf(decodeText(answer));
  // A secret is recognised only as it was sent, so it goes before any name is exchanged.
  const serviceMessage = shortenMessage(services.wire.message(redactor.redactQuoted(saidInFull)));
  const headers = redactHeaders(answer.headers, redactor);
  const requestId = readRequestId(headers);
  const said = serviceMessage === "" ? "without saying why" : `saying ${quoteInSentence(serviceMessage)}`;
  const parts = [
    `${name} ${FAILED}${answer.status} to ${operation.method} ${path}, ${said}.`,
    ...(call.note === undefined ? [] : [call.note]),
    ...listAdvice(call, saidInFull, services.tokenAdvice),
    ...(requestId === undefined ? [] : [`Request id: ${requestId}.`]),
  ];
  const failure: ApiFailure = {
    status: answer.status,
    operation: name,
    serviceMessage,
    serviceCode: findCode(decodeText(answer)),
    headers,
    requestId,
    message: redactor.redact(parts.join(" ")),
  };
  return new (chooseErrorClass(call, saidInFull))(failure);
}

function chooseErrorClass(call: FailedCall, said: string): new (failure: ApiFailure) => ApiError {
  switch (call.answer.status) {
    case 400:
      return isErrorOfService(call) && REMOVED.test(said) ? NotFoundError : ApiError;
    case 401:
      return UnauthorizedError;
    case 403:
      // A page of a gateway says nothing of what the token may do.
      return isPageOfGateway(call) ? ApiError : ForbiddenError;
    case 404:
    case 406:
      // What is asked for by a POST is not there yet: only what is named can be gone (service, Read replicas).
      if (call.answer.status === 406 && call.operation.method === "POST") return ApiError;
      // A gateway's page, or another server at a wrong base URL, does not know what is gone.
      return isErrorOfService(call) && !UNROUTED.test(said) ? NotFoundError : ApiError;
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
  return isJson(decodeText(answer));
}

/** The service's own 404, 406 and removed answer have a message; any server may answer with another JSON. */
function isErrorOfService(call: FailedCall): boolean {
  if (call.operation.method === "HEAD") return isOfService(call);
  const body = parseJson(decodeText(call.answer));
  return isObject(body) && (findMessageInside(body) ?? "") !== "";
}

function isPageOfGateway(call: FailedCall): boolean {
  return decodeText(call.answer).trim() !== "" && !isOfService(call);
}

/** How the service says that a plan lacks a feature, and not that a quota is used up (service, Errors). */
const LACKS_FEATURE = /\b(?:feature requires|not entitled|entitlement)\b/i;

/** Of a gateway that has waited for the service. */
const GATEWAY_TIMEOUTS: readonly number[] = [504, 522, 524];

function listAdvice(call: FailedCall, said: string, tokenAdvice: string): string[] {
  const { answer, operation, scopeLabel } = call;
  const { status, headers } = answer;
  if (status === 403 && USER_SCOPED.test(said)) return [problems.userScoped.message()];
  if ([400, 403, 422].includes(status) && namesPlan(said)) return [problems.planRefusal.message()];
  if (status === 401) {
    return [problems.wrongToken.message({ advice: tokenAdvice })];
  }
  if (status === 403 && isPageOfGateway(call)) return [problems.gatewayRefusal.message()];
  if ((status === 404 || status === 406) && !isErrorOfService(call)) {
    return [problems.foreignAnswer.message()];
  }
  if (status === 404 && UNROUTED.test(said)) {
    const isOfLaterVersion = isNewer(call.name);
    return [
      isOfLaterVersion
        ? problems.notOffered.message({ operation: call.name })
        : problems.foreignAnswer.message(),
    ];
  }
  if (status === 402) {
    // The second version names no quota (service, Webhooks).
    const isOfPlan = LACKS_FEATURE.test(said) || operation.path.startsWith("/v2/");
    return [isOfPlan ? problems.featureOfPlan.message() : problems.planQuota.message()];
  }
  if (status === 403) return [formatMissingRights(operation)];
  if (isQuotaRefusal(answer)) return [problems.objectQuota.message()];
  if (status === 429) {
    const limit = parseRateHeaders(headers)?.limit;
    const scope = `${scopeLabel}${limit === undefined ? "" : ` (${limit} requests per window)`}`;
    return [problems.noCallsLeft.message({ scope })];
  }
  if (status >= 300 && status < 400) return [formatRedirectAdvice(headers)];
  if (operation.isLong && GATEWAY_TIMEOUTS.includes(status)) return [problems.gatewayTimeout.message()];
  if (status >= 500) return [problems.faultOfService.message()];
  return [];
}

/** The permissions and the scope are facts of the table of operations. */
function formatMissingRights(operation: Operation): string {
  const scope = operation.scope ?? operation.changedScope;
  // Of a list that has changed either is named: which one the installation goes by is not known.
  const lists = [...operation.permissions, ...operation.changedPermissions];
  const permissions = [...new Set(lists.map((all) => all.join(" and ")))];
  const needs = [
    ...(permissions.length === 0 ? [] : [`the permission ${permissions.join(", or ")}`]),
    ...(scope === undefined ? [] : [`with OAuth the scope ${scope}`]),
  ];
  if (needs.length === 0)
    return "The token's owner is not allowed to do this: use the token of a member who is.";
  return problems.missingRights.message({ rights: needs.join(" and ") });
}

function formatRedirectAdvice({ location }: ResponseHeaders): string {
  const target = location !== undefined && URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
  return problems.redirected.message({ target });
}

function redactHeaders(headers: ResponseHeaders, redactor: Redactor): ResponseHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactor.redactQuoted(value)]),
  );
}

/**
 * Whether a 429 refuses for a quota of the object itself, with calls left in the window: waiting for the window's end
 * does not help (service, Limits).
 */
export function isQuotaRefusal(answer: WireAnswer): boolean {
  const remaining = parseRateHeaders(answer.headers)?.remaining ?? 0;
  return answer.status === 429 && remaining > 0 && !THROTTLED.test(decodeText(answer));
}

/** What an error body says, whatever its form: JSON, text, HTML of a gateway, or nothing (service, Errors). */
function serviceMessageOf(text: string): string {
  const body = text.trim();
  return findMessageInside(parseJson(body)) ?? (SAYS_NOTHING.test(body) ? "" : body);
}

/** Only for what is redacted: the rest of a secret that is cut is not recognised any more. */
function shortenMessage(redactedText: string): string {
  return redactedText.length > LONGEST_MESSAGE ? `${redactedText.slice(0, LONGEST_MESSAGE)}…` : redactedText;
}

/** The code of an error of the second version, where it is nothing but one. */
function findCode(text: string): string | undefined {
  const body = parseJson(text);
  const error = isObject(body) ? body["error"] : undefined;
  const code = isObject(error) ? error["code"] : undefined;
  return typeof code === "string" && /^[\w.]{1,100}$/.test(code) ? code : undefined;
}

/** The faults of a request, which the second version lists beside its message (service, Errors). */
function findIssues(error: unknown): string {
  const issues = isObject(error) ? error["issues"] : undefined;
  return (Array.isArray(issues) ? findMessageInside(issues) : undefined) ?? "";
}

function findMessageInside(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const parts = value.map(findMessageInside).filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join("; ");
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  // The OAuth endpoints use RFC 6749's names.
  for (const name of ["message", "error_description", "error", "msg"]) {
    const found = findMessageInside(fields[name]);
    if (found === undefined || found === "") continue;
    const issues = findIssues(fields);
    return issues === "" || found.includes(issues) ? found : `${found}: ${issues}`;
  }
  return undefined;
}

/** What the request itself sent as secret: a service may quote it when it refuses. */
function sentSecretsOf({ body }: ParameterValues): string[] {
  // An authorization code is a secret, a region's code, which is further down, is none.
  const code = isObject(body) ? collectSecretTexts(body["code"], true) : [];
  return [...code, ...collectSecretTexts(body, false)];
}

function collectSecretTexts(value: unknown, isSecret: boolean): string[] {
  if (typeof value === "string") return isSecret && value.length >= SHORTEST_SECRET ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => collectSecretTexts(item, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    collectSecretTexts(field, isSecret || SECRET_FIELD.test(name)),
  );
}

/** The service's own name of a request; its answers carry the last of these headers. */
export function readRequestId(headers: ResponseHeaders): string | undefined {
  return headers["x-request-id"] ?? headers["x-correlation-id"] ?? headers["cf-ray"];
}
