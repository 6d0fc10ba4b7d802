import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const backup = z
  .object({
    backupId: z
      .int()
      .describe("Identifier of the backup, for `BackupRestore`. Some installations do not return it.")
      .optional(),
    createdAt: z.string().describe("Start time of the backup, ISO 8601."),
    status: z
      .string()
      .describe("`COMPLETED`, `FAILED`, `PENDING`, `REMOVED`, `ARCHIVED` or `CANCELLED`.")
      .optional(),
    isPhysicalBackup: z
      .boolean()
      .describe("Whether it is a copy of the database's files instead of a dump.")
      .optional(),
  })
  .describe("A daily backup of a database.");

const outputs = z.object({
  backups: z.array(backup).describe("The available daily backups."),
  pitrEnabled: z
    .boolean()
    .describe("Whether the project can be restored to a point in time, which requires a billing add-on.")
    .optional(),
  walgEnabled: z.boolean().describe("Whether backups are copies of the database's files.").optional(),
  earliestPhysicalBackupAt: z
    .string()
    .describe(
      "Time of the first copy of the files, ISO 8601. With `pitrEnabled`, the earliest time to restore to.",
    )
    .optional(),
  latestPhysicalBackupAt: z
    .string()
    .describe(
      "Time of the last copy of the files, ISO 8601. With `pitrEnabled`, the latest time to restore to.",
    )
    .optional(),
  region: z.string().describe("Region of the backups.").optional(),
});

/** The backups of a project's database. */
export const getBackups = defineFunction({
  name: "getBackups",
  description: "Lists the backups of a project's database and the range of its point-in-time recovery.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "backups", () => ctx.api.backups({ ref }));
    const { physical_backup_data: range } = found;
    return {
      backups: found.backups.map(({ id, inserted_at, status, is_physical_backup }) => ({
        createdAt: inserted_at,
        ...pickPresentFields({ backupId: id, status, isPhysicalBackup: is_physical_backup }),
      })),
      ...pickPresentFields({
        pitrEnabled: found.pitr_enabled,
        walgEnabled: found.walg_enabled,
        earliestPhysicalBackupAt: formatBackupTime(range?.earliest_physical_backup_date_unix),
        latestPhysicalBackupAt: formatBackupTime(range?.latest_physical_backup_date_unix),
        region: found.region,
      }),
    };
  },
});

function formatBackupTime(seconds: number | null | undefined): string | undefined {
  return seconds == null ? undefined : new Date(seconds * 1_000).toISOString();
}
