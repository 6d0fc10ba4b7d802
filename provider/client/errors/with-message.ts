import { ApiError } from "./errors";

/** The same failure with a message of ours, and as a plain error: what is missing need not be the object itself. */
export function replaceMessage(error: ApiError, message: string, status = error.status): ApiError {
  const { operation, serviceMessage, serviceCode, requestId, underWayMs } = error;
  return Object.assign(new ApiError({ status, operation, serviceMessage, serviceCode, requestId, message }), {
    underWayMs,
  });
}

/** The service's own words in brackets, after the end of a clause; nothing where it has none. */
export function quoteServiceMessage({ serviceMessage }: ApiError): string {
  return serviceMessage === "" ? "" : ` (the service says: ${serviceMessage})`;
}
