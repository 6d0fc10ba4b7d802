import { z } from "zod";
import { replaces } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";
import { confirmation, defineAction, everyAction } from "../define-action";
import { runRestore } from "./shared/restores";

const inputs = z.strictObject({
  projectRef,
  confirm: confirmation("the loss of all data written to `projectRef` after the backup"),
  backupId: replaces(z.int().min(0).describe("Identifier of the backup, as in `getBackups`.")),
  ...everyAction,
});

/** Takes a project back to one of its daily backups. */
export const backupRestore = defineAction({
  type: "BackupRestore",
  description:
    "Restores the data of a project from a daily backup. Everything written after the backup is lost, and the project is unavailable during the restore. Creation waits until the project is healthy again. If it is unknown whether a restore has started, the provider does not start it again. Some installations do not have this operation.",
  inputs,
  ...runRestore<z.output<typeof inputs>>(
    (ctx, { projectRef: ref, backupId: id }) => ctx.api.restoreBackup({ ref, body: { id } }),
    ({ backupId }) => `the backup ${backupId}`,
  ),
});
