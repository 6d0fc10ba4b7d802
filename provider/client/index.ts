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
export { type CallOptions } from "./call";
export { type Credentials, type KeptRefreshToken } from "./credentials";
export { createManagementClient, type ClientOptions, type ManagementClient } from "./management-client";
export { type Read, type Reading } from "./reading";
export { Redactor } from "./redactor";
