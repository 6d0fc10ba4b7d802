import type { Context } from "../../../define/context";
import { sha256 } from "../../../core/sha256";
import {
  formatAdvisoryLock,
  asBefore,
  changeOnce,
  createDatabaseQueries,
  placeRecords,
  rememberRole,
  type DatabaseRow,
} from "./database-records";
import type { Migration } from "./migration-history";
import { migrationProblems as problems } from "./migration-problems";
import { MARKS } from "./non-transactional-migration";
import { formatDoBlock, toComparableSql, quoteLiteral, quoteName } from "./sql";
import { describeSql, hasLock } from "./unanswered-sql";

const LOCK_NAME = "management.migrations";
const LOCK = formatAdvisoryLock(LOCK_NAME);

/** The `content` of a mark of a migration whose first so many transactions are done. */
const DONE = "transactions:";

/**
 * Runs a migration of several transactions, each once, and records it after the last. Each writes how many are done into a mark, so
 * that a later run goes on with the one that failed.
 */
export async function runTransactions(
  ctx: Context,
  ref: string,
  migration: Migration,
  transactions: readonly string[],
  record: () => Promise<void>,
): Promise<void> {
  const queries = createDatabaseQueries(ctx, ref, (of, answer) =>
    problems.queryClosed.message({ ref: of, answer }),
  );
  const { look, send, place, atPlace } = queries;
  const version = quoteLiteral(migration.version);
  const listKey = `transactions:${ref}:${migration.version}`;
  const list = (): Promise<DatabaseRow[]> =>
    ctx.shared.list(listKey, async () => {
      const schema = (await place()).tables.get(MARKS.name);
      return schema === undefined
        ? []
        : look(
            `select hash, content from ${quoteName(schema, MARKS.name)} where version = ${version} and content like '${DONE}%'`,
          );
    });
  const change = (
    what: string,
    text: (marks: string, preparing: string) => string,
    hasHappened: (rows: readonly DatabaseRow[]) => boolean,
  ): Promise<unknown> =>
    changeOnce(
      ctx,
      { ref, listKey, list, sent: { what, isRunning: () => hasLock(look, LOCK_NAME) } },
      () =>
        atPlace((at) => {
          const { name, preparing } = placeRecords(MARKS, at);
          return send(text(name, preparing));
        }, MARKS.name),
      hasHappened,
    );
  ctx.shared.forget(listKey);
  const [begun] = await list();
  const done = begun === undefined ? 0 : countOf(begun);
  if (begun !== undefined && begun["hash"] !== hashOf(transactions.slice(0, done)))
    throw new Error(
      problems.partlyApplied.message({
        file: migration.label,
        ref,
        done: String(done),
        marks: quoteName((await place()).tables.get(MARKS.name) ?? "", MARKS.name),
        version: migration.version,
      }),
    );
  for (const [index, script] of transactions.entries()) {
    if (index < done) continue;
    const now = quoteLiteral(hashOf(transactions.slice(0, index + 1)));
    await change(
      `transaction ${index + 1} of ${describeSql(migration.label, script)}`,
      (marks, preparing) =>
        `select ${LOCK}; ${rememberRole} ${formatDoneCheck(marks, version, index)}\n${script}\n;${asBefore} ${preparing} ` +
        `insert into ${marks} (version, hash, content) values (${version}, ${now}, '${DONE}${index + 1}') on conflict (version) do update set hash = excluded.hash, content = excluded.content;`,
      (rows) => rows.some((row) => countOf(row) > index),
    );
  }
  await record();
  await change(
    `the marks of ${migration.label}`,
    (marks, preparing) =>
      `${preparing} delete from ${marks} where version = ${version} and content like '${DONE}%';`,
    (rows) => rows.length === 0,
  );
}

function countOf(row: DatabaseRow): number {
  return Number(String(row["content"]).slice(DONE.length));
}

function hashOf(done: readonly string[]): string {
  return sha256(JSON.stringify(done.map(toComparableSql)));
}

/** SQL that fails where another run has done more, or all. */
function formatDoneCheck(marks: string, version: string, count: number): string {
  const found = `(select m.content from ${marks} m where m.version = ${version} and m.content like '${DONE}%')`;
  const exists = `pg_catalog.to_regclass(${quoteLiteral(marks)}) is not null`;
  const refuses = "raise unique_violation using message = 'another run has done it'; ";
  return formatDoBlock(
    `if ${exists} then if coalesce(${found}, '${DONE}0') <> '${DONE}${count}' then ${refuses}end if; end if;`,
  );
}
