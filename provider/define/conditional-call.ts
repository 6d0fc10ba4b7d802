import type { OperationName } from "../../spec/table";

/** The steps of a resource's life in which the service is called. */
export type Step = "create" | "read" | "update" | "delete";

/** A call that is made under a condition only: `when` goes on with the sentence. A function has no steps. */
export type ConditionalCall = readonly [operation: OperationName, steps: readonly Step[], when: string];
