import { startingCalls } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update", "delete"),
  ["listSsoProviders", ["update"], "with `attributeMapping`, or when the service answers 404"],
  ["listSsoProviders", ["delete"], "when the service answers 404"],
  ["getSsoProvider", ["read"], "when the listing leaves the metadata document out"],
];
