import { isObject } from "../../../spec/is-object";
import type { OperationName } from "../../../spec/table";
import { ApiError, ResponseSchemaError } from "../../client/errors/errors";
import { defineProblem } from "../../client/errors/problem";
import type { Api } from "../../define/context";

/** The errors of a read of analytics. */
export const ofAnalytics = {
  refused: defineProblem({
    says: '{operation} failed: the answer has an error instead of a result, "{message}". {remedy}.',
    means: "The analytics service could not run the query. The message has its reason.",
    remedy: "Correct the query if the message refers to it. Otherwise, run again",
  }),
};

interface AnalyticsAnswer<T> {
  readonly result?: readonly T[] | null | undefined;
  readonly error?: Awaited<ReturnType<Api["getLogs"]>>["error"];
}

/** The rows of an answer; what is wrong stands in an answer with status 200 (service, Analytics). */
export function requireRows<T>(
  operation: OperationName,
  { result, error }: AnalyticsAnswer<T>,
): readonly T[] {
  if (error != null && error !== "") {
    const serviceMessage = findErrorMessage(error);
    const message = ofAnalytics.refused.message({ operation, message: serviceMessage });
    throw new ApiError({ status: 200, operation, serviceMessage, message });
  }
  if (result != null) return result;
  throw new ResponseSchemaError(
    `${operation}: the service answered with neither a result nor an error; try again.`,
    operation,
    "result",
  );
}

/** The same of rows that the service does not describe. */
export function requireOpenRows(
  operation: OperationName,
  answer: AnalyticsAnswer<unknown>,
): Readonly<Record<string, unknown>>[] {
  return requireRows(operation, answer).map((row, index) => {
    if (isObject(row)) return { ...row };
    const message = `${operation}: the row ${index + 1} of the result is not an object. Try again; if it persists, report it.`;
    throw new ResponseSchemaError(message, operation, `result[${index}]`);
  });
}

/** A text, or an object with one (service, Errors). */
function findErrorMessage(error: unknown): string {
  const said = isObject(error) ? error["message"] : error;
  return typeof said === "string" ? said : "an error without a message";
}
