import type { Context } from "../define/context";
import {
  isRefusal,
  isSame,
  orClosed,
  type Migration,
  type MigrationHistory,
  type Recorded,
} from "./migration-history";
import { migrationProblems } from "./migration-problems";
import { whenReady } from "./project-health";
import { writeOnce } from "./write-once";

const TABLE = "management.migrations";

/** All runs that write the history wait for each other, until the end of their transaction. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('${TABLE}', 0));`;
const PREPARED = `${LOCK} create schema if not exists management; create table if not exists ${TABLE} (version text primary key, name text not null, hash text not null, applied_at timestamptz not null default now());`;

/**
 * A history in a table of its own, by the query endpoint (service, SQL). A text of several statements is one transaction: a
 * migration and its row are there together or not at all, and the row's key lets no other run apply it again.
 */
export function queryHistory(ctx: Context, ref: string): MigrationHistory {
  const listKey = `migrations-table:${ref}`;
  const allowed = <T>(answer: Promise<T>): Promise<T> =>
    orClosed(answer, (says) => migrationProblems.queryClosed.message({ ref, answer: says }));
  const look = (query: string) => allowed(ctx.api.runReadOnlyQuery({ ref, body: { query } }));
  const list = (): Promise<readonly Recorded[]> => ctx.shared.list(listKey, () => rowsOf(look));
  const listAnew = (): Promise<readonly Recorded[]> => {
    ctx.shared.forget(listKey);
    return list();
  };
  /** Sends what the history shows when it has happened. */
  const change = async (
    query: string,
    hasHappened: (rows: readonly Recorded[]) => boolean,
  ): Promise<void> => {
    const landed = async (): Promise<true | undefined> => (hasHappened(await listAnew()) ? true : undefined);
    const send = async (): Promise<true> => {
      await allowed(whenReady(ctx, ref, ["db"], () => ctx.api.runQuery({ ref, body: { query } })));
      return true;
    };
    try {
      await writeOnce(ctx, { send, landed });
    } catch (error) {
      // Another run may have been faster.
      if (!isRefusal(error) || (await landed()) === undefined) throw error;
    } finally {
      ctx.shared.forget(listKey);
    }
  };
  return {
    via: "query",
    list,
    detailsOf: ({ sha256 }) => Promise.resolve({ sha256 }),
    apply: (migration) =>
      // On one line with the migration's first, so that the database tells its lines.
      change(`${PREPARED} ${inserted(migration)}; ${migration.query}`, (rows) => has(rows, migration)),
    record: (migration) =>
      change(`${PREPARED} ${inserted(migration)} on conflict do nothing`, (rows) => has(rows, migration)),
    // The program alone has it.
    keepRollback: () => Promise.resolve(),
    async rollBack(migrations, _recorded, tell) {
      for (const migration of migrations) {
        const { version, rollback = "" } = migration;
        const gone = `do $$ begin delete from ${TABLE} where version = '${version}'; if not found then raise exception 'migration ${version} is not in the history'; end if; end $$;`;
        await change(`${LOCK} ${gone} ${rollback}`, (rows) => !rows.some((row) => isSame(row, { version })));
        tell(migration);
      }
    },
  };
}

async function rowsOf(
  look: (query: string) => Promise<Record<string, unknown>[]>,
): Promise<readonly Recorded[]> {
  try {
    const rows = await look(`select version, name, hash from ${TABLE}`);
    return rows.map(({ version, name, hash }) => {
      const position = String(version);
      return { version: position, name: String(name), sha256: String(hash), position };
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [answer] = await look(`select to_regclass('${TABLE}') is null as missing`);
    if (answer?.["missing"] === true) return [];
    throw error;
  }
}

function has(rows: readonly Recorded[], migration: Migration): boolean {
  return rows.some((row) => isSame(row, migration) && row.sha256 === migration.sha256);
}

function inserted({ version, name, sha256 }: Migration): string {
  return `insert into ${TABLE} (version, name, hash) values (${[version, name, sha256].map(literal).join(", ")})`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
