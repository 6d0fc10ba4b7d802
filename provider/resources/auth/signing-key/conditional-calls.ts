import { startingCalls } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update", "delete"),
  ["getSigningKey", ["create", "update"], "when the listing does not show a new key yet"],
  ["updateSigningKey", ["create"], "when the key does not have the declared `status` yet"],
  ["updateSigningKey", ["delete"], "when it is not revoked yet"],
];
