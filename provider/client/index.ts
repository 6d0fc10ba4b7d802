import "../core/node-version";
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
  QuotaError,
  RateLimitedError,
  ResponseSchemaError,
  TimeoutError,
  UnauthorizedError,
  type ApiFailure,
} from "./errors/errors";
export { type CallOptions } from "./call-subject";
export { type Calls } from "./calls.generated";
export { type ClientOptions } from "./client-options";
export { type Credentials, type IssuedToken, type KeptRefreshToken } from "./auth/credentials";
export { type Iterations } from "./iterations";
export { type FunctionSource } from "./function-source/function-source";
export { ManagementClient } from "./management-client";
export { type Parts } from "./parts";
export { type Read, type Reading } from "./decode-response";
export { Redactor } from "./redaction/redactor";
export { type AnswerOf, type ParametersOf } from "./signatures";
export { type Streams } from "./streams";
