import type { Operation } from "../operation";
import type { JsonSchema } from "./schemas";

type ResponsesJson = Readonly<Record<string, unknown>>;

/** What each listed error code means, by the name of its answer among the components. */
const errorAnswers: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: "BadRequest", description: "The request is invalid, or a precondition is not met." },
  401: { name: "Unauthorized", description: "No valid access token was sent." },
  402: { name: "PaymentRequired", description: "The organization's plan does not allow any more of these." },
  403: { name: "Forbidden", description: "The access token does not cover this." },
  404: { name: "NotFound", description: "There is no such thing." },
  408: { name: "RequestTimeout", description: "The service did not finish in time." },
  429: { name: "TooManyRequests", description: "The rate limit is used up until its window ends." },
  500: { name: "InternalServerError", description: "The service failed." },
};

const unlisted = {
  name: "UnlistedError",
  description:
    "Codes beyond those listed occur: 400 for an invalid request or a precondition, 404, 406, 409, 422, 544.",
};

const rateLimitHeaders = {
  RateLimitLimit: ["X-RateLimit-Limit", "Requests allowed in the current window."],
  RateLimitRemaining: ["X-RateLimit-Remaining", "Requests left in the current window."],
  RateLimitReset: ["X-RateLimit-Reset", "Seconds until the window ends."],
} as const;

/** Ends the names of what the second version of the API answers in its own form. */
const SECOND = "OfSecondVersion";

/** Headers and error answers, which operations refer to. */
export const answerComponents = {
  headers: Object.fromEntries(
    Object.entries(rateLimitHeaders).map(([name, [, description]]) => [
      name,
      { description, required: true, schema: { type: "integer", minimum: 0 } },
    ]),
  ),
  responses: Object.fromEntries(
    [...Object.values(errorAnswers), unlisted].flatMap(({ name, description }) => [
      [name, createErrorAnswer(description, "Error")],
      [name + SECOND, createErrorAnswer(description, "ErrorOfSecondVersion")],
    ]),
  ),
} as const;

/** The body of an error. Further keys occur (service, Errors). */
export const errorSchema: JsonSchema = {
  type: "object",
  properties: {
    message: {
      description:
        "A sentence, or several where a request has several faults, each after the name of its field.",
      oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    },
  },
  required: ["message"],
};

/** The body of an error of the second version (service, Errors). */
export const secondErrorSchema: JsonSchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        issues: {
          description: "The faults of a request, each in the same form.",
          type: "array",
          items: {
            type: "object",
            properties: { code: { type: "string" }, message: { type: "string" } },
            required: ["code", "message"],
          },
        },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

/** Every answer of an operation by its status code. */
export function answersOf(operation: Operation, schema: JsonSchema): ResponsesJson {
  const version = operation.path.startsWith("/v2/") ? SECOND : "";
  const listed = [...new Set([...operation.errors, 429])].toSorted((one, other) => one - other);
  return {
    [String(operation.success.status)]: createSuccessAnswer(operation, schema),
    ...Object.fromEntries(
      listed.map((status) => [
        String(status),
        { $ref: `#/components/responses/${requireErrorName(status)}${version}` },
      ]),
    ),
    default: { $ref: `#/components/responses/${unlisted.name}${version}` },
  };
}

function createSuccessAnswer({ success }: Operation, schema: JsonSchema): ResponsesJson {
  const { header, contentType } = success;
  if (header !== undefined) {
    return {
      description: "Done.",
      headers: { [header]: { required: true, schema }, ...createLimitHeaders() },
    };
  }
  // service, Reading answers: `{}`, which may be an empty body too.
  if (Object.keys(schema).length === 0) return { description: "Done.", headers: createLimitHeaders() };
  return { description: "Done.", headers: createLimitHeaders(), content: { [contentType]: { schema } } };
}

function createErrorAnswer(description: string, schema: string): ResponsesJson {
  return {
    description,
    headers: createLimitHeaders(),
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
}

function requireErrorName(status: number): string {
  const known = errorAnswers[status];
  if (known === undefined) throw new Error(`Say in errorAnswers what ${status} means`);
  return known.name;
}

/** service, Limits: every response carries them. */
function createLimitHeaders(): ResponsesJson {
  return Object.fromEntries(
    Object.entries(rateLimitHeaders).map(([name, [header]]) => [
      header,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}
