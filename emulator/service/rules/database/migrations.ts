import type { Operations } from "../../../../spec/table";
import { type CallSource, actingUser } from "../../access/caller";
import type { AsyncHandler } from "../shared/handler";
import { DatabaseError } from "../../../postgres/sql/database-error";
import type { Database } from "../../../postgres/databases/databases";
import { describeFault } from "../../../postgres/sql/describe-fault";
import {
  applyAndRecord,
  inOrder,
  nextVersion,
  readHistory,
  removeMigration,
  writeMigration,
  type MigrationHistoryRow,
} from "../../../postgres/migrations/history";
import { splitStatements, withinOneTransaction } from "../../../postgres/sql/split-statements";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { finishDatabaseWork } from "../shared/database/database-work";
import { inProjectDatabase } from "../shared/database/project-database";
import { requireFound, QuotingRefusal, Refusal } from "../../answers/refusal";

const listMigrations: AsyncHandler<Operations["listMigrations"]> = async ({ params, world, caller }) => {
  requirePartner(world, caller);
  settledProjectAt(world, params.ref, "db");
  await finishDatabaseWork(world, params.ref);
  // A database that was never used has no history, and need not start for telling so.
  if (!world.databases.isUsed(params.ref)) return [];
  const history = await inProjectDatabase(world, params.ref, readHistory);
  return history.map(({ version, name }) => ({ version, ...(name !== null && { name }) }));
};

const getMigration: AsyncHandler<Operations["getMigration"]> = async ({ params, world, caller }) => {
  requirePartner(world, caller);
  const migration = await inProjectDatabase(world, params.ref, (database) =>
    migrationAt(database, params.version),
  );
  const { version, name, statements, rollback, createdBy, idempotencyKey } = migration;
  return {
    version,
    ...(name !== null && { name }),
    statements: [...statements],
    ...(rollback.length > 0 && { rollback: [...rollback] }),
    ...(createdBy !== null && { created_by: createdBy }),
    ...(idempotencyKey !== null && { idempotency_key: idempotencyKey }),
  };
};

type ApplyMigrationRequest = Parameters<AsyncHandler<Operations["applyMigration"]>>[0];

/** Executes and records in one transaction: what fails leaves nothing, and is not recorded. */
const applyMigration: AsyncHandler<Operations["applyMigration"]> = async (sent) => {
  const { params, body, world, caller } = sent;
  requirePartner(world, caller);
  const script = withinOneTransaction(body.query);
  if (script === undefined) {
    throw new Refusal(400, "A migration runs in one transaction: it cannot begin or end one of its own");
  }
  await inProjectDatabase(
    world,
    params.ref,
    (database) =>
      database.transaction(async () => {
        const history = await readHistory(database);
        const migration = migrationFrom(sent, history);
        const recorded = recordedUnderKey(history, migration);
        if (recorded === undefined) return applyAndRecord(database, migration, script);
        if (recorded.statements.join() !== migration.statements.join()) {
          throw new Refusal(
            422,
            `Idempotency-Key ${migration.idempotencyKey ?? ""} belongs to another migration`,
          );
        }
      }),
    script,
  );
};

/**
 * Records without executing. Unknown what makes it the same migration: here the idempotency key, else the name, else the
 * statements, so that sending it again changes nothing.
 */
const upsertMigration: AsyncHandler<Operations["upsertMigration"]> = async (sent) => {
  const { params, world, caller } = sent;
  requirePartner(world, caller);
  await inProjectDatabase(world, params.ref, (database) =>
    database.transaction(async () => {
      const history = await readHistory(database);
      const migration = migrationFrom(sent, history);
      const recorded =
        migration.idempotencyKey !== null
          ? recordedUnderKey(history, migration)
          : history.findLast(({ name, statements }) =>
              migration.name === null
                ? name === null && statements.join() === migration.statements.join()
                : name === migration.name,
            );
      await writeMigration(database, {
        ...migration,
        version: recorded?.version ?? migration.version,
        createdBy: recorded?.createdBy ?? migration.createdBy,
        idempotencyKey: migration.idempotencyKey ?? recorded?.idempotencyKey ?? null,
      });
    }),
  );
};

/**
 * Takes back what is at or after a version, newest first and all or nothing (service, Migrations). One without
 * rollback statements is only removed from the history: nothing else removes what was recorded without being applied.
 */
const rollbackMigrations: AsyncHandler<Operations["rollbackMigrations"]> = async ({
  params,
  query,
  world,
  caller,
}) => {
  requirePartner(world, caller);
  await inProjectDatabase(world, params.ref, (database) =>
    database.transaction(async () => {
      const history = await readHistory(database);
      for (const migration of history.toReversed()) {
        if (inOrder(migration.version, query.gte) < 0) continue;
        for (const statement of migration.rollback) await takeBack(database, migration, statement);
        await database.exec("reset session authorization; reset role");
        await removeMigration(database, migration.version);
      }
    }),
  );
};

async function takeBack(
  database: Database,
  { version }: MigrationHistoryRow,
  statement: string,
): Promise<void> {
  try {
    await database.exec(statement);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new QuotingRefusal(
      400,
      `Failed to roll back migration ${version}: ${describeFault(error.fault, statement)}`,
    );
  }
}

const updateMigration: AsyncHandler<Operations["updateMigration"]> = async ({
  params,
  body,
  world,
  caller,
}) => {
  requirePartner(world, caller);
  const rollback = body.rollback === undefined ? undefined : rollbackOf(body.rollback);
  await inProjectDatabase(world, params.ref, (database) =>
    database.transaction(async () => {
      const migration = await migrationAt(database, params.version);
      await writeMigration(database, {
        ...migration,
        name: body.name ?? migration.name,
        rollback: rollback ?? migration.rollback,
      });
    }),
  );
};

function migrationFrom(
  { params, headers, body, world, caller }: ApplyMigrationRequest,
  history: readonly MigrationHistoryRow[],
): MigrationHistoryRow {
  return {
    version: nextVersion(world.clock.now(), history),
    name: body.name ?? null,
    statements: splitStatements(body.query),
    rollback: body.rollback === undefined ? [] : rollbackOf(body.rollback),
    createdBy: emailOf(world, params.ref, caller),
    idempotencyKey: headers["Idempotency-Key"] ?? null,
  };
}

function rollbackOf(script: string): string[] {
  const whole = withinOneTransaction(script);
  if (whole === undefined) {
    throw new Refusal(400, "A rollback runs in one transaction: it cannot begin or end one of its own");
  }
  return splitStatements(whole);
}

function emailOf(world: World, ref: string, caller: CallSource): string {
  const user = actingUser(caller);
  const organization = world.state.organizations.get(projectAt(world, ref).organizationSlug);
  return organization?.members.get(user)?.email ?? user;
}

function recordedUnderKey(
  history: readonly MigrationHistoryRow[],
  { idempotencyKey }: MigrationHistoryRow,
): MigrationHistoryRow | undefined {
  return idempotencyKey === null ? undefined : history.find((one) => one.idempotencyKey === idempotencyKey);
}

async function migrationAt(database: Database, version: string): Promise<MigrationHistoryRow> {
  const history = await readHistory(database);
  return requireFound(
    history.find((one) => one.version === version),
    `Migration ${version} not found`,
  );
}

/** Unknown who else is let in: here everybody, unless the state names the applications (service, Versions). */
function requirePartner({ state }: World, { identity }: CallSource): void {
  const partners = state.migrationPartners;
  if (partners === null || partners.some((clientId) => identity === `app:${clientId}`)) return;
  throw new Refusal(403, "Forbidden: migrations are for selected partner OAuth applications only");
}

export const migrationHandlers = {
  listMigrations,
  getMigration,
  applyMigration,
  upsertMigration,
  rollbackMigrations,
  updateMigration,
};
