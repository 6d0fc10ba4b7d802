import { z } from "zod";
import {
  compareFiles,
  formatMigration,
  showsSameContent,
  type Migration,
  type MigrationHistory,
  type MigrationName,
  type HistoryRow,
} from "./migration-history";
import {
  hashRow,
  isNamesake,
  isRowOf,
  pairNamesakes,
  type ContentLookup,
  type Namesakes,
} from "./migration-identity";

/** What a program's state has of a migration. */
export const migrationEntry = z
  .object({
    version: z.string().describe("Version of digits. Leading zeros count."),
    name: z.string().describe("Name, if one was recorded.").optional(),
    sha256: z
      .string()
      .describe(
        "SHA-256 of the SQL without blanks, comments, empty statements and the case of words. Absent for migrations that only others have.",
      )
      .optional(),
  })
  .meta({ id: "MigrationEntry", description: "A migration of a database." });

export type MigrationEntry = z.infer<typeof migrationEntry>;

export function toEntry({ version, name, sha256 }: Migration): MigrationEntry {
  return { version, name, sha256 };
}

/** What the state remembers of rows, beside the entries. */
export const rowsBookkeeping = z.object({
  /** Versions of the program's migrations that others applied. */
  __ofOthers: z.array(z.string()).optional(),
  /** The version of the row, of a migration that counts by a row of another version. */
  __under: z.record(z.string(), z.string()).optional(),
  /** The rows of others, with the hash of their SQL where it was read: the same as in `ContentLookup`. */
  __others: z
    .array(z.object({ version: z.string(), name: z.string().optional(), sha256: z.string().optional() }))
    .optional(),
});

/** What a state knows of the program's migrations. */
export interface KnownMigrations {
  readonly migrations: readonly MigrationEntry[];
  /** Versions of those that others applied: their text and name are not ours to judge. */
  readonly ofOthers: readonly string[];
  /** The row's version, by that of the migration, where it counts by a row of another version. */
  readonly under: Readonly<Record<string, string>>;
  /** All rows that are no migration of the program. */
  readonly others: readonly MigrationEntry[];
}

export const NOTHING_KNOWN: KnownMigrations = { migrations: [], ofOthers: [], under: {}, others: [] };

/** What a state knows. */
export function readKnown(state: object): KnownMigrations {
  const remembered = rowsBookkeeping.extend({ migrations: migrationEntry.array().optional() });
  const { migrations = [], __ofOthers = [], __under = {}, __others = [] } = remembered.catch({}).parse(state);
  return { migrations, ofOthers: __ofOthers, under: __under, others: __others };
}

/** What a state is to remember beside the entries. */
export function toRowsBookkeeping({
  ofOthers,
  under,
  others,
}: KnownMigrations): z.output<typeof rowsBookkeeping> {
  return { __ofOthers: [...ofOthers], __under: { ...under }, __others: [...others] };
}

/** The service writes it with the first branch of a project without a history: it is nobody's migration (service, Branches). */
const OF_SERVICE = "remote_schema";

/** The rows that somebody has applied. */
export function omitServiceRows(recorded: readonly HistoryRow[]): readonly HistoryRow[] {
  return recorded.filter(({ name }) => name !== OF_SERVICE);
}

/** What a history says of the program's migrations. */
export interface HistoryFindings extends KnownMigrations, Namesakes<Migration> {
  /** The program's own that others applied with another text or name, told of each. */
  readonly differing: readonly string[];
  /** The files that were applied under another version, each with the row, which keeps that. */
  readonly renamed: Namesakes<Migration>["counted"];
  /** The rows of each migration that counts as applied, by its version. */
  readonly rows: ReadonlyMap<string, readonly HistoryRow[]>;
}

/** Which migrations are looked for, and which of them the program takes as they are. */
export interface WantedMigrations {
  readonly all: readonly Migration[];
  readonly accept: readonly string[];
  /** Whether others of the program may be among the rows, as for a single `Migration`. */
  readonly isWhole: boolean;
}

/**
 * What a history says of the program's migrations, and which others it has: with the hash of what was applied, or, where
 * others did, as the program has them. `isCompared`: the text of what others applied is read as well.
 */
export async function lookUpHistory(
  history: MigrationHistory,
  recorded: readonly HistoryRow[],
  wanted: WantedMigrations,
  known: KnownMigrations,
  isCompared = false,
): Promise<HistoryFindings> {
  const { all } = wanted;
  const detailed = await addDetails(history, recorded, all, known);
  const texts = new Map<string, string | undefined>();
  const contentOf: ContentLookup = ({ version, sha256 }) => {
    if (sha256 !== undefined) return sha256;
    const remembered = known.others.find((one) => one.version === version)?.sha256;
    return texts.has(version) ? hashRow(texts.get(version)) : remembered;
  };
  const isTold = (row: HistoryRow): boolean => contentOf(row) !== undefined;
  const { rows, strangers } = sortRows(detailed, all, known);
  const pending = all.filter(({ version }) => !rows.has(version));
  const unread = strangers.filter((row) => !isTold(row) && pending.some((one) => isNamesake(row, one)));
  const compared = isCompared
    ? all.flatMap((one) =>
        (rows.get(one.version) ?? []).filter((row) => !isTold(row) && !showsSameContent(row, one)),
      )
    : [];
  for (const [version, text] of await history.textsOf([...unread, ...compared])) texts.set(version, text);
  return judgeHistory(detailed, wanted, known, contentOf);
}

/** The same by what a state knows alone: a run without a call. */
export function lookUpInState(wanted: WantedMigrations, known: KnownMigrations): HistoryFindings {
  const former = [...findFormerEntries(wanted.all, known).values()];
  const ours = known.migrations.filter((entry) => isOurs(entry, wanted) || former.includes(entry));
  const rows = ours.map(({ version, name, sha256 }): HistoryRow => {
    const isOfOthers = known.ofOthers.includes(version);
    return {
      version: (Object.hasOwn(known.under, version) ? known.under[version] : undefined) ?? version,
      name,
      ...(isOfOthers ? {} : { sha256 }),
    };
  });
  const others = listOtherEntries(known);
  return judgeHistory(
    [...rows, ...others.map(({ version, name }): HistoryRow => ({ version, name }))],
    wanted,
    known,
    ({ version, sha256 }) => sha256 ?? others.find((one) => one.version === version)?.sha256,
  );
}

/** Rows of others that the state lists or remembers. */
function listOtherEntries({ migrations, others }: KnownMigrations): readonly MigrationEntry[] {
  const listed = migrations.filter(
    (one) => one.sha256 === undefined && !others.some(({ version }) => version === one.version),
  );
  return [...others, ...listed];
}

/** A file by its name and, where it is known, its content. */
type NamedFile = MigrationName & Pick<MigrationEntry, "sha256">;

/**
 * The entry of each file that got another version, by that: the file has the version of the row by which the entry counts, as it is
 * advised to, or it has the name and content of an entry whose version is no file's any more. Each entry is one file at most.
 */
export function findFormerEntries(
  all: readonly NamedFile[],
  { migrations, under }: Pick<KnownMigrations, "migrations" | "under">,
): ReadonlyMap<string, MigrationEntry> {
  const has = (files: readonly MigrationName[], version: string): boolean =>
    files.some((one) => one.version === version);
  const ours = migrations.filter(({ sha256 }) => sha256 !== undefined);
  const gone = ours.filter(({ version }) => !has(all, version));
  const added = all.filter(({ version }) => !has(ours, version));
  const found = new Map<string, MigrationEntry>();
  const pair = (isSame: (entry: MigrationEntry, file: NamedFile) => boolean): void => {
    for (const file of added) {
      if (found.has(file.version)) continue;
      const entry = gone.find((one) => isSame(one, file) && ![...found.values()].includes(one));
      if (entry !== undefined) found.set(file.version, entry);
    }
  };
  pair(({ version }, file) => Object.hasOwn(under, version) && under[version] === file.version);
  pair(({ name, sha256 }, file) => name === file.name && sha256 === file.sha256);
  return found;
}

function isOurs(entry: MigrationEntry, { all }: Pick<WantedMigrations, "all">): boolean {
  return entry.sha256 !== undefined && all.some(({ version }) => version === entry.version);
}

/** What the list leaves out, of rows that may be those of a file that the state does not know. */
function addDetails(
  history: MigrationHistory,
  recorded: readonly HistoryRow[],
  all: readonly Migration[],
  known: KnownMigrations,
): Promise<HistoryRow[]> {
  const isKnown = ({ version }: MigrationName): boolean =>
    known.migrations.some((one) => one.sha256 !== undefined && one.version === version);
  const isNear = (row: HistoryRow, { version }: MigrationName): boolean =>
    // The endpoint may have written it under a name that the file had then.
    row.version === version || row.name?.startsWith(`${version}_`) === true;
  return Promise.all(
    recorded.map(async (row) => {
      const isUnclear = history.tellsLittle && all.some((one) => !isKnown(one) && isNear(row, one));
      return isUnclear ? history.detailsOf(row) : row;
    }),
  );
}

interface SortedRows {
  readonly rows: Map<string, readonly HistoryRow[]>;
  /** The entry of each file that got another version, by that. */
  readonly former: ReadonlyMap<string, MigrationEntry>;
  readonly strangers: readonly HistoryRow[];
}

/** Which rows are those of which migrations, and which of none. */
function sortRows(
  recorded: readonly HistoryRow[],
  all: readonly NamedFile[],
  known: KnownMigrations,
): SortedRows {
  const former = findFormerEntries(all, known);
  const rows = new Map<string, readonly HistoryRow[]>();
  const taken = new Set<HistoryRow>();
  for (const migration of all) {
    const { version } = migration;
    const entry =
      former.get(version) ??
      known.migrations.find((one) => one.sha256 !== undefined && one.version === version);
    const own = recorded.filter(
      (row) =>
        isRowOf(row, migration, all) ||
        known.under[entry?.version ?? version] === row.version ||
        (entry !== undefined && isRowOf(row, entry, all)),
    );
    if (own.length > 0) rows.set(version, own);
    for (const row of own) taken.add(row);
  }
  return { rows, former, strangers: recorded.filter((row) => !taken.has(row)) };
}

/** Whether a history has a row of one of the program's migrations, as the program has them or as the state knows them. */
export function hasOwnRow(
  recorded: readonly HistoryRow[],
  all: readonly MigrationName[],
  known: KnownMigrations,
): boolean {
  const ours = known.migrations.filter(({ sha256 }) => sha256 !== undefined);
  return sortRows(recorded, [...all, ...ours], known).rows.size > 0;
}

/** Versions of the program's migrations that a state knows as applied. */
export function listOwnVersions({ migrations }: KnownMigrations): string[] {
  return migrations.flatMap(({ version, sha256 }) => (sha256 === undefined ? [] : version));
}

interface MigrationMatch {
  readonly entry: MigrationEntry;
  readonly isOfOthers: boolean;
  readonly differs?: string | undefined;
}

function judgeHistory(
  recorded: readonly HistoryRow[],
  wanted: WantedMigrations,
  known: KnownMigrations,
  contentOf: ContentLookup,
): HistoryFindings {
  const { all, accept, isWhole } = wanted;
  const { rows, former, strangers } = sortRows(recorded, all, known);
  const pending = all.filter(({ version }) => !rows.has(version));
  // Of a single migration the others of its program are not known: what this provider applied is one of them, or the same.
  const eligible = strangers.filter(
    ({ sha256 }) => isWhole || sha256 === undefined || pending.some((one) => one.sha256 === sha256),
  );
  const isAccepted = ({ version }: Migration): boolean => accept.includes(version);
  const namesakes = pairNamesakes(eligible, pending, contentOf, isAccepted);
  for (const { row, file } of namesakes.counted) rows.set(file.version, [row]);
  const found = all.flatMap((migration): MigrationMatch[] => {
    const own = rows.get(migration.version);
    if (own === undefined) return [];
    const isTaken = isAccepted(migration) || namesakes.counted.some(({ file }) => file === migration);
    if (isTaken) return [toDeclaredMatch(migration)];
    const entry = former.get(migration.version);
    const isOther = entry !== undefined && !own.some((row) => isRowOf(row, migration, all));
    if (!isOther) return [judgeRows(migration, known, own, contentOf)];
    return [{ entry: toEntry(migration), isOfOthers: known.ofOthers.includes(entry.version) }];
  });
  const renamed = all.flatMap((file) => {
    const [row] = former.has(file.version) ? (rows.get(file.version) ?? []) : [];
    return row === undefined || isRowOf(row, file, all) ? [] : { row, file };
  });
  const others = strangers.filter((row) => !namesakes.counted.some((one) => one.row === row));
  return {
    ...namesakes,
    ...toSeen(found, rows),
    others: remembered(others, contentOf),
    renamed,
    differing: found.flatMap(({ differs }) => differs ?? []),
    rows,
  };
}

function toSeen(found: readonly MigrationMatch[], rows: SortedRows["rows"]): Omit<KnownMigrations, "others"> {
  const entries = found.map(({ entry }) => entry);
  const under = entries.flatMap((entry): [string, string][] => {
    const own = rows.get(entry.version) ?? [];
    // As a list shows it, which may leave out for which file a row was written.
    const isShown = own.some(({ version, name }) => isRowOf({ version, name }, entry, entries));
    const [row] = own;
    return isShown || row === undefined ? [] : [[entry.version, row.version]];
  });
  return {
    migrations: entries.toSorted(compareFiles),
    ofOthers: found.flatMap(({ entry, isOfOthers }) => (isOfOthers ? [entry.version] : [])),
    under: Object.fromEntries(under),
  };
}

function remembered(others: readonly HistoryRow[], contentOf: ContentLookup): MigrationEntry[] {
  return others
    .filter(({ name }) => name !== OF_SERVICE)
    .map((row): MigrationEntry => {
      const content = contentOf(row);
      return { ...createEntry(row.version, row.name), ...(content === undefined ? {} : { sha256: content }) };
    })
    .toSorted(compareFiles);
}

/** The entries of a history, as a refresh shows them: those that the state knows, and the rows of others. */
export async function findEntries(
  history: MigrationHistory,
  recorded: readonly HistoryRow[],
  known: KnownMigrations,
  accept: readonly string[],
): Promise<KnownMigrations> {
  const ours = known.migrations.filter((entry) => entry.sha256 !== undefined);
  const { rows, strangers } = sortRows(recorded, ours, known);
  const found = ours.flatMap((entry): MigrationMatch[] => {
    const own = rows.get(entry.version);
    const [row] = own ?? [];
    if (own === undefined || row === undefined) return [];
    const written = own.find(({ sha256 }) => sha256 !== undefined);
    const isOfOthers = known.ofOthers.includes(entry.version);
    // What others applied, and what the program takes as it is, is shown as the program has it.
    if (accept.includes(entry.version) || (isOfOthers && written === undefined))
      return [{ entry, isOfOthers }];
    // The row of a file that got another version may have the former one in front of its name.
    const isRenamed =
      row.version === known.under[entry.version] &&
      [row.name, row.name?.replace(/^\d+_/, "")].includes(entry.name);
    const name = isRenamed ? entry.name : findDeclaredName(written ?? row, entry);
    return [
      {
        entry: { ...createEntry(entry.version, name), sha256: written?.sha256 ?? entry.sha256 },
        isOfOthers: false,
      },
    ];
  });
  const contents = new Map(known.others.map(({ version, sha256 }) => [version, sha256]));
  const unread = strangers.filter(
    ({ version, sha256, name }) =>
      sha256 === undefined && contents.get(version) === undefined && name !== OF_SERVICE,
  );
  // By the endpoint it would be a call for each.
  const texts = history.tellsLittle ? new Map<string, undefined>() : await history.textsOf(unread);
  const contentOf: ContentLookup = ({ version, sha256 }) =>
    sha256 ?? (texts.has(version) ? hashRow(texts.get(version)) : contents.get(version));
  return { ...toSeen(found, rows), others: remembered(strangers, contentOf) };
}

/** Versions of rows of others that the state has told of: no drift. */
export function listAcknowledged({ migrations, others }: KnownMigrations): ReadonlySet<string> {
  const listed = new Set(listStrangers(migrations).map(({ version }) => version));
  return new Set(others.flatMap(({ version }) => (listed.has(version) ? [] : version)));
}

/** Those of a list that are no migration of the program. */
export function listStrangers(migrations: readonly MigrationEntry[] = []): MigrationEntry[] {
  return migrations.filter(({ sha256 }) => sha256 === undefined);
}

/**
 * The rows of others that a preview goes on to list, as the state does: none that is a file's by now, or may be when the history is looked at.
 */
export function listStrangersToKeep(
  before: readonly MigrationEntry[],
  all: readonly Migration[],
): MigrationEntry[] {
  return listStrangers(before).filter(({ version, name }) => {
    const row = { version, name };
    return !all.some((one) => isRowOf(row, one, all) || isNamesake(row, one));
  });
}

function toDeclaredMatch(migration: Migration): MigrationMatch {
  return { entry: toEntry(migration), isOfOthers: true };
}

function judgeRows(
  migration: Migration,
  known: KnownMigrations,
  rows: readonly HistoryRow[],
  contentOf: ContentLookup,
): MigrationMatch {
  const entry = known.migrations.find(
    ({ version, sha256 }) => sha256 !== undefined && version === migration.version,
  );
  const own = rows.find((row) => row.sha256 !== undefined && isRowOf(row, migration));
  if (own !== undefined)
    return {
      entry: { ...createEntry(migration.version, findDeclaredName(own, migration)), sha256: own.sha256 },
      isOfOthers: false,
    };
  const isKnownAsOurs = entry !== undefined && !known.ofOthers.includes(entry.version);
  if (isKnownAsOurs) return { entry, isOfOthers: false };
  return { ...toDeclaredMatch(migration), differs: findRowDifference(migration, rows, contentOf) };
}

function findRowDifference(
  migration: Migration,
  rows: readonly HistoryRow[],
  contentOf: ContentLookup,
): string | undefined {
  const { label, name, sha256 } = migration;
  const isOther = (row: HistoryRow): boolean => {
    const content = contentOf(row);
    return content !== undefined && content !== "" && content !== sha256 && !showsSameContent(row, migration);
  };
  if (rows.some(isOther)) return `${label} (different text)`;
  const other = rows.find(
    (row) => row.name !== undefined && ![name, formatMigration(migration)].includes(row.name),
  );
  return other === undefined ? undefined : `${label} (as \`${other.name ?? ""}\`)`;
}

/** Of a row that the endpoint wrote, the program's version stands in front of the name. */
function findDeclaredName(
  { version, name, forVersion }: HistoryRow,
  one: Partial<MigrationEntry>,
): string | undefined {
  if (version === one.version && forVersion === undefined) return name;
  const prefix = `${one.version ?? ""}_`;
  return name?.startsWith(prefix) === true ? name.slice(prefix.length) : name;
}

function createEntry(version: string, name: string | undefined): MigrationEntry {
  return { version, ...(name === undefined ? {} : { name }) };
}
