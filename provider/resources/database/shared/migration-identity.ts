import { formatMigration, hashSql, type MigrationName, type HistoryRow } from "./migration-history";

// Which file a row of a history is, whoever wrote it: asked for by all that reads one.

/** A version that is a time, as the endpoint gives one to each row. */
const TIME = /^\d{14}$/;

/**
 * Whether a row is a file's: by its own version, because the endpoint wrote it for that, or by its whole name. A row that is that of
 * another file, `all` being the files, is not also this one's.
 */
export function isRowOf(row: HistoryRow, one: MigrationName, all: readonly MigrationName[] = []): boolean {
  if (row.version === one.version) return true;
  if (row.forVersion !== undefined) return row.forVersion === one.version;
  if (!TIME.test(row.version) || row.name !== formatMigration(one)) return false;
  return !all.some(({ version, name }) => version === row.version && name === row.name);
}

/** Whether a row that is no file's has the name of this one. */
export function isNamesake(row: HistoryRow, one: MigrationName): boolean {
  const { name } = row;
  if (name === undefined || one.name === undefined) return false;
  // In front of the name the endpoint's row has the version of the file that it was written for.
  const own = row.forVersion === undefined ? name : name.replace(/^\d+_/, "");
  return own === one.name || name === formatMigration(one);
}

/** The SHA-256 of a row's SQL, as a file has it; empty for a row without SQL, and undefined where nobody has looked. */
export type ContentLookup = (row: HistoryRow) => string | undefined;

/** As `ContentLookup` gives it. */
export function hashRow(text: string | undefined): string {
  return text === undefined ? "" : hashSql(text);
}

/** A pending file, and a row that is no file's with its name. */
export interface Namesake<F> {
  readonly row: HistoryRow;
  readonly file: F;
}

/** Why a namesake is not taken for the file: it has other SQL, or a version before the file's. */
export type NamesakeDoubt = "content" | "order" | "unseen";

export interface Namesakes<F> {
  /** Those that are the file: it counts as applied. */
  readonly counted: readonly Namesake<F>[];
  readonly doubted: readonly (Namesake<F> & { readonly doubt: NamesakeDoubt })[];
}

interface PendingFile extends MigrationName {
  readonly sha256: string;
}

/** Pairs rows that are no file's with pending files of their names: each row is one file at most. */
export function pairNamesakes<F extends PendingFile>(
  rows: readonly HistoryRow[],
  pending: readonly F[],
  contentOf: ContentLookup,
  isAccepted: (file: F) => boolean,
): Namesakes<F> {
  const counted: Namesake<F>[] = [];
  const free = (file: F): HistoryRow[] =>
    rows.filter((row) => isNamesake(row, file) && !counted.some((one) => one.row === row));
  const left = (): F[] => pending.filter((file) => !counted.some((one) => one.file === file));
  for (const file of pending) {
    const row = free(file).find((one) => findDoubt(one, file, contentOf) === undefined);
    if (row !== undefined) counted.push({ row, file });
  }
  for (const file of left().filter(isAccepted)) {
    const row = free(file).at(-1);
    if (row !== undefined) counted.push({ row, file });
  }
  const doubted = left().flatMap((file) => {
    const doubts = free(file).map((row) => ({
      row,
      file,
      doubt: findDoubt(row, file, contentOf) ?? "unseen",
    }));
    // The one that differs least says most.
    return doubts.findLast(({ doubt }) => doubt === "order") ?? doubts.at(-1) ?? [];
  });
  return { counted, doubted };
}

function findDoubt(row: HistoryRow, file: PendingFile, contentOf: ContentLookup): NamesakeDoubt | undefined {
  const content = contentOf(row);
  if (content === undefined) return "unseen";
  if (content !== file.sha256) return "content";
  const areTimes = TIME.test(row.version) && TIME.test(file.version);
  return areTimes && row.version >= file.version ? undefined : "order";
}
