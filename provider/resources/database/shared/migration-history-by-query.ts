import type { Context } from "../../../define/context";
import { callWhenReady } from "../../../waiting/project-health";
import {
  formatAdvisoryLock,
  asBefore,
  changeOnce,
  createDatabaseQueries,
  placeRecords,
  rememberRole,
  requireKeys,
  type DatabaseRow,
} from "./database-records";
import {
  HISTORY,
  HISTORY_COLUMNS,
  formatElsewhereTest,
  historyListKey,
  forgetPlaceIfRefused,
  listUserTables,
  type HistoryPlace,
} from "./history-place";
import { MARKS, repeatAlone, runAlone } from "./non-transactional-migration";
import {
  isSameVersion,
  parseIdempotencyKey,
  requireStatements,
  type Migration,
  type MigrationDetails,
  type MigrationHistory,
  type HistoryRow,
} from "./migration-history";
import { migrationProblems } from "./migration-problems";
import { runTransactions } from "./several-transactions";
import { formatDoBlock, quoteLiteral, quoteName, formatTextArray } from "./sql";
import { readSqlFile } from "./sql-file";
import { describeSql, hasLock } from "./unanswered-sql";

const LOCK_NAME = "management.migrations";
const LOCK = formatAdvisoryLock(LOCK_NAME);

const formatClosed = (ref: string, answer: string): string =>
  migrationProblems.queryClosed.message({ ref, answer });

/** As `hashStatements` makes it. */
const formatContentHash = (statements: string): string =>
  `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.translate(pg_catalog.array_to_string(${statements}, ''), E' \\t\\r\\n\\f;', ''), 'UTF8')), 'hex')`;

/** The service's own history by the query endpoint (service, SQL). The row's key lets no other run apply a migration again. */
export function createQueryHistory(ctx: Context, ref: string): MigrationHistory {
  const queries = createDatabaseQueries(ctx, ref, formatClosed);
  const { look, send, place, atPlace } = queries;
  const listKey = historyListKey(ref, "query");
  const rows = (): Promise<DatabaseRow[]> =>
    ctx.shared.list(listKey, () =>
      forgetPlaceIfRefused(ctx, ref, async () => readRowsAt(await place(), look)),
    );
  /** Sends a text, made for where the history is, in which all runs wait for each other until the end of their transaction. */
  const change = (
    what: string,
    text: (tables: HistoryTables) => string,
    hasHappened: (recorded: readonly HistoryRow[]) => boolean,
  ) =>
    changeOnce(
      ctx,
      { ref, listKey, list: rows, sent: { what, isRunning: () => hasLock(look, LOCK_NAME) } },
      () => atPlace((at) => send(text(tablesAt(at))), HISTORY, MARKS.name),
      (all) => hasHappened(all.map(toHistoryRow)),
    ).finally(() => ctx.shared.forget(historyListKey(ref, "migrations")));
  const record = async (migrations: readonly Migration[]): Promise<void> => {
    if (migrations.length === 0) return;
    await change(
      `the record of ${migrations.map(({ label }) => label).join(", ")}`,
      (tables) =>
        composeHistoryScript(formatNoRowsCheck(tables, migrations), "", formatRowInsert(tables, migrations)),
      (recorded) => migrations.every((migration) => isThere(migration)(recorded)),
    );
  };
  return {
    via: "query",
    tellsLittle: false,
    list: async () => (await rows()).map(toHistoryRow),

    async detailsOf(recorded) {
      const { tables } = await place();
      const [schema, marks] = [tables.get(HISTORY), tables.get(MARKS.name)];
      if (schema === undefined) return { ...recorded, query: undefined, rollback: undefined };
      const is = `version = ${quoteLiteral(recorded.version)}`;
      const ours =
        marks === undefined ? "null" : `(select rollback from ${quoteName(marks, MARKS.name)} where ${is})`;
      const [row] = await look(
        `select pg_catalog.to_jsonb(h) as row, ${ours} as rollback from ${quoteName(schema, HISTORY)} h where h.${is}`,
      );
      return parseDetails(recorded, row);
    },

    textsOf: (wanted) => readTexts(ctx, ref, wanted),

    async apply(migration) {
      const { alone, transactions } = readSqlFile(migration.query);
      const recordIt = (): Promise<void> => record([migration]);
      if (alone !== undefined) await runAlone(ctx, ref, migration, alone, recordIt);
      else if (transactions.length > 1) await runTransactions(ctx, ref, migration, transactions, recordIt);
      else
        await change(
          describeSql(migration.label, migration.query),
          (tables) =>
            composeHistoryScript(
              formatNoRowsCheck(tables, [migration]),
              transactions[0],
              formatRowInsert(tables, [migration]),
            ),
          isThere(migration),
        );
    },

    record,

    async keepRollback({ migration: { version, rollback, label } }) {
      const text = rollback === undefined ? "null" : quoteLiteral(rollback);
      await change(
        `the rollback of ${label}`,
        ({ preparing, marks }) =>
          composeHistoryScript(
            "",
            "",
            `${preparing} update ${marks} set rollback = ${text} where version = ${quoteLiteral(version)};`,
          ),
        // It may be repeated.
        () => false,
      );
    },

    async rollBack(migrations, _recorded, tell) {
      for (const { migration, rows: own } of migrations) {
        const { rollback = "", rollbackLabel = `the rollback of ${migration.label}` } = migration;
        const { alone, transactions } = readSqlFile(rollback);
        const what = describeSql(rollbackLabel, rollback);
        const versions = own.map(({ version }) => version);
        // What runs in no transaction may be repeated, or the preview refuses it.
        if (alone !== undefined)
          await repeatAlone(ctx, queries, { what, text: transactions[0], statement: alone });
        const script = alone === undefined ? transactions[0] : "";
        await change(
          what,
          (tables) =>
            composeHistoryScript(
              formatRowsCheck(tables, versions),
              script,
              formatRowDelete(tables, versions),
            ),
          (now) => !now.some((row) => versions.includes(row.version)),
        );
        tell(migration);
      }
    },
  };
}

/**
 * One transaction: the lock, which writes nothing, a look, the script, then what we write. A script may ask for a transaction that has
 * written nothing, and may become another role. It begins on the second line.
 */
function composeHistoryScript(look: string, script: string, writes: string): string {
  return `select ${LOCK}; ${rememberRole} ${look}\n${script}\n;${asBefore} ${writes}`;
}

/** The SQL of rows; undefined for one without. */
async function readTexts(
  ctx: Context,
  ref: string,
  wanted: readonly HistoryRow[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const versions = wanted.map(({ version }) => version);
  const statements =
    versions.length === 0 ? new Map<string, string[]>() : await readStatements(ctx, ref, versions);
  return new Map([...statements].map(([version, all]) => [version, joinStatements(all)]));
}

/** Names of tables that somebody has made in a database, beside its history; none with `unlessMigrated` where this provider has migrated it. */
export async function findTablesOfUsers(
  ctx: Context,
  ref: string,
  { unlessMigrated = false }: { readonly unlessMigrated?: boolean } = {},
): Promise<string[]> {
  const { look, place } = createDatabaseQueries(ctx, ref, formatClosed);
  return callWhenReady(ctx, ref, ["db"], async () => {
    const at = await place();
    return unlessMigrated && at.tables.has(MARKS.name) ? [] : listUserTables(ctx, ref, at, look);
  });
}

/** The rows of a history with their statements, by the version: all, or those of some versions. */
export async function readStatements(
  ctx: Context,
  ref: string,
  versions?: readonly string[],
): Promise<Map<string, string[]>> {
  const { look, place } = createDatabaseQueries(ctx, ref, formatClosed);
  const schema = (await place()).tables.get(HISTORY);
  if (schema === undefined) return new Map();
  const which = versions === undefined ? "" : ` where h.version = any (${formatTextArray(versions)})`;
  const rows = await look(
    `select h.version, pg_catalog.to_jsonb(h.statements) as statements from ${quoteName(schema, HISTORY)} h${which}`,
  );
  return new Map(
    requireKeys(rows, "version").map(({ version, statements }) => [
      String(version),
      Array.isArray(statements) ? statements.map(String) : [],
    ]),
  );
}

interface HistoryTables {
  readonly history: string;
  readonly marks: string;
  readonly preparing: string;
  /** SQL that fails where another schema has the history by now. */
  readonly requireOwn: string;
}

function tablesAt(place: HistoryPlace): HistoryTables {
  const history = placeRecords({ name: HISTORY, columns: HISTORY_COLUMNS }, place);
  const marks = placeRecords(MARKS, place);
  return {
    history: history.name,
    marks: marks.name,
    preparing: `${history.preparing} ${marks.preparing}`,
    // A history that others have begun since the look is not to have a second one beside it.
    requireOwn: place.tables.has(HISTORY)
      ? ""
      : formatDoBlock(
          `if ${formatElsewhereTest(place.schema)} then raise exception 'another schema has the history by now'; end if;`,
        ),
  };
}

/** Others may have made the table without a key, so each version is looked for as well. */
function formatNoRowsCheck({ history, requireOwn }: HistoryTables, migrations: readonly Migration[]): string {
  const versions = formatTextArray(migrations.map(({ version }) => version));
  const isRecorded = `exists (select from ${history} h where h.version = any (${versions}))`;
  const refuses = `raise unique_violation using message = 'another run has recorded it'; `;
  return `${requireOwn} ${formatDoBlock(`if pg_catalog.to_regclass(${quoteLiteral(history)}) is not null then if ${isRecorded} then ${refuses}end if; end if;`)}`;
}

function formatRowsCheck({ history }: HistoryTables, versions: readonly string[]): string {
  const message = quoteLiteral(`${versions.join(", ")} is not in the history`);
  return formatDoBlock(
    `if not exists (select from ${history} h where h.version = any (${formatTextArray(versions)})) then raise exception using message = ${message}; end if;`,
  );
}

function readRowsAt(
  { tables }: HistoryPlace,
  look: (query: string) => Promise<DatabaseRow[]>,
): Promise<DatabaseRow[]> {
  const schema = tables.get(HISTORY);
  if (schema === undefined) return Promise.resolve([]);
  const marks = tables.get(MARKS.name);
  const content = formatContentHash("h.statements");
  const [hash, join] =
    marks === undefined
      ? ["null::text", ""]
      : [
          "m.hash",
          ` left join ${quoteName(marks, MARKS.name)} m on m.version = h.version and m.content = ${content}`,
        ];
  const from = `from ${quoteName(schema, HISTORY)} h${join}`;
  const query = `select h.version, h.name, ${content} as content, ${hash} as hash, pg_catalog.to_jsonb(h) ->> 'idempotency_key' as key ${from}`;
  return look(query).then((rows) => requireKeys(rows, "version"));
}

function toHistoryRow({ version, name, content, hash, key }: DatabaseRow): HistoryRow {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const ofKey = parseIdempotencyKey(text(key));
  return {
    version: String(version),
    name: text(name),
    content: text(content),
    sha256: text(hash) ?? ofKey?.sha256,
    forVersion: ofKey?.version,
  };
}

function parseDetails(recorded: HistoryRow, row: DatabaseRow | undefined): MigrationDetails {
  const { statements, rollback } = Object(row?.["row"]) as Readonly<Record<string, unknown>>;
  const own = row?.["rollback"];
  return {
    ...recorded,
    query: joinStatements(statements),
    rollback: typeof own === "string" ? own : joinStatements(rollback),
  };
}

/** The SQL of a row as a file; undefined where it has none. */
export function joinStatements(statements: unknown): string | undefined {
  if (!Array.isArray(statements) || statements.length === 0) return undefined;
  // A semicolon behind a comment would belong to it.
  return statements
    .map(String)
    .map((statement) => statement + (/--[^\n]*$/.test(statement) ? "\n;" : ";"))
    .join("\n");
}

/** What others applied under the version counts as well. */
function isThere(migration: Migration): (recorded: readonly HistoryRow[]) => boolean {
  return (recorded) =>
    recorded.some(
      (row) => isSameVersion(row, migration) && (row.sha256 === undefined || row.sha256 === migration.sha256),
    );
}

function formatRowInsert(
  { history, marks, preparing }: HistoryTables,
  migrations: readonly Migration[],
): string {
  const versions = formatTextArray(migrations.map(({ version }) => version));
  const rows = migrations.map(
    ({ version, name, query }) =>
      `(${quoteLiteral(version)}, ${formatTextArray(requireStatements(query))}, ${quoteLiteral(name)})`,
  );
  const hashes = migrations.map(
    ({ version, sha256, rollback }) =>
      `(${quoteLiteral(version)}, ${quoteLiteral(sha256)}, ${rollback === undefined ? "null::text" : quoteLiteral(rollback)})`,
  );
  return [
    preparing,
    `insert into ${history} (version, statements, name) values ${rows.join(", ")};`,
    `delete from ${marks} where version = any (${versions});`,
    `insert into ${marks} (version, hash, content, rollback) select h.version, n.hash, ${formatContentHash("h.statements")}, n.rollback from ${history} h join (values ${hashes.join(", ")}) n (version, hash, rollback) on n.version = h.version;`,
  ].join(" ");
}

function formatRowDelete({ history, marks, preparing }: HistoryTables, versions: readonly string[]): string {
  const these = `version = any (${formatTextArray(versions)})`;
  return `${preparing} delete from ${history} where ${these}; delete from ${marks} where ${these};`;
}
