import { type Catalog, readCatalog } from "../../../../postgres/schema-diff/read-catalog";
import { diffCatalogs } from "../../../../postgres/schema-diff/diff-catalogs";
import { renderScript } from "../../../../postgres/schema-diff/render";
import {
  nextVersion,
  readHistory,
  writeMigration,
  type MigrationHistoryRow,
} from "../../../../postgres/migrations/history";
import { splitStatements } from "../../../../postgres/sql/split-statements";
import type { Databases } from "../../../../postgres/databases/databases";
import { peekEntries } from "../../../world/tracked-map";
import type { World } from "../../../world/world";
import { copyProjectDatabase, inDatabaseSession } from "./database-session";
import type { ActionRunRecord, BranchRecord, DatabaseWork } from "../../../world/records/branch";
import type { ProjectRecord } from "../../../world/records/project";
import { databaseReadyAt, willPass } from "../branch-progress";
import { deployFunctions } from "./deploy-functions";
import { migrateDatabase } from "../../../../postgres/migrations/migrate-database";
import { Refusal } from "../../../answers/refusal";

/** The row that stands for a schema which no migration has made (service, Branches). */
const DUMPED_SCHEMA = "remote_schema";

type DatabaseWorkPlan =
  | Pick<DatabaseWork & { kind: "build" }, "kind" | "withData">
  | Pick<DatabaseWork & { kind: "migrate" }, "kind" | "migrations">;

/** Lets a run change its database later than it began, as the running service does; one that dies before never does. */
export function planDatabaseWork(world: World, run: ActionRunRecord, plan: DatabaseWorkPlan): void {
  if (willPass(world, run, "migrate")) run.work = { ...plan, at: databaseReadyAt(world, run) };
}

/** Does what runs were to have done by now to the database of this project or branch, or to all. */
export async function finishDatabaseWork(world: World, ref?: string): Promise<void> {
  for (const { branch, run } of dueWork(world, ref)) {
    await doOnce(world, run, () => work(world, branch, run));
  }
}

export function hasDueWork(world: World, ref?: string): boolean {
  return dueWork(world, ref).length > 0;
}

function dueWork(
  world: World,
  ref: string | undefined,
): { readonly branch: BranchRecord; readonly run: ActionRunRecord }[] {
  const now = world.clock.now();
  return [...peekEntries(world.state.branches)]
    .filter(([, { projectRef, parentRef }]) => ref === undefined || [projectRef, parentRef].includes(ref))
    .flatMap(([, branch]) => branch.runs.map((run) => ({ branch, run })))
    .filter(({ run }) => run.work !== null && run.work.at <= now)
    .sort((left, right) => (left.run.work?.at ?? 0) - (right.run.work?.at ?? 0));
}

const underWay = new WeakMap<Databases, Map<string, Promise<void>>>();

/** Calls of one moment wait for the same work. */
async function doOnce({ databases }: World, run: ActionRunRecord, start: () => Promise<void>): Promise<void> {
  const started = underWay.get(databases) ?? new Map<string, Promise<void>>();
  underWay.set(databases, started);
  const promise =
    started.get(run.id) ??
    start().finally(() => {
      run.work = null;
      started.delete(run.id);
    });
  started.set(run.id, promise);
  await promise;
}

async function work(world: World, branch: BranchRecord, run: ActionRunRecord): Promise<void> {
  const { projects, branches } = world.state;
  const parent = projects.get(branch.parentRef);
  const isStopped = run.reports.get("migrate")?.status === "DEAD";
  if (run.work === null || parent === undefined || isStopped) return;
  try {
    const { at } = run.work;
    if (run.work.kind === "migrate") {
      await applyMigrations(world, run, parent, run.work.migrations);
      const merged = branches.get(run.mergedBranchId ?? "");
      const from = projects.get(merged?.projectRef ?? "");
      if (from !== undefined && willPass(world, run, "seed"))
        deployFunctions(world, run, { from, to: parent, at });
      return;
    }
    const preview = projects.get(branch.projectRef);
    if (preview === undefined) return;
    await build(world, run, { parent, preview, ...run.work });
    deployFunctions(world, run, { from: parent, to: preview, at });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    run.failure = { step: "migrate", log: error.message };
  }
}

interface Building {
  readonly parent: ProjectRecord;
  readonly preview: ProjectRecord;
  readonly at: number;
  readonly withData: boolean;
}

/**
 * A branch is built by the migrations of its parent, and what no migration has made is not there. Of a parent without any the
 * schema is dumped; a database that nothing has used has none to dump (service, Branches).
 */
async function build(world: World, run: ActionRunRecord, building: Building): Promise<void> {
  const { parent, preview, at, withData } = building;
  preview.webhooksEnabled = parent.webhooksEnabled;
  if (!world.databases.isUsed(parent.ref)) return;
  const history = await inDatabaseSession(world, parent.ref, readHistory);
  if (history.length > 0) {
    if (withData) copyProjectDatabase(world, parent, preview, { withData });
    else await applyMigrations(world, run, preview, history);
    return;
  }
  const made = await readNewCatalog(world, preview.ref);
  const script = await inDatabaseSession(world, parent.ref, async (database) =>
    renderScript(diffCatalogs(made.catalog, await readCatalog(database))),
  );
  const row: MigrationHistoryRow = {
    version: nextVersion(at, []),
    name: DUMPED_SCHEMA,
    statements: splitStatements(script),
    rollback: [],
    createdBy: null,
    idempotencyKey: null,
  };
  if (withData || !made.isUsed) copyProjectDatabase(world, parent, preview, { withData });
  else
    await inDatabaseSession(world, preview.ref, (database) =>
      database.transaction(() => database.exec(script)),
    );
  run.notes.push({ step: "migrate", text: "Dumped the schema of the parent project" });
  if (row.statements.length === 0) return;
  for (const { ref } of [parent, preview]) {
    await inDatabaseSession(world, ref, (database) => writeMigration(database, row));
  }
}

const newCatalogs = new WeakMap<Databases, Catalog>();

/** What a database has from its beginning, and whether somebody has used the branch's already. */
async function readNewCatalog(world: World, ref: string): Promise<{ catalog: Catalog; isUsed: boolean }> {
  const isUsed = world.databases.isUsed(ref);
  const known = newCatalogs.get(world.databases);
  if (known !== undefined) return { catalog: known, isUsed };
  const fresh = isUsed ? `${ref}-new` : ref;
  const catalog = await world.databases.use(fresh, readCatalog);
  if (isUsed) world.databases.drop(fresh);
  newCatalogs.set(world.databases, catalog);
  return { catalog, isUsed };
}

/** Lets the run's step `migrate` apply what a project's database lacks, and die of what Postgres refuses. */
export async function applyMigrations(
  world: World,
  run: ActionRunRecord,
  target: ProjectRecord,
  migrations: readonly MigrationHistoryRow[],
  catalog?: Catalog,
): Promise<void> {
  if (!willPass(world, run, "migrate") || (migrations.length === 0 && catalog === undefined)) return;
  try {
    await migrateDatabase(
      (step) => inDatabaseSession(world, target.ref, step),
      { migrations, catalog },
      (text) => run.notes.push({ step: "migrate", text }),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    run.failure = { step: "migrate", log: error.message };
  }
}
