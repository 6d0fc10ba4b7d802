import type { Database } from "../../sql/databases";
import type { World } from "../../world/world";
import { settledProjectAt } from "../access";
import { finishDatabaseWork, hasDueWork } from "../branches/database-work";
import { inDatabaseSession } from "./database-session";

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
  settledProjectAt(world, ref, "db");
  // Without a wait, work is done in the order in which it was asked for.
  if (hasDueWork(world, ref)) await finishDatabaseWork(world, ref);
  return inDatabaseSession(world, ref, work, sql);
}
