import { z } from "zod";
import { confirmation, defineAction, everyAction } from "../define-action";
import { branchInputs, inActionRun, migrationVersion } from "./shared/branch-run";

/** Makes the database of a branch anew. */
export const branchReset = defineAction({
  type: "BranchReset",
  description:
    "Makes the database of a branch anew: all its data is lost. Creation follows the action run to its end; if the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    confirm: confirmation("the loss of all data of the branch `branchRef`"),
    migrationVersion: migrationVersion(
      "Version of the last migration that is applied to the empty database; if omitted, it begins as that of the project.",
    ),
    ...everyAction,
  }),
  needsConfirmation: true,
  ...inActionRun((ctx, ref, body) => ctx.api.resetBranch({ branch_id_or_ref: ref, body })),
});
