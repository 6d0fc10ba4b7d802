import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { presentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const backup = z
  .object({
    createdAt: z.string().describe("Time at which the backup was begun, ISO 8601."),
    status: z
      .string()
      .describe("`COMPLETED`, `FAILED`, `PENDING`, `REMOVED`, `ARCHIVED` or `CANCELLED`.")
      .optional(),
    isPhysicalBackup: z
      .boolean()
      .describe("Whether it is a copy of the database's files, not a dump.")
      .optional(),
  })
  .describe("A daily backup of a database.");

const outputs = z.object({
  backups: z.array(backup).describe("The daily backups that are kept."),
  pitrEnabled: z
    .boolean()
    .describe("Whether the project can be restored to a point in time, which is a billing add-on.")
    .optional(),
  walgEnabled: z.boolean().describe("Whether backups are copies of the database's files.").optional(),
  earliestPhysicalBackupAt: z
    .string()
    .describe(
      "From when on there are copies of the files, ISO 8601: with `pitrEnabled`, the earliest time to restore to.",
    )
    .optional(),
  latestPhysicalBackupAt: z
    .string()
    .describe(
      "Until when there are copies of the files, ISO 8601: with `pitrEnabled`, the latest time to restore to.",
    )
    .optional(),
  region: z.string().describe("Region where the backups are.").optional(),
});

/** The backups of a project's database. */
export const getBackups = defineFunction({
  name: "getBackups",
  description:
    "Lists the backups of a project's database, and from when to when it can be restored to a point in time.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "backups", () => ctx.api.backups({ ref }));
    const { physical_backup_data: range } = found;
    return {
      backups: found.backups.map(({ inserted_at, status, is_physical_backup }) => ({
        createdAt: inserted_at,
        ...presentFields({ status, isPhysicalBackup: is_physical_backup }),
      })),
      ...presentFields({
        pitrEnabled: found.pitr_enabled,
        walgEnabled: found.walg_enabled,
        earliestPhysicalBackupAt: isoTime(range?.earliest_physical_backup_date_unix),
        latestPhysicalBackupAt: isoTime(range?.latest_physical_backup_date_unix),
        region: found.region,
      }),
    };
  },
});

function isoTime(seconds: number | null | undefined): string | undefined {
  return seconds == null ? undefined : new Date(seconds * 1_000).toISOString();
}
