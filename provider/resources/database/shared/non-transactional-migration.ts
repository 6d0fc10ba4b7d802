import { isAmbiguous, isRefusal } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { writeOnce } from "../../../waiting/write-once";
import {
  changeOnce,
  createDatabaseQueries,
  placeRecords,
  type DatabaseQueries,
  type DatabaseRow,
} from "./database-records";
import { HISTORY, type HistoryPlace } from "./history-place";
import type { Migration } from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { describeSql, isActive, sendToEnd } from "./unanswered-sql";
import {
  parseIndexBuild,
  isMaintenance,
  isRepeatable,
  quoteLiteral,
  quoteName,
  type IndexBuild,
  type SqlStatement,
} from "./sql";

/** Which rows we wrote, of what, and what takes it back: a row that others wrote anew has other statements, and is theirs. */
export const MARKS = {
  name: "management_migrations",
  columns: "version text primary key, hash text not null, content text not null, rollback text",
};

/** The `content` of a mark whose statement may have been begun and is not recorded. */
const BEGUN = "begun";

/**
 * Runs a migration of one statement that runs in no transaction, and records it after. A mark that is written before tells
 * a later run that what is half there is its own.
 */
export async function runAlone(
  ctx: Context,
  ref: string,
  migration: Migration,
  statement: SqlStatement,
  record: () => Promise<void>,
): Promise<void> {
  const queries = createDatabaseQueries(ctx, ref, (of, answer) =>
    problems.queryClosed.message({ ref: of, answer }),
  );
  const build = parseIndexBuild(statement.text);
  const marks = createMarks(ctx, queries, ref, migration);
  const begun = await marks.read();
  if (build !== undefined) await runBuild(ctx, queries, { ref, migration, build, begun, marks });
  else if (isRepeatable(statement))
    await repeatAlone(ctx, queries, {
      what: describeSql(migration.label, migration.query),
      text: migration.query,
      statement,
    });
  else await runOnly(ctx, queries, { ref, migration, begun, marks });
  await record();
}

/** Runs a statement that may be repeated, and does so where its outcome is unclear. */
export async function repeatAlone(
  ctx: Context,
  queries: DatabaseQueries,
  {
    what,
    text,
    statement,
  }: { readonly what: string; readonly text: string; readonly statement: SqlStatement },
): Promise<void> {
  let wasRunning = false;
  const onEnd = (isSeen: boolean): void => void (wasRunning = isSeen);
  await writeOnce<unknown>(ctx, {
    send: () => sendAlone(ctx, queries, { what, text, onEnd }),
    findResult: () => {
      // It would take as long again, and a gateway would not wait for it again.
      if (!wasRunning || !isMaintenance(statement)) return Promise.resolve(undefined);
      ctx.warn(problems.endUnseen.message({ what }));
      return Promise.resolve(true);
    },
  });
}

/** Sends a text of one statement; where its answer is lost, ends when the database no longer works on it. */
export function sendAlone(
  ctx: Context,
  { sendOnce }: Pick<DatabaseQueries, "sendOnce">,
  { what, text, onEnd }: { what: string; text: string; onEnd?: (wasRunning: boolean) => void },
): Promise<DatabaseRow[]> {
  return sendToEnd(
    ctx,
    { what, isRunning: () => isActive(sendOnce, text) },
    () => sendOnce(text),
    (wasRunning) => Promise.resolve(onEnd?.(wasRunning)),
  );
}

interface MigrationMarks {
  /** The hash of what was begun and is not recorded. */
  read(): Promise<string | undefined>;
  write(): Promise<void>;
  remove(): Promise<void>;
}

function createMarks(
  ctx: Context,
  { send, atPlace }: DatabaseQueries,
  ref: string,
  migration: Migration,
): MigrationMarks {
  const version = quoteLiteral(migration.version);
  const change = async (text: (marks: string, place: HistoryPlace) => string): Promise<void> => {
    const query = (place: HistoryPlace): string => {
      const { name, preparing } = placeRecords(MARKS, place);
      return `${preparing} ${text(name, place)}`;
    };
    // It may be repeated.
    await changeOnce(
      ctx,
      { ref, listKey: `begun:${ref}`, list: () => Promise.resolve([]) },
      () => atPlace((place) => send(query(place)), MARKS.name),
      () => false,
    );
  };
  return {
    read: () =>
      retryAmbiguousLook(() =>
        atPlace(async ({ tables }) => {
          const schema = tables.get(MARKS.name);
          if (schema === undefined) return undefined;
          const marks = quoteName(schema, MARKS.name);
          const [row] = await send(
            `select hash from ${marks} where version = ${version} and content = '${BEGUN}'`,
          );
          return typeof row?.["hash"] === "string" ? row["hash"] : undefined;
        }),
      ),
    write: () =>
      change((marks, { schema, tables }) => {
        const isNew = tables.has(HISTORY)
          ? ` where not exists (select from ${quoteName(schema, HISTORY)} where version = ${version})`
          : "";
        return `insert into ${marks} (version, hash, content) select ${version}, ${quoteLiteral(migration.sha256)}, '${BEGUN}'${isNew} on conflict (version) do update set hash = excluded.hash, content = excluded.content;`;
      }),
    remove: () =>
      change((marks) => `delete from ${marks} where version = ${version} and content = '${BEGUN}';`),
  };
}

interface MigrationAttempt {
  readonly ref: string;
  readonly migration: Migration;
  readonly begun: string | undefined;
  readonly marks: MigrationMarks;
}

/** Nothing in the database shows whether it was done. */
async function runOnly(ctx: Context, queries: DatabaseQueries, running: MigrationAttempt): Promise<void> {
  const { ref, migration, begun, marks } = running;
  const isUnknown = (): Promise<string> =>
    queries.place().then(({ schema, tables }) =>
      problems.maybeDone.message({
        file: migration.label,
        ref,
        marks: quoteName(tables.get(MARKS.name) ?? schema, MARKS.name),
        version: migration.version,
      }),
    );
  if (begun === migration.sha256) throw new Error(await isUnknown());
  await marks.write();
  try {
    const what = describeSql(migration.label, migration.query);
    await sendAlone(ctx, queries, { what, text: migration.query });
  } catch (error) {
    if (isAmbiguous(error)) throw new Error(await isUnknown(), { cause: error });
    await marks.remove();
    throw error;
  }
}

interface IndexState {
  readonly schema: string;
  readonly isValid: boolean;
  readonly isBuilding: boolean;
}

/** An index that a build leaves behind is there, and not valid: it is dropped where it is ours, and built anew. */
async function runBuild(
  ctx: Context,
  { send, sendOnce }: DatabaseQueries,
  { ref, migration, build, begun, marks }: MigrationAttempt & { readonly build: IndexBuild },
): Promise<void> {
  const { index } = build;
  const look = (): Promise<IndexState | undefined> => retryAmbiguousLook(() => readIndexState(send, build));
  const whenBuilt = (): Promise<IndexState | undefined> =>
    poll(ctx, {
      what: `the index ${index} of ${ref}`,
      look,
      judge: (state) =>
        state?.isBuilding === true
          ? { kind: "waiting", reason: "it is being built" }
          : { kind: "done", value: state },
    });
  const drop = ({ schema }: IndexState): Promise<unknown> =>
    send(`drop index concurrently if exists ${quoteName(schema, index)}`);
  /** Whether what was begun is done; what it left half done is gone. */
  const isDone = async (): Promise<true | undefined> => {
    const state = await whenBuilt();
    if (state?.isValid === true) return true;
    if (state !== undefined) await drop(state);
    return undefined;
  };
  const before = await look();
  const isOurs = begun !== undefined || before === undefined;
  if (begun === migration.sha256 && (await isDone()) === true) return;
  if (begun !== undefined && before?.isValid === false) await isDone();
  if (before === undefined) await marks.write();
  try {
    await writeOnce<unknown>(ctx, {
      send: () =>
        sendAlone(
          ctx,
          { sendOnce },
          { what: describeSql(migration.label, migration.query), text: migration.query },
        ),
      findResult: () => (isOurs ? isDone() : Promise.resolve(undefined)),
    });
  } catch (error) {
    if (!isRefusal(error) || !isOurs) throw error;
    const state = await whenBuilt();
    // Another run may have been faster.
    if (state?.isValid === true && (await marks.read()) === migration.sha256) return;
    if (state === undefined) await marks.remove();
    throw error;
  }
  const after = await whenBuilt();
  if (after !== undefined && !after.isValid)
    throw new Error(
      problems.leftInvalid.message({
        file: migration.label,
        ref,
        index,
        name: quoteName(after.schema, index),
      }),
    );
}

async function readIndexState(
  send: DatabaseQueries["send"],
  { index, table }: IndexBuild,
): Promise<IndexState | undefined> {
  const [row] = await send(
    `select n.nspname as schema, i.indisvalid as valid, exists (select from pg_catalog.pg_stat_progress_create_index p where p.index_relid = c.oid) as building from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relname = ${quoteLiteral(index)} and i.indrelid = pg_catalog.to_regclass(${quoteLiteral(table)})`,
  );
  return row === undefined
    ? undefined
    : {
        schema: String(row["schema"]),
        isValid: row["valid"] === true,
        isBuilding: row["building"] === true,
      };
}

/** A look that goes by the writing endpoint, as it needs the search path of those who write, may be repeated. */
async function retryAmbiguousLook<T>(look: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await look();
    } catch (error) {
      if (!isAmbiguous(error) || attempt >= 5) throw error;
    }
  }
}
