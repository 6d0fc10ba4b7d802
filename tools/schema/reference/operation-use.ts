import type { AnyFunction } from "../../../provider/define/function";
import type { ConditionalCall, Step } from "../../../provider/define/conditional-call";
import type { AnyResource } from "../../../provider/define/resource";
import { operations, type OperationName } from "../../../spec/table";

/** In which steps a sample of a resource calls each operation; a function has no steps. */
export type RecordedCalls = Readonly<Record<string, readonly Step[]>>;

/** An operation that a resource or function calls. */
export interface OperationUse {
  readonly operation: OperationName;
  /** The steps that always call it; empty for a function. */
  readonly steps: readonly Step[];
  readonly sometimes: readonly ConditionalCall[];
}

/** What is called: what was recorded, but under a condition where the definition says so. */
export function operationUses(
  { conditionalCalls = [] }: AnyResource | AnyFunction,
  recorded: RecordedCalls,
): OperationUse[] {
  // Object keys are those of the table.
  return (Object.keys(operations) as OperationName[]).flatMap((operation) => {
    const sometimes = conditionalCalls.filter(([name]) => name === operation);
    const seen = recorded[operation];
    if (seen === undefined && sometimes.length === 0) return [];
    const conditional = sometimes.flatMap(([, steps]) => steps);
    const steps = (seen ?? []).filter((step) => !conditional.includes(step));
    return [{ operation, steps, sometimes }];
  });
}
