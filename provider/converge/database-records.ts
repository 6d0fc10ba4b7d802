import { ApiError, ForbiddenError, isRefusal, ResponseSchemaError } from "../client/errors";
import { restated, serviceSays } from "../client/restated";
import type { Context } from "../define/context";
import { whenReady } from "./project-health";
import { writeOnce } from "./write-once";

/** A table in a project's database, in the schema `management`, whose rows say what a program did to that database. */
export interface RecordTable {
  readonly name: string;
  /** Its columns, as `create table` takes them. */
  readonly columns: string;
  /** What a look at it selects, and which column of that every row has. */
  readonly selected: string;
  readonly key: string;
  /** A select of the same columns, whose rows count as well. */
  readonly besides?: string;
  /** The message for a token that may not query, with what the service says. */
  readonly closed: (ref: string, answer: string) => string;
}

export type Row = Record<string, unknown>;

/** The rows of such a table. A text of several statements is one transaction: what it does is there with its row, or not at all. */
export interface DatabaseRecords {
  list(): Promise<Row[]>;
  /** Answers a text that only reads. */
  look(query: string): Promise<Row[]>;
  /** Sends a text as it is, once the database can take it. */
  send(query: string): Promise<Row[]>;
  /** Sends a text once; returns the rows that it answers, none where its answer was lost and `hasHappened` says of the table that it came about. */
  change(query: string, hasHappened: (rows: readonly Row[]) => boolean): Promise<Row[] | undefined>;
}

export function databaseRecords(ctx: Context, ref: string, table: RecordTable): DatabaseRecords {
  const listKey = `${table.name}:${ref}`;
  const allowed = <T>(answer: Promise<T>): Promise<T> => orClosed(answer, (says) => table.closed(ref, says));
  const look = (query: string) => allowed(ctx.api.runReadOnlyQuery({ ref, body: { query } }));
  const send = (query: string) =>
    allowed(whenReady(ctx, ref, ["db"], () => ctx.api.runQuery({ ref, body: { query } })));
  const list = () => ctx.shared.list(listKey, () => rowsOf(table, look));
  return {
    list,
    look,
    send,
    async change(query, hasHappened) {
      const landed = async (): Promise<{ rows?: undefined } | undefined> => {
        ctx.shared.forget(listKey);
        return hasHappened(await list()) ? {} : undefined;
      };
      const sent = async () => ({ rows: await send(query) });
      try {
        return (await writeOnce<{ readonly rows?: Row[] | undefined }>(ctx, { send: sent, landed })).rows;
      } catch (error) {
        // Another run, or an earlier attempt, may have been faster.
        if (!isRefusal(error) || (await landed()) === undefined) throw error;
        return undefined;
      } finally {
        ctx.shared.forget(listKey);
      }
    },
  };
}

export function nameOfTable({ name }: Pick<RecordTable, "name">): string {
  return `management.${name}`;
}

/** SQL that waits for all who hold this lock, until the end of its transaction. */
export function lockOf(name: string): string {
  return `pg_advisory_xact_lock(hashtextextended('${name}', 0))`;
}

/** SQL on one line that makes the table if it is not there. */
export function preparing(table: RecordTable): string {
  const name = nameOfTable(table);
  // Two that make it at once would fail; once it is there, nobody waits.
  return `do $$ begin if to_regclass('${name}') is null then perform ${lockOf("management")}; create schema if not exists management; create table if not exists ${name} (${table.columns}); end if; end $$;`;
}

/** SQL on one line that removes the row of these values, and fails where there is none. */
export function removing(table: RecordTable, values: Readonly<Record<string, string>>): string {
  const name = nameOfTable(table);
  const is = Object.entries(values).map(([column, value]) => `${column} = ${literal(value)}`);
  const message = literal(`${Object.values(values).join(", ")} is not in ${name}`);
  return `do $$ begin delete from ${name} where ${is.join(" and ")}; if not found then raise exception using message = ${message}; end if; end $$;`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The line of a script that the database refuses, as `, line 2,`; nothing where it names none. */
export function placeOf({ serviceMessage }: ApiError): string {
  const line = /^LINE (\d+):/m.exec(serviceMessage)?.[1];
  return line === undefined ? "" : `, line ${line},`;
}

/** Says of a 403 what the token needs, and the other way. */
export async function orClosed<T>(answer: Promise<T>, message: (answer: string) => string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    throw restated(error, message(serviceSays(error)));
  }
}

async function rowsOf(
  { name, selected, key, besides }: RecordTable,
  look: (query: string) => Promise<Row[]>,
): Promise<Row[]> {
  const table = nameOfTable({ name });
  try {
    const all = [`select ${selected} from ${table}`, ...(besides === undefined ? [] : [besides])];
    const rows = await look(all.join(" union all "));
    if (rows.every((row) => typeof row[key] === "string")) return rows;
    const message = `runReadOnlyQuery: the service answered rows without \`${key}\`; nothing is taken to be gone. Run again.`;
    throw new ResponseSchemaError(message, "runReadOnlyQuery", key);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [answer] = await look(`select to_regclass('${table}') is null as missing`);
    if (answer?.["missing"] === true) return [];
    throw error;
  }
}
