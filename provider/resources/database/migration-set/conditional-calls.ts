import { startingCalls } from "../../../waiting/starting-calls";
import type { ConditionalCall } from "../../../define/conditional-call";

const ENDPOINT = 'with `via: "migrations"`';

export const conditionalCalls: readonly ConditionalCall[] = [
  ...startingCalls("create", "update"),
  ["listMigrations", ["create", "read", "update"], ENDPOINT],
  ["applyMigration", ["create", "update"], ENDPOINT],
  [
    "getMigration",
    ["create", "read", "update"],
    `${ENDPOINT}, for what the history has and the state does not`,
  ],
  ["upsertMigration", ["create", "update"], `${ENDPOINT}, as \`baseline\` says`],
  ["updateMigration", ["create", "update"], `${ENDPOINT}, when \`rollbackTo\` takes back`],
  ["rollbackMigrations", ["create", "update"], `${ENDPOINT}, when \`rollbackTo\` takes back`],
];
