import { type Catalog, readCatalog } from "../schema-diff/read-catalog";
import { diffCatalogs } from "../schema-diff/diff-catalogs";
import { renderScript } from "../schema-diff/render";
import type { Database } from "../databases/databases";
import { applyAndRecord, readHistory, type MigrationHistoryRow } from "./history";
import { withinOneTransaction } from "../sql/split-statements";

/** What a database is to have in the end. */
export interface MigrationTarget {
  readonly migrations: readonly MigrationHistoryRow[];
  /** The schema beyond the migrations. */
  readonly catalog?: Catalog | undefined;
}

/** A turn with the database, in a session that does not know what the one before has set. */
export type UseDatabase = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

/** Applies what a database lacks; each migration that succeeded stays when a later one fails. */
export async function migrateDatabase(
  use: UseDatabase,
  { migrations, catalog }: MigrationTarget,
  log: (line: string) => void,
): Promise<void> {
  const history = await use(readHistory);
  const has = new Set(history.map(({ version }) => version));
  for (const migration of migrations) {
    if (has.has(migration.version)) continue;
    log(`Applying migration ${[migration.version, ...(migration.name ?? "").split(/\s+/)].join(" ").trim()}`);
    const script = migration.statements.map((statement) => `${statement};`).join("\n");
    await use((database) =>
      database.transaction(() => applyAndRecord(database, migration, withinOneTransaction(script) ?? script)),
    );
  }
  if (catalog === undefined) return;

  const wanted = new Set(migrations.map(({ version }) => version));
  if (history.some(({ version }) => !wanted.has(version))) {
    // The difference would take back what the newer migrations have made.
    log("Further differences of the schema are left: the branch lacks migrations of its parent project");
    return;
  }
  await use(async (database) => {
    const script = renderScript(diffCatalogs(await readCatalog(database), catalog));
    if (script === "") return;
    log("Applying further differences of the schema");
    await database.transaction(() => database.exec(script));
  });
}
