import type { OperationParameters } from "../../spec/operation";
import type { OperationName, Operations } from "../../spec/table";
import type { Reading } from "./decode-response";

/** For an operation without parameters, whose inferred type would accept any object. */
type NoParameters = Readonly<Record<string, never>>;

/**
 * What a method takes, for example `ParametersOf<"createProject">`: path, query and header fields side by side, and the
 * body beside them.
 */
export type ParametersOf<N extends OperationName> =
  unknown extends OperationParameters<Operations[N]> ? NoParameters : OperationParameters<Operations[N]>;

/**
 * What a method's promise resolves to, for example `AnswerOf<"getProject">`. Identifiers are always there, except in the
 * answer to a change; every other field may be missing or null, and every enum is open.
 */
export type AnswerOf<N extends OperationName> = Reading<Operations[N]>;
