import type { Context } from "../../../define/context";
import { writeOnce } from "../../../waiting/write-once";
import { explainClosed, sendSqlWhenReady } from "./database-records";
import { forgetHistory, historyListKey } from "./history-place";
import { runAlone } from "./non-transactional-migration";
import {
  hashStatements,
  parseIdempotencyKey,
  formatIdempotencyKey,
  formatMigration,
  type Migration,
  type MigrationHistory,
  type HistoryRow,
} from "./migration-history";
import { joinStatements } from "./migration-history-by-query";
import { isRowOf } from "./migration-identity";
import { migrationProblems } from "./migration-problems";
import { runTransactions } from "./several-transactions";
import { readSqlFile } from "./sql-file";
import { describeSql, isActive, sendToEnd } from "./unanswered-sql";

/** The service's own history by its own endpoint (service, Migrations). */
export function createEndpointHistory(ctx: Context, ref: string): MigrationHistory {
  const listKey = historyListKey(ref, "migrations");
  const explainClosedAnswer = <T>(answer: Promise<T>): Promise<T> =>
    explainClosed(answer, (says) => migrationProblems.closed.message({ ref, answer: says }));
  const write = (send: () => Promise<unknown>) => explainClosedAnswer(sendSqlWhenReady(ctx, ref, send));
  /** A change of what is listed, of which the next look must know. */
  const change = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await write(send);
    } finally {
      forgetHistory(ctx, ref);
    }
  };
  const record = async (migrations: readonly Migration[]): Promise<void> => {
    // Of a run that is killed midway, the next one sees that earlier ones are missing, and refuses to apply them.
    for (const migration of migrations.toReversed())
      await change(() => ctx.api.upsertMigration(toCall(ref, migration)));
  };
  const once = (): Context["api"] => ctx.within({ ...ctx, sendsOnce: true }).api;
  /** Whether another session runs it; a token that may not query sees none. */
  const isAtWork = (text: string): Promise<boolean> =>
    isActive((query) => ctx.api.runQuery({ ref, body: { query } }), text);
  const sendOnce = (what: string, text: string, send: () => Promise<unknown>) =>
    sendToEnd(ctx, { what, isRunning: () => isAtWork(text) }, () => change(send));
  /** After an unclear outcome, it is looked for before it is sent again, by the same key. */
  const applyOnce = async (migration: Migration, query: string): Promise<void> => {
    const call = toCall(ref, migration, query);
    await writeOnce(ctx, {
      send: async () => {
        const what = describeSql(migration.label, migration.query);
        await sendOnce(what, call.body.query, () => once().applyMigration(call));
        return true;
      },
      findResult: async () => {
        const listed = await history.list();
        return listed.some((row) => isRowOf(row, migration)) ? true : undefined;
      },
      isPatient: true,
    });
  };
  const history: MigrationHistory = {
    via: "migrations",
    tellsLittle: true,

    list: () =>
      ctx.shared.list(listKey, async () => {
        const listed = await explainClosedAnswer(ctx.api.listMigrations({ ref }));
        return listed.map(({ version, name }): HistoryRow => ({ version, name: name ?? undefined }));
      }),

    async detailsOf(recorded) {
      const found = await explainClosedAnswer(ctx.api.getMigration({ ref, version: recorded.version }));
      const ofKey = parseIdempotencyKey(found.idempotency_key);
      return {
        ...recorded,
        sha256: ofKey?.sha256,
        forVersion: ofKey?.version,
        content: found.statements == null ? undefined : hashStatements(found.statements),
        query: joinStatements(found.statements),
        rollback: joinStatements(found.rollback),
      };
    },

    textsOf: async (rows) =>
      new Map(
        await Promise.all(
          rows.map(async (row) => [row.version, (await history.detailsOf(row)).query] as const),
        ),
      ),

    // The endpoint executes in one transaction: what runs in none or in several goes by the other one, and is recorded here.
    async apply(migration) {
      const { alone, transactions } = readSqlFile(migration.query);
      const recordIt = (): Promise<void> => record([migration]);
      if (alone !== undefined) await runAlone(ctx, ref, migration, alone, recordIt);
      else if (transactions.length > 1) await runTransactions(ctx, ref, migration, transactions, recordIt);
      else await applyOnce(migration, transactions[0]);
    },

    record,

    async keepRollback({ migration: { rollback = "" }, rows: [row] }) {
      if (row === undefined) return;
      const { version } = row;
      await write(() => ctx.api.updateMigration({ ref, version, body: { rollback } }));
    },

    async rollBack(migrations, recorded, tell) {
      const rows = migrations.flatMap((one) => one.rows);
      const [first] = rows.toSorted((left, right) => compareTexts(left.version, right.version));
      if (first === undefined) return;
      const { version: gte } = first;
      requireOnly(ref, rows, recorded, gte);
      // What was recorded when it was applied may be older than what the program has.
      for (const migration of migrations) await history.keepRollback(migration);
      await writeOnce(ctx, {
        send: async () => {
          const what = `the rollback of ${migrations.map(({ migration: { label } }) => label).join(", ")}`;
          const text = migrations[0]?.migration.rollback ?? "";
          await sendOnce(what, text, () => once().rollbackMigrations({ ref, gte }));
          return true;
        },
        findResult: async () => {
          ctx.shared.forget(listKey);
          const now = await history.list();
          return now.some(({ version }) => version === gte) ? undefined : true;
        },
        isPatient: true,
      });
      for (const { migration } of migrations) tell(migration);
    },
  };
  return history;
}

function toCall(ref: string, migration: Migration, query: string = migration.query) {
  const { rollback } = migration;
  const body = query.trim() === "" ? "-- empty" : query;
  return {
    ref,
    "Idempotency-Key": formatIdempotencyKey(ref, migration),
    body: { query: body, name: formatMigration(migration), ...(rollback === undefined ? {} : { rollback }) },
  };
}

/** Whether the service compares versions as texts or as numbers is not known: what is to go must be last by both. */
function requireOnly(
  ref: string,
  ours: readonly HistoryRow[],
  all: readonly HistoryRow[],
  gte: string,
): void {
  const isAtOrAfter = ({ version }: HistoryRow): boolean =>
    compareTexts(version, gte) >= 0 || BigInt(version) >= BigInt(gte);
  const isOurs = (row: HistoryRow): boolean => ours.some(({ version }) => version === row.version);
  const others = all.filter((row) => !isOurs(row) && (!/^\d+$/.test(row.version) || isAtOrAfter(row)));
  const kept = ours.filter(({ version }) => BigInt(version) < BigInt(gte));
  const names = [...others, ...kept].map(formatMigration).join(", ");
  if (names !== "") throw new Error(migrationProblems.laterOfOthers.message({ ref, names }));
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
