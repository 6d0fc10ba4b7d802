import { z } from "zod";
import { identifier } from "../identifier";
import { answers, answersEmpty, json, operation } from "../operation";
import { projectRef } from "../shared-fields";

export const backupsResponse = z.object({
  region: z.string(),
  walg_enabled: z.boolean(),
  pitr_enabled: z.boolean(),
  backups: z.array(
    z.object({
      is_physical_backup: z.boolean(),
      status: z.enum(["COMPLETED", "FAILED", "PENDING", "REMOVED", "ARCHIVED", "CANCELLED"]),
      inserted_at: identifier(z.string()),
      /** Newer services show it (service, Newer operations). */
      id: z.int().optional(),
    }),
  ),
  physical_backup_data: z.object({
    earliest_physical_backup_date_unix: z.int().optional(),
    latest_physical_backup_date_unix: z.int().optional(),
  }),
});

export const restorePitrBody = z.object({ recovery_time_target_unix: z.int().min(0) });

/** `GET /v1/projects/{ref}/database/backups` */
export const listBackups = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/backups",
  params: z.object({ ref: projectRef }),
  success: answers(200, backupsResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["backups_read"]],
});

/** `POST /v1/projects/{ref}/database/backups/restore-pitr` */
export const restorePitr = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/backups/restore-pitr",
  params: z.object({ ref: projectRef }),
  body: json(restorePitrBody),
  success: answersEmpty(201),
  errors: [401, 403, 429],
  scope: "database:write",
  permissions: [["backups_write"]],
  isLong: true,
});

export const backupsOperations = { listBackups, restorePitr };
