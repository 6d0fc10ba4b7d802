import type { Database } from "./databases";
import { readPlatformSql } from "../sql/platform/new-database";

/** Makes what triggers call to send a row to an address. */
export async function installWebhooks(database: Database): Promise<void> {
  const sql = readPlatformSql("webhooks", database.names);
  await database.asPlatform(() => database.transaction(() => database.exec(sql)));
}
