import { startingCalls } from "../../../converge/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const QUERY = 'with `via: "query"`';

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update"),
  ["getMigration", ["create", "read", "update"], "for what the history has and the state does not"],
  ["upsertMigration", ["update"], "when `via` changes"],
  ["updateMigration", ["create", "update"], "when `rollbackTo` takes back"],
  ["rollbackMigrations", ["create", "update"], "when `rollbackTo` takes back"],
  ["runReadOnlyQuery", ["create", "read", "update"], QUERY],
  ["runQuery", ["create", "update"], QUERY],
];
