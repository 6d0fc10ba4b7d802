import { startingCalls } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const ENDPOINT = 'with `via: "migrations"`';
const ROLLBACK = "with `rollbackOnDelete`";

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update", "delete"),
  ["listMigrations", ["create", "read", "update"], ENDPOINT],
  ["applyMigration", ["create"], ENDPOINT],
  [
    "getMigration",
    ["create", "read", "update"],
    `${ENDPOINT}, when the history has it before the state does`,
  ],
  ["upsertMigration", ["create"], `${ENDPOINT}, as \`baseline\` says`],
  ["updateMigration", ["update"], `${ENDPOINT}, when \`rollback\` changes`],
  ["listMigrations", ["delete"], `${ENDPOINT}, ${ROLLBACK}`],
  ["updateMigration", ["delete"], `${ENDPOINT}, ${ROLLBACK}`],
  ["rollbackMigrations", ["delete"], `${ENDPOINT}, ${ROLLBACK}`],
  ["runReadOnlyQuery", ["delete"], ROLLBACK],
  ["runQuery", ["delete"], ROLLBACK],
];
