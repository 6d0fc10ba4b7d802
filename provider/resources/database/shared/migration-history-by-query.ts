import type { Context } from "../../../define/context";
import { whenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";
import { changeOnce, databaseQueries, advisoryLock, placed, withKey, type Row } from "./database-records";
import {
  HISTORY,
  HISTORY_COLUMNS,
  isElsewhere,
  historyListKey,
  orMoved,
  tablesOfUsers,
  type HistoryPlace,
} from "./history-place";
import { MARKS, runAlone } from "./non-transactional-migration";
import {
  countsAs,
  isSame,
  parseIdempotencyKey,
  requireStatements,
  type Migration,
  type MigrationDetails,
  type MigrationHistory,
  type Recorded,
} from "./migration-history";
import { migrationProblems } from "./migration-problems";
import { block, literal, named, soleStatementAlone, texts, withoutTransaction } from "./sql";

const LOCK = advisoryLock("management.migrations");

const closed = (ref: string, answer: string): string =>
  migrationProblems.queryClosed.message({ ref, answer });

/** As `hashStatements` makes it. */
const CONTENT = (statements: string): string =>
  `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.translate(pg_catalog.array_to_string(${statements}, ''), E' \\t\\r\\n\\f;', ''), 'UTF8')), 'hex')`;

/** The service's own history by the query endpoint (service, SQL). The row's key lets no other run apply a migration again. */
export function queryHistory(ctx: Context, ref: string): MigrationHistory {
  const { look, send, place, atPlace } = databaseQueries(ctx, ref, closed);
  const listKey = historyListKey(ref, "query");
  const rows = (): Promise<Row[]> =>
    ctx.shared.list(listKey, () => orMoved(ctx, ref, async () => rowsAt(await place(), look)));
  /** Sends a text, made for where the history is, in which all runs wait for each other until the end of their transaction. */
  const change = (
    text: (tables: Tables) => string,
    hasHappened: (recorded: readonly Recorded[]) => boolean,
  ) =>
    changeOnce(
      ctx,
      { ref, listKey, list: rows },
      () => atPlace((at) => send(`select ${LOCK}; ${text(tablesAt(at))}`), HISTORY, MARKS.name),
      (all) => hasHappened(all.map(recordedAs)),
    ).finally(() => ctx.shared.forget(historyListKey(ref, "migrations")));
  const record = async (migrations: readonly Migration[]): Promise<void> => {
    if (migrations.length === 0) return;
    await change(
      (tables) => `${tables.preparing} ${inserting(tables, migrations)}`,
      (recorded) => migrations.every((migration) => isThere(migration)(recorded)),
    );
  };
  return {
    via: "query",
    tellsLittle: false,
    list: async () => (await rows()).map(recordedAs),

    async detailsOf(recorded) {
      const { tables } = await place();
      const [schema, marks] = [tables.get(HISTORY), tables.get(MARKS.name)];
      if (schema === undefined) return { ...recorded, query: undefined, rollback: undefined };
      const is = `version = ${literal(recorded.version)}`;
      const ours =
        marks === undefined ? "null" : `(select rollback from ${named(marks, MARKS.name)} where ${is})`;
      const [row] = await look(
        `select pg_catalog.to_jsonb(h) as row, ${ours} as rollback from ${named(schema, HISTORY)} h where h.${is}`,
      );
      return detailsIn(recorded, row);
    },

    async apply(migration) {
      if (soleStatementAlone(migration.query) !== undefined) {
        await runAlone(ctx, ref, migration, () => record([migration]));
        return;
      }
      await change(
        (tables) =>
          `${tables.preparing} ${inserting(tables, [migration])}\n${withoutTransaction(migration.query)}`,
        isThere(migration),
      );
    },

    record,

    async keepRollback({ version, rollback }) {
      const text = rollback === undefined ? "null" : literal(rollback);
      await change(
        ({ preparing, marks }) =>
          `${preparing} update ${marks} set rollback = ${text} where version = ${literal(version)};`,
        // It may be repeated.
        () => false,
      );
    },

    async rollBack(migrations, recorded, tell) {
      for (const migration of migrations) {
        const { rollback = "" } = migration;
        const versions = recorded
          .filter((row) => countsAs(row, migration, migrations))
          .map(({ version }) => version);
        const isAlone = soleStatementAlone(rollback) !== undefined;
        // What runs in no transaction may be repeated, or the preview refuses it.
        if (isAlone)
          await writeOnce(ctx, { send: () => send(rollback), findResult: () => Promise.resolve(undefined) });
        const script = isAlone ? "" : `\n${withoutTransaction(rollback)}`;
        await change(
          (tables) => `${tables.preparing} ${removing(tables, versions)}${script}`,
          (now) => !now.some((row) => versions.includes(row.version)),
        );
        tell(migration);
      }
    },
  };
}

/** Names of tables that somebody has made in a database without a history; none where it has one. */
export async function builtWithoutHistory(ctx: Context, ref: string): Promise<string[]> {
  const { look, place } = databaseQueries(ctx, ref, closed);
  return whenReady(ctx, ref, ["db"], async () => tablesOfUsers(ctx, ref, await place(), look));
}

/** The rows of a history with their statements, by the version. */
export async function readStatements(ctx: Context, ref: string): Promise<Map<string, string[]>> {
  const { look, place } = databaseQueries(ctx, ref, closed);
  const schema = (await place()).tables.get(HISTORY);
  if (schema === undefined) return new Map();
  const rows = await look(
    `select h.version, pg_catalog.to_jsonb(h.statements) as statements from ${named(schema, HISTORY)} h`,
  );
  return new Map(
    withKey(rows, "version").map(({ version, statements }) => [
      String(version),
      Array.isArray(statements) ? statements.map(String) : [],
    ]),
  );
}

interface Tables {
  readonly history: string;
  readonly marks: string;
  readonly preparing: string;
}

function tablesAt(place: HistoryPlace): Tables {
  const history = placed({ name: HISTORY, columns: HISTORY_COLUMNS }, place);
  const marks = placed(MARKS, place);
  // A history that others have begun since the look is not to have a second one beside it.
  const alone = place.tables.has(HISTORY)
    ? ""
    : `${block(`if ${isElsewhere(place.schema)} then raise exception 'another schema has the history by now'; end if;`)} `;
  return {
    history: history.name,
    marks: marks.name,
    preparing: `${alone}${history.preparing} ${marks.preparing}`,
  };
}

function rowsAt({ tables }: HistoryPlace, look: (query: string) => Promise<Row[]>): Promise<Row[]> {
  const schema = tables.get(HISTORY);
  if (schema === undefined) return Promise.resolve([]);
  const marks = tables.get(MARKS.name);
  const content = CONTENT("h.statements");
  const [hash, join] =
    marks === undefined
      ? ["null::text", ""]
      : [
          "m.hash",
          ` left join ${named(marks, MARKS.name)} m on m.version = h.version and m.content = ${content}`,
        ];
  const from = `from ${named(schema, HISTORY)} h${join}`;
  const query = `select h.version, h.name, ${content} as content, ${hash} as hash, pg_catalog.to_jsonb(h) ->> 'idempotency_key' as key ${from}`;
  return look(query).then((rows) => withKey(rows, "version"));
}

function recordedAs({ version, name, content, hash, key }: Row): Recorded {
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

function detailsIn(recorded: Recorded, row: Row | undefined): MigrationDetails {
  const { statements, rollback } = Object(row?.["row"]) as Readonly<Record<string, unknown>>;
  const own = row?.["rollback"];
  return {
    ...recorded,
    query: joinStatements(statements),
    rollback: typeof own === "string" ? own : joinStatements(rollback),
  };
}

export function joinStatements(statements: unknown): string | undefined {
  return Array.isArray(statements) && statements.length > 0
    ? statements.map((statement) => `${String(statement)};`).join("\n")
    : undefined;
}

/** What others applied under the version counts as well. */
function isThere(migration: Migration): (recorded: readonly Recorded[]) => boolean {
  return (recorded) =>
    recorded.some(
      (row) => isSame(row, migration) && (row.sha256 === undefined || row.sha256 === migration.sha256),
    );
}

/** Others may have made the table without a key, so each version is looked for as well. */
function inserting({ history, marks }: Tables, migrations: readonly Migration[]): string {
  const versions = texts(migrations.map(({ version }) => version));
  const rows = migrations.map(
    ({ version, name, query }) =>
      `(${literal(version)}, ${texts(requireStatements(query))}, ${literal(name)})`,
  );
  const hashes = migrations.map(
    ({ version, sha256, rollback }) =>
      `(${literal(version)}, ${literal(sha256)}, ${rollback === undefined ? "null::text" : literal(rollback)})`,
  );
  return [
    block(
      `if exists (select from ${history} h where h.version = any (${versions})) then raise unique_violation using message = 'another run has recorded it'; end if;`,
    ),
    `insert into ${history} (version, statements, name) values ${rows.join(", ")};`,
    `delete from ${marks} where version = any (${versions});`,
    `insert into ${marks} (version, hash, content, rollback) select h.version, n.hash, ${CONTENT("h.statements")}, n.rollback from ${history} h join (values ${hashes.join(", ")}) n (version, hash, rollback) on n.version = h.version;`,
  ].join(" ");
}

function removing({ history, marks }: Tables, versions: readonly string[]): string {
  const these = `version = any (${texts(versions)})`;
  const message = literal(`${versions.join(", ")} is not in the history`);
  return `${block(`delete from ${history} where ${these}; if not found then raise exception using message = ${message}; end if;`)} delete from ${marks} where ${these};`;
}
