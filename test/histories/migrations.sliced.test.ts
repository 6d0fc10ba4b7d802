import { describeMigrationAction, migrationAction } from "./migration-actions";
import { MigrationWorld } from "./migration-world";
import { playHistories } from "./play";

playHistories({
  of: "migrations",
  says: "of a folder end with each of its files applied once to each database",
  action: migrationAction,
  describe: describeMigrationAction,
  begin: (scenario) => new MigrationWorld(scenario),
  counts: { quick: 10, rest: 60 },
  timeoutMs: 10_000,
});
