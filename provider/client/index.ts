export { systemClock, type Clock } from "./clock";
export {
  ApiError,
  CancelledError,
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  isAmbiguous,
  isNotFound,
  ManagementError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ResponseSchemaError,
  TimeoutError,
  UnauthorizedError,
  type ApiFailure,
} from "./errors";
export {
  createManagementClient,
  type CallOptions,
  type ClientOptions,
  type Credentials,
  type ManagementClient,
} from "./management-client";
export { type Read, type Reading } from "./reading";
export { Redactor } from "./redactor";
