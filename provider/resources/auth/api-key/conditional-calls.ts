import { startingCalls } from "../../../converge/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const LOOK = "when it is the first call of a run, is refused, or an earlier run was interrupted";

export const conditionalCalls: readonly ConditionalCall[] = [
  ["listApiKeys", ["create"], LOOK],
  ...startingCalls("create", "update", "delete"),
];
