import { Refusal } from "../../handler";
import { DatabaseError } from "../../sql/database-error";
import type { Database } from "../../sql/databases";
import { describeFault } from "../../sql/describe-fault";
import type { World } from "../../world/world";
import { settledProjectAt } from "../access";
import { refusesWrites } from "./readonly-mode";

/**
 * Runs `work` on the database of a settled project, which refuses writes while the project is in read-only mode. What
 * Postgres refuses becomes a 400 that quotes it, with the part of `sql` that it complains about.
 */
export async function inProjectDatabase<T>(
  world: World,
  ref: string,
  work: (database: Database) => Promise<T>,
  sql?: string,
): Promise<T> {
  settledProjectAt(world, ref, "db");
  try {
    return await world.databases.use(ref, async (database) => {
      // Asked now, as the work may have waited: only the first statement that writes is refused (25006).
      const project = world.state.projects.get(ref);
      if (project !== undefined && refusesWrites(world, project)) {
        await database.exec("set default_transaction_read_only = on");
      }
      return work(database);
    });
  } catch (error) {
    if (error instanceof DatabaseError) {
      throw new Refusal(400, `Failed to run sql query: ${describeFault(error.fault, sql)}`);
    }
    throw error;
  }
}
