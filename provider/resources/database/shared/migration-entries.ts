import { z } from "zod";
import {
  compareFiles,
  countsAs,
  hasSameContent,
  isSame,
  formatMigration,
  type Migration,
  type MigrationHistory,
  type Recorded,
} from "./migration-history";

/** What a program's state has of a migration. */
export const migrationEntry = z
  .object({
    version: z.string().describe("Version of digits. Leading zeros count."),
    name: z.string().describe("Name, if one was recorded.").optional(),
    sha256: z
      .string()
      .describe("SHA-256 of the SQL with `\\n` line endings. Absent for migrations that only others have.")
      .optional(),
  })
  .meta({ id: "MigrationEntry", description: "A migration of a database." });

export type MigrationEntry = z.infer<typeof migrationEntry>;

export function toEntry({ version, name, sha256 }: Migration): MigrationEntry {
  return { version, name, sha256 };
}

/** What a state knows of the program's migrations. */
export interface Known {
  readonly migrations: readonly MigrationEntry[];
  /** Versions of those that others applied: their text and name are not ours to judge. */
  readonly ofOthers: readonly string[];
}

export const NOTHING_KNOWN: Known = { migrations: [], ofOthers: [] };

/** What a history says. */
export interface Seen extends Known {
  /** The program's own that others applied with another text or name, told of each. */
  readonly differing: readonly string[];
}

interface One {
  readonly entry: MigrationEntry;
  readonly isOfOthers: boolean;
  readonly differs?: string | undefined;
}

/** The entries of a history, those that the state knows first. */
export function findEntries(recorded: readonly Recorded[], known: Known): Known {
  const ours = known.migrations.filter((entry) => entry.sha256 !== undefined);
  const found = ours.flatMap((entry): One[] => {
    const rows = recorded.filter((row) => countsAs(row, entry, ours));
    const own = rows.find((row) => row.sha256 !== undefined);
    const [row] = rows;
    if (row === undefined) return [];
    const isOfOthers = own === undefined && known.ofOthers.includes(entry.version);
    // What others applied is shown as the program has it: its name is no drift.
    const name = isOfOthers ? entry.name : declaredName(own ?? row, entry);
    return [{ entry: { ...withName(entry.version, name), sha256: own?.sha256 ?? entry.sha256 }, isOfOthers }];
  });
  return seenOf(found, strangersIn(recorded, ours));
}

/**
 * What a history says of the program's migrations, and which others it has: with the hash of what was applied, or, where
 * others did, as the program has them.
 */
export async function lookedUp(
  history: MigrationHistory,
  recorded: readonly Recorded[],
  all: readonly Migration[],
  known: Known,
): Promise<Seen> {
  const found: One[] = [];
  const taken = new Set<Recorded>();
  for (const migration of all) {
    const entry = known.migrations.find((one) => one.sha256 !== undefined && isSame(one, migration));
    const rows = await findRows(history, recorded, { migration, entry, all });
    const [row] = rows;
    if (row === undefined) continue;
    for (const one of rows) taken.add(one.listed);
    found.push(
      judged(
        migration,
        entry,
        known,
        rows.map(({ row: detailed }) => detailed),
      ),
    );
  }
  const strangers = recorded.filter((row) => !taken.has(row)).map((row) => withName(row.version, row.name));
  const differing = found.flatMap(({ differs }) => differs ?? []);
  return { ...seenOf(found, strangers), differing };
}

interface LookedFor {
  readonly migration: Migration;
  readonly entry: MigrationEntry | undefined;
  readonly all: readonly Migration[];
}

/** The rows that are a migration's, with what the list leaves out where the state does not know it. */
async function findRows(
  history: MigrationHistory,
  recorded: readonly Recorded[],
  { migration, entry, all }: LookedFor,
): Promise<{ listed: Recorded; row: Recorded }[]> {
  const rows: { listed: Recorded; row: Recorded }[] = [];
  for (const listed of recorded) {
    const isKnown = entry !== undefined && countsAs(listed, entry, all);
    // The endpoint may have written it under a name that the file had then.
    const isNear = isSame(listed, migration) || listed.name?.startsWith(`${migration.version}_`) === true;
    const row =
      history.tellsLittle && isNear && entry === undefined ? await history.detailsOf(listed) : listed;
    if (isKnown || countsAs(row, migration, all)) rows.push({ listed, row });
  }
  return rows;
}

function judged(
  migration: Migration,
  entry: MigrationEntry | undefined,
  known: Known,
  rows: readonly Recorded[],
): One {
  const own = rows.find((row) => row.sha256 !== undefined);
  if (own !== undefined)
    return {
      entry: { ...withName(migration.version, declaredName(own, migration)), sha256: own.sha256 },
      isOfOthers: false,
    };
  const isOurs = entry !== undefined && !known.ofOthers.includes(entry.version);
  if (isOurs) return { entry, isOfOthers: false };
  return { entry: toEntry(migration), isOfOthers: true, differs: differenceOf(migration, rows) };
}

function differenceOf(migration: Migration, rows: readonly Recorded[]): string | undefined {
  const { label, name } = migration;
  if (rows.some((row) => hasSameContent(row, migration) === false)) return `${label} (different text)`;
  const other = rows.find(
    (row) => row.name !== undefined && ![name, formatMigration(migration)].includes(row.name),
  );
  return other === undefined ? undefined : `${label} (as \`${other.name ?? ""}\`)`;
}

/** Of a row that the endpoint wrote, the program's version stands in front of the name. */
function declaredName(
  { version, name, forVersion }: Recorded,
  one: Partial<MigrationEntry>,
): string | undefined {
  if (version === one.version && forVersion === undefined) return name;
  const prefix = `${one.version ?? ""}_`;
  return name?.startsWith(prefix) === true ? name.slice(prefix.length) : name;
}

function withName(version: string, name: string | undefined): MigrationEntry {
  return { version, ...(name === undefined ? {} : { name }) };
}

function strangersIn(recorded: readonly Recorded[], all: readonly MigrationEntry[]): MigrationEntry[] {
  return recorded
    .filter((row) => !all.some((one) => countsAs(row, one, all)))
    .map(({ version, name }) => withName(version, name));
}

function seenOf(found: readonly One[], strangers: readonly MigrationEntry[]): Known {
  const ours = found.map(({ entry }) => entry).toSorted(compareFiles);
  return {
    migrations: [...ours, ...strangers.toSorted(compareFiles)],
    ofOthers: found.flatMap(({ entry, isOfOthers }) => (isOfOthers ? [entry.version] : [])),
  };
}
