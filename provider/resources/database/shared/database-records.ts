import { defineProblem } from "../../../client/errors/problem";
import { ApiError, ForbiddenError, isRefusal, ResponseSchemaError } from "../../../client/errors/errors";
import { replaceMessage, quoteServiceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { forgetPlace, findHistoryPlace, forgetPlaceIfRefused, type HistoryPlace } from "./history-place";
import { callWhenReady } from "../../../waiting/project-health";
import { formatDoBlock, lineAt, quoteLiteral, quoteName, ROUND_TRANSACTION, splitScript } from "./sql";
import { writeOnce } from "../../../waiting/write-once";
import { formatLockKey, sendToEnd, type SentSql } from "./unanswered-sql";

/** A table of ours in a project's database, beside the history of migrations, whose rows say what a program did to it. */
export interface RecordTable {
  readonly name: string;
  /** Its columns, as `create table` takes them. */
  readonly columns: string;
  /** What a look at it selects, and which column of that every row has. */
  readonly selected: string;
  readonly key: string;
  /** The message for a token that may not query, with what the service says. */
  readonly closed: (ref: string, answer: string) => string;
}

export type DatabaseRow = Record<string, unknown>;

/** A text of several statements is one transaction: what it does is there with its record, or not at all. */
export interface DatabaseQueries {
  /** Answers a text that only reads. */
  readonly look: (query: string) => Promise<DatabaseRow[]>;
  /** Sends a text as it is, once the database can take it. */
  readonly send: (query: string) => Promise<DatabaseRow[]>;
  /** The same for what a refusal may leave half done, so that it is not sent again where the project is starting. */
  readonly sendOnce: (query: string) => Promise<DatabaseRow[]>;
  /** Where the history is, and our tables beside it. */
  readonly place: () => Promise<HistoryPlace>;
  /** Does what may make some of these tables there. */
  readonly atPlace: <T>(
    work: (place: HistoryPlace) => Promise<T>,
    ...tables: readonly string[]
  ) => Promise<T>;
}

export function createDatabaseQueries(
  ctx: Context,
  ref: string,
  closed: RecordTable["closed"],
): DatabaseQueries {
  const explainIfClosed = <T>(answer: Promise<T>): Promise<T> =>
    explainClosed(answer, (says) => closed(ref, says));
  // A 404 says nothing of what is in a database that is there.
  const look = (query: string) =>
    explainIfClosed(ctx.api.ofEveryProject(ref, () => ctx.api.runReadOnlyQuery({ ref, body: { query } })));
  const place = () => findHistoryPlace(ctx, ref, look);
  const sendOnce = (query: string) => explainIfClosed(ctx.api.runQuery({ ref, body: { query } }));
  return {
    look,
    place,
    sendOnce,
    async atPlace(work, ...tables) {
      const at = await callWhenReady(ctx, ref, ["db"], place);
      try {
        return await work(at);
      } finally {
        if (tables.some((table) => at.tables.get(table) !== at.schema)) forgetPlace(ctx, ref);
      }
    },
    send: (query) => sendSqlWhenReady(ctx, ref, () => sendOnce(query)),
  };
}

/** Sends SQL once the database can take it. What Postgres refused is not sent again: no restart is the reason. */
export async function sendSqlWhenReady<T>(ctx: Context, ref: string, send: () => Promise<T>): Promise<T> {
  const sent = await callWhenReady(ctx, ref, ["db"], () =>
    send().then(
      (value) => ({ value }),
      (error: unknown) => {
        if (!isRefusedByPostgres(error)) throw error;
        return { error };
      },
    ),
  );
  if ("value" in sent) return sent.value;
  throw sent.error;
}

/** Codes of a Postgres that starts, stops or has no connection left. */
const NOT_READY = /^(?:08|53|57)/;

/** Whether Postgres refused a statement, as its code says. */
function isRefusedByPostgres(error: unknown): error is ApiError {
  if (!isRefusal(error)) return false;
  const [, code] = /\bERROR: +([0-9A-Z]{5}):/.exec(error.serviceMessage) ?? [];
  return code !== undefined && !NOT_READY.test(code);
}

/** What can go wrong with SQL that has no answer. */
export const unansweredProblems = {
  unansweredTwice: defineProblem({
    says: "{what} failed on {ref}, and the reason is not known: a gateway did not wait for the answer, twice, and the database took the changes back. {remedy}.",
    means:
      "SQL takes longer than a gateway in front of the service waits, and then fails. The provider waited for its end both times.",
    remedy:
      "Split it into shorter parts, each in its own file, and run again. The part that fails then says why",
  }),
};

/** Rows that a run keeps, and a way to change them. */
export interface ChangedRows {
  readonly ref: string;
  /** What the run keeps them by. */
  readonly listKey: string;
  readonly list: () => Promise<readonly DatabaseRow[]>;
  /** Where the text may take long. */
  readonly sent?: SentSql | undefined;
}

/** How often a text is sent whose answer is lost each time, although the database has carried it out to its end. */
const MOST_UNANSWERED = 2;

/**
 * Sends a text once; returns the rows that it answers, none where its answer was lost and `hasHappened` says of what is
 * listed that it came about.
 */
export async function changeOnce(
  ctx: Context,
  { ref, listKey, list, sent }: ChangedRows,
  send: () => Promise<DatabaseRow[]>,
  hasHappened: (rows: readonly DatabaseRow[]) => boolean,
): Promise<DatabaseRow[] | undefined> {
  const findResult = async (): Promise<{ rows?: undefined } | undefined> => {
    ctx.shared.forget(listKey);
    forgetPlace(ctx, ref);
    return hasHappened(await list()) ? {} : undefined;
  };
  let unanswered = 0;
  const sendOnce = async () => {
    if (sent === undefined) return { rows: await send() };
    const rows = await sendToEnd(ctx, sent, send, async (wasRunning) => {
      unanswered += wasRunning ? 1 : 0;
      if (unanswered < MOST_UNANSWERED || (await findResult()) !== undefined) return;
      throw new Error(unansweredProblems.unansweredTwice.message({ what: sent.what, ref }));
    });
    return { rows };
  };
  try {
    return (
      await writeOnce<{ readonly rows?: DatabaseRow[] | undefined }>(ctx, { send: sendOnce, findResult })
    ).rows;
  } catch (error) {
    // Another run, or an earlier attempt, may have been faster.
    if (!isRefusal(error) || (await findResult()) === undefined) throw error;
    return undefined;
  } finally {
    ctx.shared.forget(listKey);
  }
}

/** The rows of such a table. */
export interface DatabaseRecords extends Pick<DatabaseQueries, "look" | "sendOnce"> {
  list(): Promise<readonly DatabaseRow[]>;
  /** Sends a text once, made for where the table is, as `changeOnce` does. */
  change(
    query: (table: PlacedTable) => string,
    hasHappened: (rows: readonly DatabaseRow[]) => boolean,
    sent?: SentSql,
  ): Promise<DatabaseRow[] | undefined>;
}

export function createDatabaseRecords(ctx: Context, ref: string, table: RecordTable): DatabaseRecords {
  const { look, send, sendOnce, place, atPlace } = createDatabaseQueries(ctx, ref, table.closed);
  const listKey = `${table.name}:${ref}`;
  const list = () =>
    ctx.shared.list(listKey, () =>
      forgetPlaceIfRefused(ctx, ref, async () => readRows(table, await place(), look)),
    );
  return {
    list,
    look,
    sendOnce,
    change: (query, hasHappened, sent) =>
      changeOnce(
        ctx,
        { ref, listKey, list, sent },
        () => atPlace((at) => send(query(placeRecords(table, at))), table.name),
        hasHappened,
      ),
  };
}

/** A table where it is, or is to be made. */
export interface PlacedTable {
  /** Its name as SQL. */
  readonly name: string;
  /** SQL on one line that makes it if it is not there. */
  readonly preparing: string;
}

export function placeRecords(
  { name: own, columns }: Pick<RecordTable, "name" | "columns">,
  place: HistoryPlace,
): PlacedTable {
  const { schema, tables } = place;
  const name = quoteName(schema, own);
  const isMissing = (table: string): string => `pg_catalog.to_regclass(${quoteLiteral(table)}) is null`;
  const elsewhere = tables.get(own);
  // The history came after it, in another schema.
  const moves =
    elsewhere === undefined || elsewhere === schema
      ? ""
      : `if not ${isMissing(quoteName(elsewhere, own))} then alter table ${quoteName(elsewhere, own)} set schema ${quoteName(schema)}; end if; `;
  // Two that make it at once would fail; once it is there, nobody waits.
  const makes = `perform ${formatAdvisoryLock("management")}; if pg_catalog.to_regnamespace(${quoteLiteral(quoteName(schema))}) is null then create schema if not exists ${quoteName(schema)}; end if; ${moves}create table if not exists ${name} (${columns});`;
  return { name, preparing: formatDoBlock(`if ${isMissing(name)} then ${makes} end if;`) };
}

/** SQL on one line that keeps the role, without writing. */
export const rememberRole = formatDoBlock(
  "perform pg_catalog.set_config('management.role', pg_catalog.current_setting('role'), true);",
);

/** SQL on one line, of the same transaction, that takes the role again which a script may have left. */
export const asBefore = formatDoBlock(
  "perform pg_catalog.set_config('role', coalesce(nullif(pg_catalog.current_setting('management.role', true), ''), 'none'), true);",
);

/** SQL that waits for all who hold this lock, until the end of its transaction. */
export function formatAdvisoryLock(name: string): string {
  return `pg_catalog.pg_advisory_xact_lock(${formatLockKey(name)})`;
}

export interface ScriptError {
  /** The line of the script, as `, line 2,`; nothing where it is not known. */
  readonly place: string;
  /** The message of the service, in brackets, with the line numbers of the script. */
  readonly answer: string;
}

/** Where the database finds the error in a script that was sent with `before` lines of ours in front of it. */
export function locateScriptError(error: ApiError, script: string, before = 0): ScriptError {
  const { serviceMessage } = error;
  const [found, number = "", text = ""] = /^LINE (\d+): (.*)$/m.exec(serviceMessage) ?? [];
  const named = findNamedStatements(script, serviceMessage);
  const at = (lines: readonly number[], message: string): ScriptError => ({
    place: lines.length === 0 ? "" : `, line ${lines.join(", ").replace(/, (\d+)$/, " or $1")},`,
    answer: message === "" ? "" : ` (the service says: ${message})`,
  });
  if (found === undefined) return at(named, serviceMessage);
  const line = Number(number) - before;
  const shown = text.replace(/^\.\.\./, "").replace(/\.\.\.$/, "");
  // A query within a function has lines of its own.
  const isOfScript =
    line > 0 && normalizeBlanks(script.split("\n")[line - 1] ?? "").includes(normalizeBlanks(shown));
  if (isOfScript) return at([line], renumberParameters(serviceMessage, number, line));
  const isOfOurs = Number(number) <= before && /management|advisory|pg_catalog/.test(text);
  return at(named, isOfOurs ? serviceMessage.replace(MARKED_LINE, "") : serviceMessage);
}

/** So many lines of a script still help to find the statement. */
const MOST_LINES = 3;

/**
 * The lines of the statements that can be meant: of the only one, or of those that have the names which the message has in quotes; of a
 * constraint that no statement names, of those that have the table in its name.
 */
function findNamedStatements(script: string, message: string): number[] {
  const names = [...message.matchAll(/"([^"\n]+)"/g)].map(([, name = ""]) => name.toLowerCase());
  const all = splitScript(script).filter(({ words }) => !ROUND_TRANSACTION.test(words));
  const findStatementsWith = (wanted: readonly string[]) =>
    all.filter(({ text }) => hasAll(text.toLowerCase(), wanted));
  const constraint = /\bconstraint "([^"\n]+)"/.exec(message)?.[1]?.toLowerCase();
  const found = all.length === 1 ? all : names.length === 0 ? [] : findStatementsWith(names);
  const meant =
    found.length > 0 || constraint === undefined ? found : findStatementsWith([tableOf(constraint, all)]);
  return meant.length > MOST_LINES ? [] : [...new Set(meant.map(({ first }) => lineAt(script, first)))];
}

/** By the names that Postgres gives: `users_email_key` is of `users`. */
function tableOf(constraint: string, statements: readonly { readonly text: string }[]): string {
  const parts = constraint.split("_");
  const prefixes = parts
    .map((_, index) => parts.slice(0, parts.length - index - 1).join("_"))
    .filter(Boolean);
  const isThere = (name: string) => statements.some(({ text }) => hasAll(text.toLowerCase(), [name]));
  return prefixes.find(isThere) ?? constraint;
}

function hasAll(text: string, names: readonly string[]): boolean {
  return names.every((name) => {
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      if (!/[\w$]/.test(text.charAt(at - 1)) && !/[\w$]/.test(text.charAt(at + name.length))) return true;
    }
    return false;
  });
}

const MARKED_LINE = /^LINE \d+: .*(?:\n *\^)?\n?/m;

function normalizeBlanks(text: string): string {
  return text.replaceAll("\t", " ").trim();
}

/** The mark below the line stays below its place. */
function renumberParameters(message: string, from: string, to: number): string {
  const less = from.length - String(to).length;
  return message.replace(
    /^LINE \d+: (.*)(?:\n( *)\^)?/m,
    (_all, text: string, blanks: string | undefined) =>
      `LINE ${to}: ${text}${blanks === undefined ? "" : `\n${blanks.slice(less)}^`}`,
  );
}

/** Says of a 403 what the token needs, and the other way. */
export async function explainClosed<T>(answer: Promise<T>, message: (answer: string) => string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    throw replaceMessage(error, message(quoteServiceMessage(error)));
  }
}

async function readRows(
  { name, selected, key }: RecordTable,
  { tables }: HistoryPlace,
  look: DatabaseQueries["look"],
): Promise<DatabaseRow[]> {
  const schema = tables.get(name);
  return schema === undefined
    ? []
    : requireKeys(await look(`select ${selected} from ${quoteName(schema, name)}`), key);
}

/** Rows that all have what they are known by. */
export function requireKeys(rows: DatabaseRow[], key: string): DatabaseRow[] {
  if (rows.every((row) => typeof row[key] === "string")) return rows;
  const message = `runReadOnlyQuery failed: the rows have no \`${key}\`. All records are treated as still present. Run again.`;
  throw new ResponseSchemaError(message, "runReadOnlyQuery", key);
}
