import type { Context } from "../define/context";
import {
  compareVersions,
  isSame,
  type Migration,
  type MigrationHistory,
  type Recorded,
} from "./migration-history";
import { orClosed } from "./database-records";
import { migrationProblems } from "./migration-problems";
import { whenReady } from "./project-health";
import { writeOnce } from "./write-once";

/** Version and name of the program; the service counts versions of its own, by the time. */
const NAMED = /^(\d+)_(.+)$/s;
const KEY = /^[a-z]{20}-\d+-([0-9a-f]{64})$/;

/** The service's own history (service, Migrations). */
export function endpointHistory(ctx: Context, ref: string): MigrationHistory {
  const listKey = `migrations:${ref}`;
  const allowed = <T>(answer: Promise<T>): Promise<T> =>
    orClosed(answer, (says) => migrationProblems.closed.message({ ref, answer: says }));
  const write = (send: () => Promise<unknown>) => allowed(whenReady(ctx, ref, ["db"], send));
  /** A change of what is listed, of which the next look must know. */
  const change = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await write(send);
    } finally {
      ctx.shared.forget(listKey);
    }
  };
  const history: MigrationHistory = {
    via: "migrations",

    list: () =>
      ctx.shared.list(listKey, async () => {
        const listed = await allowed(ctx.api.listMigrations({ ref }));
        return listed.map(({ version, name }) => recordedAs(version, name));
      }),

    async detailsOf({ position: version }) {
      const found = await allowed(ctx.api.getMigration({ ref, version }));
      return {
        sha256: KEY.exec(found.idempotency_key ?? "")?.[1],
        query: scriptOf(found.statements),
        rollback: scriptOf(found.rollback),
      };
    },

    apply: (migration) => change(() => ctx.api.applyMigration(toCall(ref, migration))),

    record: (migration) => change(() => ctx.api.upsertMigration(toCall(ref, migration))),

    async keepRollback({ rollback = "", ...migration }) {
      const recorded = await whenReady(ctx, ref, ["db"], () => history.list());
      const version = recorded.find((row) => isSame(migration, row))?.position;
      if (version !== undefined)
        await write(() => ctx.api.updateMigration({ ref, version, body: { rollback } }));
    },

    async rollBack(migrations, recorded, tell) {
      const rows = recorded.filter((row) => migrations.some((one) => isSame(one, row)));
      const [gte] = rows.map(({ position }) => position).sort(compareVersions);
      if (gte === undefined) return;
      requireOnly(
        ref,
        rows,
        recorded.filter(({ position }) => compareVersions(position, gte) >= 0),
      );
      // What was recorded when it was applied may be older than what the program has.
      for (const migration of migrations) await history.keepRollback(migration);
      await writeOnce(ctx, {
        send: async () => {
          await change(() => ctx.api.rollbackMigrations({ ref, gte }));
          return true;
        },
        landed: async () => {
          ctx.shared.forget(listKey);
          const now = await history.list();
          return now.some(({ position }) => position === gte) ? undefined : true;
        },
      });
      migrations.forEach(tell);
    },
  };
  return history;
}

function recordedAs(position: string, name: string | null | undefined): Recorded {
  const [, version = position, own = name ?? undefined] = NAMED.exec(name ?? "") ?? [];
  return { version, name: own, sha256: undefined, position };
}

function scriptOf(statements: readonly string[] | null | undefined): string | undefined {
  return statements?.map((statement) => `${statement};`).join("\n");
}

/** The key lets a migration be applied once, whoever sends it (service, Migrations). */
function toCall(ref: string, { version, name, query, rollback, sha256 }: Migration) {
  return {
    ref,
    "Idempotency-Key": `${ref}-${version}-${sha256}`,
    body: { query, name: `${version}_${name}`, ...(rollback === undefined ? {} : { rollback }) },
  };
}

function requireOnly(ref: string, ours: readonly Recorded[], later: readonly Recorded[]): void {
  const others = later.filter((row) => !ours.includes(row)).map(({ version, name }) => name ?? version);
  if (others.length > 0)
    throw new Error(migrationProblems.laterOfOthers.message({ ref, names: others.join(", ") }));
}
