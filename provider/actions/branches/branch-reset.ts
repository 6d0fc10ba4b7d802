import { z } from "zod";
import { confirmation, defineAction, everyAction } from "../define-action";
import { branchInputs, createRunSteps, migrationVersion } from "./shared/branch-run";

/** Makes the database of a branch anew. */
export const branchReset = defineAction({
  type: "BranchReset",
  description:
    "Recreates the database of a branch. All its data is lost. Creation waits for the action run. If the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    confirm: confirmation("the loss of all data of the branch `branchRef`"),
    migrationVersion: migrationVersion(
      "Version of the last migration to apply to the empty database. Default: the state of the parent project.",
    ),
    ...everyAction,
  }),
  needsConfirmation: true,
  ...createRunSteps((_ctx, { branchRef }, body, begin) =>
    begin((once) => once.api.resetBranch({ branch_id_or_ref: branchRef, body })),
  ),
});
