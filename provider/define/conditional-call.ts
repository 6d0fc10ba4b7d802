import type { OperationName } from "../../spec/table";

/** The steps of a resource's life in which the service is called. */
export type Step = "create" | "read" | "update" | "delete";

/** Conditions that are known apart from their sentence: what a token may do is derived from them. */
export type Occasion = "viaMigrations" | "withKeys" | "paused";

/**
 * A call that is made under a condition only: `when` goes on with the sentence, and `occasion` names the condition where
 * something depends on it. A function has no steps.
 */
export type ConditionalCall = readonly [
  operation: OperationName,
  steps: readonly Step[],
  when: string,
  occasion?: Occasion,
];
