import { startingCalls } from "../../../converge/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const QUERY = 'with `via: "query"`';
const ROLLBACK = "with `rollbackOnDelete`";

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update", "delete"),
  ["getMigration", ["create", "read", "update"], "when the history has it before the state does"],
  ["upsertMigration", ["update"], "when `via` changes"],
  ["listMigrations", ["delete"], ROLLBACK],
  ["updateMigration", ["delete"], ROLLBACK],
  ["rollbackMigrations", ["delete"], ROLLBACK],
  ["runReadOnlyQuery", ["create", "read", "update", "delete"], QUERY],
  ["runQuery", ["create", "update", "delete"], QUERY],
];
