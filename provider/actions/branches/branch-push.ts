import { z } from "zod";
import { defineAction, everyAction } from "../../converge/action";
import { branchInputs, inActionRun, migrationVersion } from "../branch-run";

/** Brings the migrations of a project to a branch. */
export const branchPush = defineAction({
  type: "BranchPush",
  description:
    "Brings the migrations of a project to a branch that was made from it. Creation follows the action run to its end; if the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion(
      "Version of the last migration to apply; if omitted, all are applied.",
    ),
    ...everyAction,
  }),
  ...inActionRun((ctx, ref, body) => ctx.api.pushBranch({ branch_id_or_ref: ref, body })),
});
