import type { z } from "zod";
import type { backupsResponse } from "../../../spec/operations/backups";

export type BackupStatus = z.output<typeof backupsResponse>["backups"][number]["status"];

export interface BackupsRecord {
  /** Whether backups are copies of the files even without point-in-time recovery. */
  physical: boolean;
  /** When point-in-time recovery was switched on; null counts as "when the project was created". */
  pitrSince: number | null;
  /** By `inserted_at`: how a backup ended, where it did not simply complete. */
  readonly statuses: Map<string, BackupStatus>;
}

export function newBackups(): BackupsRecord {
  return { physical: false, pitrSince: null, statuses: new Map() };
}
