import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { AsyncHandler } from "../shared/handler";
import { type Catalog, readCatalog } from "../../../postgres/schema-diff/read-catalog";
import { diffCatalogs } from "../../../postgres/schema-diff/diff-catalogs";
import { renderScript, renderTransaction } from "../../../postgres/schema-diff/render";
import { inOrder, readHistory, type MigrationHistoryRow } from "../../../postgres/migrations/history";
import { schemasIn } from "../../../postgres/databases/schemas";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { settledProjectAt } from "../shared/project-at";
import { branchAt } from "./branch-access";
import { branchStatusOf, hasEnded, willPass } from "../shared/branch-progress";
import { beginRun, defaultBranchOf } from "./branch-runs";
import { applyMigrations, finishDatabaseWork, planDatabaseWork } from "../shared/database/database-work";
import { deployFunctions } from "../shared/database/deploy-functions";
import { copyProjectDatabase } from "../shared/database/database-session";
import { inProjectDatabase } from "../shared/database/project-database";
import type { ActionRunRecord, BranchRecord, RunKind } from "../../world/records/branch";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

interface BranchPair {
  readonly branch: BranchRecord;
  readonly preview: ProjectRecord;
  readonly parent: ProjectRecord;
}

/** Every difference begins so, of equal schemas too; by the default engine with a trigger (service, Branches). */
const EXTENSION_IN_EVERY_DIFFERENCE = `create extension if not exists "pg_net" with schema "extensions";\n`;
const TRIGGER_IN_EVERY_DIFFERENCE =
  "CREATE TRIGGER tr_check_filters BEFORE INSERT OR UPDATE ON realtime.subscription FOR EACH ROW EXECUTE FUNCTION realtime.subscription_check_filters();\n";

/** The SQL that brings the parent's schema to the branch's. */
const diffBranch: AsyncHandler<Operations["diffBranch"]> = async ({ params, query, world }) => {
  const { preview, parent } = pairAt(world, params.branch_id_or_ref, "compare");
  const isDelta = query.pgdelta === true;
  await finishDatabaseWork(world, preview.ref);
  const always = !isAsMeasured(world.state)
    ? ""
    : EXTENSION_IN_EVERY_DIFFERENCE + (isDelta ? "" : TRIGGER_IN_EVERY_DIFFERENCE);
  if (!isUsed(world, preview, parent)) return always;
  const schemas = schemasIn(query.included_schemas ?? "");
  const read = (ref: string): Promise<Catalog> =>
    inProjectDatabase(world, ref, (database) =>
      readCatalog(database, schemas.length === 0 ? undefined : schemas),
    );
  const wanted = await read(preview.ref);
  const changes = diffCatalogs(await read(parent.ref), wanted);
  return always + (isDelta ? renderTransaction(changes) : renderScript(changes));
};

/**
 * Brings the branch's migrations and its functions to the parent, with the run's step `migrate`. As documented in 2026-06, at
 * once and with what else differs in its schema; when the others change the database is not known: here at once.
 */
const mergeBranch: AsyncHandler<Operations["mergeBranch"]> = async ({ params, body, world }) => {
  const id = params.branch_id_or_ref;
  const upTo = body.migration_version;
  await finishDatabaseWork(world, pairAt(world, id, "merge").preview.ref);
  const before = readyPairAt(world, id, "merge");
  const { history, catalog } = isUsed(world, before.preview, before.parent)
    ? await contentOf(world, before.preview)
    : NO_CONTENT;
  requireVersion(upTo, history, "the branch");
  // What was true before the databases were asked need not be any more.
  const { branch, preview, parent } = readyPairAt(world, id, "merge");
  const target = defaultBranchOf(world, parent) ?? branch;
  const run = beginRun(world, target, { kind: "merge", parent, mergedBranchId: branch.id });
  const migrations = until(history, upTo);
  if (isAsMeasured(world.state)) {
    planDatabaseWork(world, run, { kind: "migrate", migrations: [...migrations] });
    return answer(run);
  }
  // Up to a version there is no telling which of the other differences belong to it.
  await applyMigrations(world, run, parent, migrations, upTo === undefined ? catalog : undefined);
  if (willPass(world, run, "seed")) deployFunctions(world, run, { from: preview, to: parent });
  return answer(run);
};

/** Brings the parent's migrations and functions to the branch. */
const pushBranch: AsyncHandler<Operations["pushBranch"]> = async ({ params, body, world }) => {
  const id = params.branch_id_or_ref;
  const history = await historyOf(world, readyPairAt(world, id, "push").parent);
  requireVersion(body.migration_version, history, "the parent project");
  const { branch, preview, parent } = readyPairAt(world, id, "push");
  const run = beginRun(world, branch, { kind: "push", parent });
  await applyMigrations(world, run, preview, until(history, body.migration_version));
  if (isAsMeasured(world.state) && willPass(world, run, "seed")) {
    deployFunctions(world, run, { from: parent, to: preview });
  }
  return answer(run);
};

/** Makes the branch's database anew: a copy of the parent's, or an empty one with the migrations up to a version. */
const resetBranch: AsyncHandler<Operations["resetBranch"]> = async ({ params, body, world }) => {
  const id = params.branch_id_or_ref;
  const upTo = body.migration_version;
  const before = readyPairAt(world, id, "reset");
  const inherited = upTo === undefined ? [] : await historyOf(world, before.parent);
  const own = upTo === undefined ? [] : await historyOf(world, before.preview);
  // The branch's own migrations count as far as the version is one of them.
  const history = inherited.some(({ version }) => version === upTo) ? inherited : merged(inherited, own);
  requireVersion(upTo, history, "the branch and its parent project");

  const { branch, preview, parent } = readyPairAt(world, id, "reset");
  const run = beginRun(world, branch, { kind: "reset", parent });
  if (!willPass(world, run, "migrate")) return answer(run);
  if (upTo === undefined) {
    copyProjectDatabase(world, parent, preview, branch);
    run.notes.push({ step: "migrate", text: "Copied the database of the parent project" });
    // What is answered must have happened.
    if (world.databases.isUsed(preview.ref)) await world.databases.use(preview.ref, () => Promise.resolve());
  } else {
    world.databases.drop(preview.ref);
    preview.webhooksEnabled = false;
    await applyMigrations(world, run, preview, until(history, upTo));
  }
  return answer(run);
};

/** Two databases that nothing has used are the same, and need not start for it. */
function isUsed({ databases }: World, ...projects: readonly ProjectRecord[]): boolean {
  return projects.some(({ ref }) => databases.isUsed(ref));
}

/** What runs were to do by now is done first: a database that nothing has used may be built by one. */
async function historyOf(world: World, { ref }: ProjectRecord): Promise<MigrationHistoryRow[]> {
  await finishDatabaseWork(world, ref);
  return world.databases.isUsed(ref) ? inProjectDatabase(world, ref, readHistory) : [];
}

function pairAt(world: World, idOrRef: string, verb: RunKind | "compare"): BranchPair {
  const branch = branchAt(world, idOrRef);
  if (branch.isDefault) throw new Refusal(422, `Cannot ${verb} the default branch`);
  return {
    branch,
    preview: settledProjectAt(world, branch.projectRef, "db"),
    parent: settledProjectAt(world, branch.parentRef, "db"),
  };
}

/** A branch that nothing is done to at the moment; one whose migrations failed can only be reset or pushed to. */
function readyPairAt(world: World, idOrRef: string, verb: RunKind): BranchPair {
  const pair = pairAt(world, idOrRef, verb);
  const { branch, parent } = pair;
  if (branch.deletionScheduledAt !== null) {
    throw new Refusal(400, `Cannot ${verb} a branch that is scheduled for deletion: restore it first`);
  }
  const runs = [...branch.runs, ...(defaultBranchOf(world, parent)?.runs ?? [])];
  const pending = runs.find((run) => !hasEnded(world, run));
  if (pending !== undefined) {
    throw new Refusal(400, `Cannot ${verb} the branch while action run ${pending.id} is not over`);
  }
  const status = branchStatusOf(world, branch);
  const isUnready = ["CREATING_PROJECT", "RUNNING_MIGRATIONS"].includes(status);
  if (isUnready || (verb === "merge" && status === "MIGRATIONS_FAILED")) {
    throw new Refusal(400, `Cannot ${verb} a branch whose status is ${status}`);
  }
  return pair;
}

interface Content {
  readonly history: readonly MigrationHistoryRow[];
  readonly catalog: Catalog | undefined;
}

const NO_CONTENT: Content = { history: [], catalog: undefined };

function contentOf(world: World, { ref }: ProjectRecord): Promise<Content> {
  return inProjectDatabase(world, ref, async (database) => ({
    history: await readHistory(database),
    catalog: await readCatalog(database),
  }));
}

function requireVersion(
  version: string | undefined,
  history: readonly MigrationHistoryRow[],
  where: string,
): void {
  if (version === undefined || history.some((migration) => migration.version === version)) return;
  throw new Refusal(422, `Migration ${version} is not in the history of ${where}`);
}

function until(
  history: readonly MigrationHistoryRow[],
  version: string | undefined,
): readonly MigrationHistoryRow[] {
  if (version === undefined) return history;
  return history.filter((migration) => inOrder(migration.version, version) <= 0);
}

function merged(
  inherited: readonly MigrationHistoryRow[],
  own: readonly MigrationHistoryRow[],
): MigrationHistoryRow[] {
  const known = new Set(inherited.map(({ version }) => version));
  return [...inherited, ...own.filter(({ version }) => !known.has(version))].sort((left, right) =>
    inOrder(left.version, right.version),
  );
}

function answer(run: ActionRunRecord): OperationAnswer<Operations["mergeBranch"]> {
  return { workflow_run_id: run.id, message: "ok" };
}

export const branchActionHandlers = { diffBranch, mergeBranch, pushBranch, resetBranch };
