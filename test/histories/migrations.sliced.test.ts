import { describeMigrationAction, migrationAction } from "./migration-actions";
import { MigrationHistory } from "./migration-history";
import { inTier } from "../kit/tier";
import { playHistories } from "./play";

playHistories({
  of: "migrations",
  says: "of a folder end with each of its files applied once to each database",
  action: migrationAction,
  describe: describeMigrationAction,
  begin: (scenario) => new MigrationHistory(scenario),
  count: Math.max(...inTier([10, 60], (count) => count === 10)),
  timeoutMs: 10_000,
});
