import { InvalidInputError } from "../../../client/errors/errors";
import { entryOf, type MigrationEntry } from "../shared/migration-entries";
import { DEFAULT_VIA, type Migration, type MigrationVia } from "../shared/migration-history";
import { isWanted, type WantedMigrations } from "../shared/migration-rules";
import { scriptFailures } from "../shared/migration-check";
import type { CheckFailure, CheckResult } from "../../../define/resource";
import { readFolder } from "./folder";
import { problems } from "./problems";

/** The inputs that say which migrations are wanted. */
interface FolderInputs {
  readonly projectRef: string;
  readonly directory: string;
  readonly via?: MigrationVia | undefined;
  readonly rollbackTo?: string | undefined;
  readonly baseline?: string | undefined;
  readonly migrations?: readonly MigrationEntry[] | undefined;
}

/** What the folder holds now. */
export function wantedOf({ projectRef: ref, directory, rollbackTo: until }: FolderInputs): WantedMigrations {
  return { ref, all: readFolder(directory), until, isWhole: true };
}

/** The same, where it is what the preview showed. */
export function wantedAsShown(inputs: FolderInputs): WantedMigrations {
  const { directory, migrations } = inputs;
  const wanted = wantedOf(inputs);
  if (JSON.stringify(entriesIn(wanted)) !== JSON.stringify(migrations?.map(inOrder)))
    throw new InvalidInputError("directory", problems.changedMeanwhile.message({ directory }));
  return wanted;
}

function entriesIn(wanted: WantedMigrations): MigrationEntry[] {
  return wanted.all.filter((one) => isWanted(wanted, one)).map(entryOf);
}

/** The engine may hand the keys of an object in another order. */
function inOrder({ version, name, sha256 }: MigrationEntry): MigrationEntry {
  return { version, name, sha256 };
}

/** Reads the folder where it is known; the list of what is to be applied is what a preview shows. */
export function checkFolder(
  given: Partial<FolderInputs>,
  isUnknown: (name: keyof FolderInputs) => boolean,
  before: Readonly<Record<string, unknown>> = {},
): CheckResult<{ migrations?: MigrationEntry[] | undefined }> {
  const { directory, rollbackTo, projectRef = "" } = given;
  if (directory === undefined || isUnknown("rollbackTo") || isUnknown("via")) return {};
  try {
    const wanted = wantedOf({ projectRef, directory, rollbackTo });
    const had = before["migrations"];
    if (wanted.all.length === 0 && Array.isArray(had) && had.length > 0)
      return { failures: [{ path: "directory", reason: problems.emptied.message({ directory }) }] };
    const failures = failuresOf(wanted.all, given);
    if (failures.length > 0) return { failures };
    return { computed: { migrations: entriesIn(wanted) }, warnings: warningsOf(wanted.all) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { failures: [{ path: error.path, reason: error.message }] };
  }
}

function failuresOf(
  all: readonly Migration[],
  { via = DEFAULT_VIA, rollbackTo = "0", baseline = "none" }: Partial<FolderInputs>,
): CheckFailure[] {
  const isThere = (version: string): boolean => all.some((one) => one.version === version);
  return [
    ...(rollbackTo === "0" || isThere(rollbackTo)
      ? []
      : [{ path: "rollbackTo", reason: problems.noSuchVersion.message({ version: rollbackTo }) }]),
    ...(/^(?:all|none)$/.test(baseline) || isThere(baseline)
      ? []
      : [{ path: "baseline", reason: problems.noSuchBaseline.message({ version: baseline }) }]),
    ...all.flatMap((one) => scriptFailures(one, via)).map((reason) => ({ path: "directory", reason })),
  ];
}

/** The tool knows no rollbacks: it would apply them, each before its migration and by the same version. */
function warningsOf(all: readonly Migration[]): string[] {
  const files = all.flatMap(({ rollbackLabel = "" }) =>
    rollbackLabel.endsWith(".down.sql") ? rollbackLabel : [],
  );
  return files.length === 0 ? [] : [problems.appliedByTool.message({ files: files.join(", ") })];
}
