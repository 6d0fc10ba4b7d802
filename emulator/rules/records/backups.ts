import { z } from "zod";
import { backupsResponse } from "../../../spec/operations/backups";
import { mapOf, time } from "./fields";

const backupStatus = backupsResponse.shape.backups.element.shape.status;

export const backupsRecord = z.strictObject({
  /** Whether backups are copies of the files even without point-in-time recovery. */
  physical: z.boolean(),
  /** When point-in-time recovery was switched on; null counts as "when the project was created". */
  pitrSince: time.nullable(),
  /** By `inserted_at`: how a backup ended, where it did not simply complete. */
  statuses: mapOf(z.string(), backupStatus),
});
export type BackupsRecord = z.infer<typeof backupsRecord>;

export function newBackups(): BackupsRecord {
  // service, Defaults: copies of the files, by WAL-G.
  return { physical: true, pitrSince: null, statuses: new Map() };
}
