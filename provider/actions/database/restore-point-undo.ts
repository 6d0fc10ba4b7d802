import { z } from "zod";
import { replaces } from "../../define/markers";
import { projectRef } from "../../define/shared-inputs";
import { restorePointName } from "../../resources/database/shared/restore-points";
import { confirmation, defineAction, everyAction } from "../define-action";
import { runRestore } from "./shared/restores";

const inputs = z.strictObject({
  projectRef,
  confirm: confirmation("the loss of all data written to `projectRef` after the restore point"),
  name: replaces(restorePointName.describe("Name of the restore point, at most 20 characters.")),
  ...everyAction,
});

/** Takes a project back to a restore point. */
export const restorePointUndo = defineAction({
  type: "RestorePointUndo",
  description:
    "Restores the data of a project to a restore point. Everything written after it is lost, and the project is unavailable during the restore. Creation waits until the project is healthy again. If it is unknown whether a restore has started, the provider does not start it again. Some installations do not have this operation.",
  inputs,
  ...runRestore<z.output<typeof inputs>>(
    (ctx, { projectRef: ref, name }) => ctx.api.undoToRestorePoint({ ref, body: { name } }),
    ({ name }) => `the restore point ${name}`,
  ),
});
