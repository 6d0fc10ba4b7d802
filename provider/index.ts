import "./core/node-version";
export * from "./dynamic/classes.generated";
export * from "./dynamic/components.generated";
export * from "./dynamic/functions.generated";
export {
  ApiError,
  CancelledError,
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  ManagementError,
  NetworkError,
  NotFoundError,
  QuotaError,
  RateLimitedError,
  ResponseSchemaError,
  TimeoutError,
  UnauthorizedError,
} from "./client/errors/errors";
