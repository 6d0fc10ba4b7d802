import type { OperationName } from "../../../spec/table";

/** The steps of a resource's life in which the service is called. */
export type Step = "create" | "read" | "update" | "delete";

/** An operation that the code of a resource or function calls. */
export interface OperationUse {
  readonly operation: OperationName;
  /** Empty for a function. */
  readonly steps: readonly Step[];
}

/** What the source of a resource or function says about it. */
export interface CodeFacts {
  readonly uses: readonly OperationUse[];
}
