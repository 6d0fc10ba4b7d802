import type { Names } from "../../spec/names/names";
import type { Operation } from "../../spec/operation";
import { operations, type OperationName } from "../../spec/table";
import { databaseOperations } from "./operations/database-operations";
import { samples } from "./operations/samples";
import type { Stage } from "./operations/scene";
import { valuesOf } from "./operations/wire-request";

/** A call that would succeed at present, for the fuzzer to take values from. */
export interface Scene {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether a success is the end of it: the same call would not succeed again. */
  readonly endsWithSuccess: boolean;
}

/** Throws everything away and prepares what a call of the operation needs, as its tests do, in the words of its callers. */
export async function openScene(
  stage: Stage,
  name: OperationName,
  { toWire }: Pick<Names, "toWire">,
): Promise<Scene> {
  const operation: Operation = operations[name];
  const { params, query, body } = valuesOf(operation, await samples[name](stage.fresh()));
  const changesNothing = operation.method === "GET" || operation.method === "HEAD";
  return {
    path: params,
    // An object's fields are spelled one by one, so it stays an object.
    query: toWire.value(operation.query, query) as Scene["query"],
    body: operation.body && toWire.value(operation.body.schema, body),
    // A database takes too long to start to be thrown away often.
    endsWithSuccess: !changesNothing && !(name in databaseOperations),
  };
}

export function isOperationName(name: string): name is OperationName {
  return name in operations;
}
