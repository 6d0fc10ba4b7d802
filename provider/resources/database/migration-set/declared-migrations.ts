import { join, resolve } from "node:path";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { readEntries, readFileWithin, resolveRealFolder, UnreadableFile } from "../../../core/regular-files";
import type { CheckFailure, CheckResult } from "../../../define/resource";
import { unansweredProblems } from "../shared/database-records";
import {
  migrationEntry,
  listStrangersToKeep,
  toEntry,
  type MigrationEntry,
} from "../shared/migration-entries";
import {
  compareFiles,
  DEFAULT_VIA,
  createMigration,
  type Migration,
  type MigrationVia,
} from "../shared/migration-history";
import { migrationProblems } from "../shared/migration-problems";
import { formatFault, isDeclared, checkRollback, type DeclaredMigrations } from "../shared/migration-rules";
import { readSqlFile } from "../shared/sql-file";

export const problems = {
  ...migrationProblems,
  ...unansweredProblems,
  unreadable: defineProblem({
    says: "{path} cannot be read: {why}",
    means: "The folder or one of its files does not exist or is not UTF-8 text.",
    remedy: "Correct the path, which is relative to the program's folder",
  }),
  misnamed: defineProblem({
    says: "{file} does not have the name of a migration: {remedy}",
    means:
      "The name of an SQL file in the folder does not begin with a version. The platform's tool passes over such a file, so nobody would notice a migration that is never applied.",
    remedy:
      "Rename it to `<version>_<name>.sql`, with a version of digits. If it is no migration, list it in `exclude`",
  }),
  noSuchExcluded: defineProblem({
    says: "the folder has no file {file}: {remedy}",
    means: "`exclude` has a name that no SQL file of the folder has.",
    remedy: "Correct the name, or remove it from `exclude`",
  }),
  sameVersion: defineProblem({
    says: "{files} have the same version: {remedy}",
    means: "Several files have the same version.",
    remedy: "Give each file that was not applied yet a version of its own",
  }),
  emptied: defineProblem({
    says: "{directory} no longer has any migration: {remedy}",
    means: "A folder that had migrations has none. A build may have failed, or the path may be wrong.",
    remedy:
      "Correct the path or restore the files. Applied migrations stay. To stop managing them, remove the resource",
  }),
  downAlone: defineProblem({
    says: "{file} has no migration to roll back: {remedy}",
    means: "A rollback has no migration.",
    remedy: "Add the migration of the same version and name, or delete the rollback",
  }),
  twoRollbacks: defineProblem({
    says: "{file} has two rollbacks, {first} and {second}: {remedy}",
    means: "A migration has a `.down.sql` beside it and a file in `rollbacks`.",
    remedy: "Delete one of the two",
  }),
  appliedByTool: defineProblem({
    says: "the platform's own tool would apply {files} as a migration. {remedy}.",
    means:
      "Warning. A `.down.sql` file is a rollback for this provider, but a migration of the same version for the platform's own tool.",
    remedy:
      "Move each rollback to `rollbacks/<version>_<name>.sql` in the folder of the migrations, which the tool ignores. The move applies nothing again",
  }),
  noSuchVersion: defineProblem({
    says: "no file has the version {version}: {remedy}",
    means: "`rollbackTo` is a version that the folder does not have.",
    remedy: "Set the version of a file, or `0` to roll back all",
  }),
  noSuchAccepted: defineProblem({
    says: "no file has the version {version}: {remedy}",
    means: "`accept` has a version that the folder does not have.",
    remedy: "Set versions of files, or remove it",
  }),
  notYetPossible: defineProblem({
    says: "{reasons}. If the history does not have these files, {remedy}.",
    means:
      "Warning. Files cannot be run as they are. That does not matter for files that were applied already.",
    remedy: "the update refuses them before it applies anything",
  }),
  noSuchBaseline: defineProblem({
    says: "no file has the version {version}: {remedy}",
    means: "`baseline` is a version that the folder does not have.",
    remedy: "Set the version of a file, `all` or `none`",
  }),
  changedMeanwhile: defineProblem({
    says: "{directory} changed after the preview, so nothing was applied. {remedy}.",
    means: "The files differ from those that the preview showed.",
    remedy: "Run again",
  }),
};

/** The inputs that say which migrations are wanted. */
interface FolderInputs {
  readonly projectRef: string;
  readonly directory: string;
  readonly via?: MigrationVia | undefined;
  readonly rollbackTo?: string | undefined;
  readonly baseline?: string | undefined;
  readonly accept?: readonly string[] | undefined;
  readonly outOfOrder?: boolean | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly migrations?: readonly MigrationEntry[] | undefined;
}

/** What the folder holds now. */
export function readDeclared({
  projectRef: ref,
  directory,
  rollbackTo: until,
  accept = [],
  outOfOrder = false,
  exclude = [],
}: FolderInputs): DeclaredMigrations {
  return { ref, all: readFolder(directory, exclude), until, isWhole: true, accept, outOfOrder };
}

/** The same, where it is what the preview showed. */
export function readDeclaredAsShown(inputs: FolderInputs): DeclaredMigrations {
  const { directory, migrations } = inputs;
  const wanted = readDeclared(inputs);
  const shown = migrations?.filter(({ sha256 }) => sha256 !== undefined).map(orderFields);
  if (JSON.stringify(listDeclaredEntries(wanted)) !== JSON.stringify(shown))
    throw new InvalidInputError("directory", problems.changedMeanwhile.message({ directory }));
  return wanted;
}

function listDeclaredEntries(wanted: DeclaredMigrations): MigrationEntry[] {
  return wanted.all.filter((one) => isDeclared(wanted, one)).map(toEntry);
}

/** The engine may hand the keys of an object in another order. */
function orderFields({ version, name, sha256 }: MigrationEntry): MigrationEntry {
  return { version, name, sha256 };
}

/** Inputs without which it is not known what the folder comes to. */
const DECIDING = ["rollbackTo", "via", "exclude"] as const;

/** Reads the folder where it is known; the list of what is to be applied is what a preview shows. */
export function checkFolder(
  given: Partial<FolderInputs>,
  isUnknown: (name: keyof FolderInputs) => boolean,
  before?: Readonly<Record<string, unknown>>,
): CheckResult<{ migrations?: MigrationEntry[] | undefined }> {
  const { directory, projectRef = "" } = given;
  if (directory === undefined || DECIDING.some(isUnknown)) return {};
  try {
    const wanted = readDeclared({ ...given, projectRef, directory });
    const had = migrationEntry.array().catch([]).parse(before?.["migrations"]);
    if (wanted.all.length === 0 && had.some(({ sha256 }) => sha256 !== undefined))
      return { failures: [{ path: "directory", reason: problems.emptied.message({ directory }) }] };
    const faults = wanted.all.flatMap(({ label, query }) => formatFault(label, query) ?? []);
    // A database that is to be made has no history; what another has is asked for by the update, and what a state knows, by the diff.
    const isNew = before === undefined && isUnknown("projectRef");
    const failures = findFailures(wanted.all, given, isNew ? faults : []);
    if (failures.length > 0) return { failures };
    const kept = listStrangersToKeep(had, wanted.all);
    return {
      computed: { migrations: [...listDeclaredEntries(wanted), ...kept] },
      warnings: [
        ...findWarnings(wanted.all, had),
        ...(before === undefined && faults.length > 0
          ? [problems.notYetPossible.message({ reasons: faults.join("; ") })]
          : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof FolderFault)) throw error;
    return { failures: error.reasons.map((reason) => ({ path: error.path, reason })) };
  }
}

function findFailures(
  all: readonly Migration[],
  { via = DEFAULT_VIA, rollbackTo = "0", baseline = "none", accept = [] }: Partial<FolderInputs>,
  faults: readonly string[],
): CheckFailure[] {
  const isThere = (version: string): boolean => all.some((one) => one.version === version);
  return [
    ...(rollbackTo === "0" || isThere(rollbackTo)
      ? []
      : [{ path: "rollbackTo", reason: problems.noSuchVersion.message({ version: rollbackTo }) }]),
    ...(/^(?:all|none)$/.test(baseline) || isThere(baseline)
      ? []
      : [{ path: "baseline", reason: problems.noSuchBaseline.message({ version: baseline }) }]),
    ...accept.flatMap((version, index) =>
      isThere(version)
        ? []
        : [{ path: `accept[${index}]`, reason: problems.noSuchAccepted.message({ version }) }],
    ),
    ...[...faults, ...all.flatMap((one) => checkRollback(one, via))].map((reason) => ({
      path: "directory",
      reason,
    })),
  ];
}

function findWarnings(all: readonly Migration[], had: readonly MigrationEntry[]): string[] {
  const parts = all.flatMap(({ version, label: file, query }) => {
    const { length } = readSqlFile(query).transactions;
    const isOld = had.some((one) => one.sha256 !== undefined && one.version === version);
    return length > 1 && !isOld
      ? [problems.severalTransactions.message({ file, count: String(length) })]
      : [];
  });
  return [...findRollbackWarnings(all), ...parts];
}

/** The tool knows no rollbacks: it would apply them, each before its migration and by the same version. */
function findRollbackWarnings(all: readonly Migration[]): string[] {
  const files = all.flatMap(({ rollbackLabel = "" }) =>
    rollbackLabel.endsWith(".down.sql") ? rollbackLabel : [],
  );
  return files.length === 0 ? [] : [problems.appliedByTool.message({ files: files.join(", ") })];
}

const FILE = /^(\d+)_(.+?)(\.down)?\.sql$/s;

/** Where rollbacks are: the platform's own tool reads no folder within a folder of migrations. */
const ROLLBACKS = "rollbacks";

/**
 * The migrations of a folder, in the order of the files' names; throws for what is no set of them, links out of it included. Other files do
 * not count.
 */
function readFolder(directory: string, exclude: readonly string[]): Migration[] {
  const folder = resolve(directory);
  const { files: present, hasRollbacks } = listSqlFiles(folder, directory);
  const missing = exclude.filter((file) => !present.includes(file));
  if (missing.length > 0)
    throw new FolderFault(
      missing.map((file) => problems.noSuchExcluded.message({ file })),
      "exclude",
    );
  const files = present.filter((file) => !exclude.includes(file));
  const rollbacks = hasRollbacks
    ? listSqlFiles(join(folder, ROLLBACKS), join(directory, ROLLBACKS)).files.map(
        (name) => `${ROLLBACKS}/${name}`,
      )
    : [];
  const migrations: Migration[] = [];
  const alone = new Set(rollbacks);
  const faults: string[] = [];
  for (const label of files) {
    const [, version, name, isDown] = FILE.exec(label) ?? [];
    if (version === undefined || name === undefined) faults.push(problems.misnamed.message({ file: label }));
    else if (isDown !== undefined) alone.add(label);
  }
  for (const label of files) {
    const [, version, name, isDown] = FILE.exec(label) ?? [];
    if (version === undefined || name === undefined || isDown !== undefined) continue;
    const [rollbackLabel, second] = [label.replace(/\.sql$/, ".down.sql"), `${ROLLBACKS}/${label}`].filter(
      (one) => alone.delete(one),
    );
    if (rollbackLabel !== undefined && second !== undefined)
      faults.push(problems.twoRollbacks.message({ file: label, first: rollbackLabel, second }));
    const query = readText(folder, label);
    const rollback = rollbackLabel === undefined ? undefined : readText(folder, rollbackLabel);
    migrations.push(createMigration({ version, name, label, query, rollback, rollbackLabel }));
  }
  for (const file of alone) faults.push(problems.downAlone.message({ file }));
  for (const [, same] of Map.groupBy(migrations, ({ version }) => version)) {
    if (same.length > 1)
      faults.push(problems.sameVersion.message({ files: same.map(({ label }) => label).join(", ") }));
  }
  if (faults.length > 0) throw new FolderFault(faults);
  return migrations.sort(compareFiles);
}

function listSqlFiles(folder: string, directory: string): { files: string[]; hasRollbacks: boolean } {
  try {
    const names = readEntries(folder).map(({ name }) => name);
    return {
      files: names.filter((name) => name.endsWith(".sql")).sort(),
      hasRollbacks: names.includes(ROLLBACKS),
    };
  } catch (error) {
    throw createFolderFault(problems.unreadable.message({ path: directory, why: formatReason(error) }));
  }
}

/** The SQL files of a folder that have no name of a migration. */
export function listMisnamedFiles(directory: string): string[] {
  return listSqlFiles(resolve(directory), directory).files.filter((name) => !FILE.test(name));
}

/** Its text, with line ends that do not depend on the machine that checked it out. */
function readText(folder: string, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true })
      .decode(readFileWithin(join(folder, name), [resolveRealFolder(folder)]))
      .replaceAll("\r\n", "\n");
  } catch (error) {
    throw createFolderFault(problems.unreadable.message({ path: name, why: formatReason(error) }));
  }
}

function formatReason(error: unknown): string {
  return error instanceof UnreadableFile ? `it ${error.why}` : String(error);
}

function createFolderFault(message: string): FolderFault {
  return new FolderFault([message]);
}

/** Why a folder is no set of migrations. */
class FolderFault extends InvalidInputError {
  constructor(
    readonly reasons: readonly string[],
    path: "directory" | "exclude" = "directory",
  ) {
    super(path, reasons.join("\n"));
  }
}
