import type { ConditionalCall, Step } from "../../fixtures/conditional-calls";
import { operations, type OperationName } from "../../../spec/table";

/** In which steps the fixture of a resource calls each operation; a function has no steps. */
export type RecordedCalls = Readonly<Record<string, readonly Step[]>>;

/** What a resource or function calls. */
export interface Calls {
  readonly recorded: RecordedCalls;
  readonly conditional: readonly ConditionalCall[];
}

/** An operation that a resource or function calls. */
export interface OperationUse {
  readonly operation: OperationName;
  /** The steps that always call it; empty for a function. */
  readonly steps: readonly Step[];
  readonly sometimes: readonly ConditionalCall[];
  /** A token needs nothing for it: what is called does the same without. */
  readonly isOptional: boolean;
}

/** What is called: what was recorded, but under a condition where the fixture says so. */
export function operationUses({ recorded, conditional: calls }: Calls): OperationUse[] {
  // Object keys are those of the table.
  return (Object.keys(operations) as OperationName[]).flatMap((operation) => {
    const sometimes = calls.filter(([name]) => name === operation);
    const seen = recorded[operation];
    if (seen === undefined && sometimes.length === 0) return [];
    const conditional = sometimes.flatMap(([, steps]) => steps);
    const steps = (seen ?? []).filter((step) => !conditional.includes(step));
    const isAlways = steps.length > 0 || sometimes.length === 0;
    const isOptional = !isAlways && sometimes.every(([, , , occasion]) => occasion === "optional");
    return [{ operation, steps, sometimes, isOptional }];
  });
}
