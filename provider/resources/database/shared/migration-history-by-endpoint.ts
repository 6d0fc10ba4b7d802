import type { Context } from "../../../define/context";
import { whenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";
import { orClosed } from "./database-records";
import { forgetHistory, historyListKey } from "./history-place";
import { runAlone } from "./non-transactional-migration";
import {
  hashStatements,
  countsAs,
  parseIdempotencyKey,
  idempotencyKey,
  formatMigration,
  type Migration,
  type MigrationHistory,
  type Recorded,
} from "./migration-history";
import { joinStatements } from "./migration-history-by-query";
import { migrationProblems } from "./migration-problems";
import { soleStatementAlone } from "./sql";

/** The service's own history by its own endpoint (service, Migrations). */
export function endpointHistory(ctx: Context, ref: string): MigrationHistory {
  const listKey = historyListKey(ref, "migrations");
  const allowed = <T>(answer: Promise<T>): Promise<T> =>
    orClosed(answer, (says) => migrationProblems.closed.message({ ref, answer: says }));
  const write = (send: () => Promise<unknown>) => allowed(whenReady(ctx, ref, ["db"], send));
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
  const history: MigrationHistory = {
    via: "migrations",
    tellsLittle: true,

    list: () =>
      ctx.shared.list(listKey, async () => {
        const listed = await allowed(ctx.api.listMigrations({ ref }));
        return listed.map(({ version, name }): Recorded => ({ version, name: name ?? undefined }));
      }),

    async detailsOf(recorded) {
      const found = await allowed(ctx.api.getMigration({ ref, version: recorded.version }));
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

    // The endpoint executes in a transaction: what runs in none goes by the other one, and is recorded here.
    apply: (migration) =>
      soleStatementAlone(migration.query) === undefined
        ? change(() => ctx.api.applyMigration(toCall(ref, migration)))
        : runAlone(ctx, ref, migration, () => record([migration])),

    record,

    async keepRollback({ rollback = "", ...migration }) {
      const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
      const version = recorded.find((row) => countsAs(row, migration))?.version;
      if (version !== undefined)
        await write(() => ctx.api.updateMigration({ ref, version, body: { rollback } }));
    },

    async rollBack(migrations, recorded, tell) {
      const rows = recorded.filter((row) => migrations.some((one) => countsAs(row, one, migrations)));
      const [first] = rows.toSorted((left, right) => compareTexts(left.version, right.version));
      if (first === undefined) return;
      const { version: gte } = first;
      requireOnly(ref, rows, recorded, gte);
      // What was recorded when it was applied may be older than what the program has.
      for (const migration of migrations) await history.keepRollback(migration);
      await writeOnce(ctx, {
        send: async () => {
          await change(() => ctx.api.rollbackMigrations({ ref, gte }));
          return true;
        },
        findResult: async () => {
          ctx.shared.forget(listKey);
          const now = await history.list();
          return now.some(({ version }) => version === gte) ? undefined : true;
        },
      });
      migrations.forEach(tell);
    },
  };
  return history;
}

function toCall(ref: string, migration: Migration) {
  const { query, rollback } = migration;
  return {
    ref,
    "Idempotency-Key": idempotencyKey(ref, migration),
    body: { query, name: formatMigration(migration), ...(rollback === undefined ? {} : { rollback }) },
  };
}

/** Whether the service compares versions as texts or as numbers is not known: what is to go must be last by both. */
function requireOnly(ref: string, ours: readonly Recorded[], all: readonly Recorded[], gte: string): void {
  const isAtOrAfter = ({ version }: Recorded): boolean =>
    compareTexts(version, gte) >= 0 || BigInt(version) >= BigInt(gte);
  const others = all.filter((row) => !ours.includes(row) && (!/^\d+$/.test(row.version) || isAtOrAfter(row)));
  const kept = ours.filter(({ version }) => BigInt(version) < BigInt(gte));
  const names = [...others, ...kept].map(formatMigration).join(", ");
  if (names !== "") throw new Error(migrationProblems.laterOfOthers.message({ ref, names }));
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
