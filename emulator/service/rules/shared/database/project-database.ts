import type { Database } from "../../../../postgres/databases/databases";
import { isAsMeasured } from "../../../world/state";
import type { World } from "../../../world/world";
import { settledProjectAt } from "../project-at";
import type { ProjectRecord } from "../../../world/records/project";
import { finishDatabaseWork, hasDueWork } from "./database-work";
import { inDatabaseSession } from "./database-session";
import { Refusal } from "../../../answers/refusal";

/**
 * Runs `work` on the database of a settled project, which refuses writes while the project is in read-only mode and has all
 * that action runs were to do to it by now.
 */
export async function inProjectDatabase<T>(
  world: World,
  ref: string,
  work: (database: Database) => Promise<T>,
  sql?: string,
): Promise<T> {
  requireRestarted(world, settledProjectAt(world, ref, "db"));
  // Without a wait, work is done in the order in which it was asked for.
  if (hasDueWork(world, ref)) await finishDatabaseWork(world, ref);
  return inDatabaseSession(world, ref, work, sql);
}

/** How long Postgres is away after a switch of SSL, at pace 1, while the project stays healthy; the time is made up (service, SSL enforcement). */
const SSL_RESTART_MS = 3_000;

function requireRestarted(world: World, { sslEnforcement: { changedAt } }: ProjectRecord): void {
  if (!isAsMeasured(world.state) || changedAt === null) return;
  if (world.clock.now() >= changedAt + SSL_RESTART_MS * world.pace) return;
  throw new Refusal(544, "Connection terminated due to connection timeout");
}
