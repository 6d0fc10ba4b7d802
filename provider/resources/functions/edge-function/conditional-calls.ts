import { startingCalls } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const METADATA = "when nothing but `name` or `verifyJwt` changes";

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update", "delete"),
  ["updateFunction", ["update"], METADATA],
  ["updateFunctions", ["update"], `${METADATA}, in several functions`],
  ["getFunctionBody", ["read"], "when it is imported"],
];
