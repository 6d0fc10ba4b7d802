import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, answersEmpty, answersOfNamed, json, operation } from "../../operation";
import { projectRef, timestamp } from "../../shared-fields";

export const backupScheduleResponse = z.object({ schedule_for: z.string(), updated_at: timestamp });

export const updateBackupScheduleBody = z.object({ schedule_for: z.string() });

export const restoreBackupBody = z.object({ id: z.int() });

export const restorePointStatus = z.enum(["AVAILABLE", "PENDING", "REMOVED", "FAILED"]);

export const restorePointResponse = z.object({
  name: identifier(z.string()),
  status: restorePointStatus,
  completed_on: timestamp.nullable(),
});

export const restorePointPostBody = z.object({ name: z.string().max(20) });

export const undoBody = z.object({ name: z.string().max(20) });

/** `GET /v1/projects/{ref}/database/backups/schedule` */
export const getBackupSchedule = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/backups/schedule",
  params: z.object({ ref: projectRef }),
  success: answers(200, backupScheduleResponse),
  errors: [401, 402, 403, 404, 429, 500],
  scope: "database:read",
  permissions: [["backups_read"]],
});

/** `PATCH /v1/projects/{ref}/database/backups/schedule` */
export const updateBackupSchedule = operation({
  method: "PATCH",
  path: "/v1/projects/{ref}/database/backups/schedule",
  params: z.object({ ref: projectRef }),
  body: json(updateBackupScheduleBody),
  success: answers(200, backupScheduleResponse),
  errors: [400, 401, 402, 403, 404, 429, 500],
  scope: "database:write",
  permissions: [["backups_write"]],
});

/** `POST /v1/projects/{ref}/database/backups/restore` */
export const restoreBackup = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/backups/restore",
  params: z.object({ ref: projectRef }),
  body: json(restoreBackupBody),
  success: answersEmpty(201),
  errors: [401, 403, 429],
  scope: "database:write",
  permissions: [["backups_write"]],
  isLong: true,
});

/** `GET /v1/projects/{ref}/database/backups/restore-point` */
export const getRestorePoint = operation({
  method: "GET",
  path: "/v1/projects/{ref}/database/backups/restore-point",
  params: z.object({ ref: projectRef }),
  query: z.object({ name: z.string().max(20).optional() }),
  success: answers(200, restorePointResponse),
  errors: [401, 403, 429, 500],
  scope: "database:read",
  permissions: [["backups_read"]],
});

/** `POST /v1/projects/{ref}/database/backups/restore-point` */
export const createRestorePoint = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/backups/restore-point",
  params: z.object({ ref: projectRef }),
  body: json(restorePointPostBody),
  success: answersOfNamed(201, restorePointResponse),
  errors: [401, 403, 429],
  scope: "database:write",
  permissions: [["backups_write"]],
  isLong: true,
});

/** `POST /v1/projects/{ref}/database/backups/undo` */
export const undoToRestorePoint = operation({
  method: "POST",
  path: "/v1/projects/{ref}/database/backups/undo",
  params: z.object({ ref: projectRef }),
  body: json(undoBody),
  success: answersEmpty(201),
  errors: [401, 403, 429],
  scope: "database:write",
  permissions: [["backups_write"]],
  isLong: true,
});

export const newerBackupsOperations = {
  getBackupSchedule,
  updateBackupSchedule,
  restoreBackup,
  getRestorePoint,
  createRestorePoint,
  undoToRestorePoint,
};
