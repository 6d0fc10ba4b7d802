import { startingCalls } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "delete"),
  ["reverifyCustomHostname", ["create", "update"], "with `activate: true`"],
  ["activateCustomHostname", ["create", "update"], "with `activate: true`"],
];
