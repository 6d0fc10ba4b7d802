import { DatabaseError } from "../../../../postgres/sql/database-error";
import type { Database } from "../../../../postgres/databases/databases";
import { describeFault } from "../../../../postgres/sql/describe-fault";
import { installWebhooks } from "../../../../postgres/databases/webhooks";
import type { World } from "../../../world/world";
import type { ProjectRecord } from "../../../world/records/project";
import { refusesWrites } from "./readonly-mode";
import { QuotingRefusal } from "../../../answers/refusal";
import { showPendingRestarts } from "./pending-restarts";

/**
 * Runs `work` on the database of a project or a branch, whatever state that is in. What Postgres refuses becomes a 400 that
 * quotes it, with the part of `sql` that it complains about.
 */
export async function inDatabaseSession<T>(
  world: World,
  ref: string,
  work: (database: Database) => Promise<T>,
  sql?: string,
): Promise<T> {
  try {
    const isFirst = !world.databases.isUsed(ref);
    return await world.databases.use(ref, async (database) => {
      const project = world.state.projects.get(ref);
      if (isFirst && project?.webhooksEnabled === true) await installWebhooks(database);
      if (project !== undefined) await showPendingRestarts(database, project);
      await database.exec(`set emulator.now = '${new Date(world.clock.now()).toISOString()}'`);
      // Asked now, as the work may have waited: only the first statement that writes is refused (25006).
      if (project !== undefined && refusesWrites(world, project)) {
        await database.exec("set default_transaction_read_only = on");
      }
      return work(database);
    });
  } catch (error) {
    if (error instanceof DatabaseError) {
      throw new QuotingRefusal(400, `Failed to run sql query: ${describeFault(error.fault, sql)}`);
    }
    throw error;
  }
}

/** Lets the database of `to` begin as that of `from` is. */
export function copyProjectDatabase(
  world: World,
  from: ProjectRecord,
  to: ProjectRecord,
  { withData }: { readonly withData: boolean },
): void {
  world.databases.copy(from.ref, to.ref, { withData });
  to.webhooksEnabled = from.webhooksEnabled;
}
