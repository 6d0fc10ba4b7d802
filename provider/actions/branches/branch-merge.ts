import { z } from "zod";
import { defineAction, everyAction } from "../../converge/action";
import { branchInputs, inActionRun, migrationVersion } from "../branch-run";

/** Merges a branch into its project. */
export const branchMerge = defineAction({
  type: "BranchMerge",
  description:
    "Merges a branch into the project that it was made from: its migrations, what else differs in its schema, and its functions. Creation follows the action run to its end; if the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion(
      "Version of the last migration to merge; if omitted, everything is merged.",
    ),
    ...everyAction,
  }),
  ...inActionRun((ctx, ref, body) => ctx.api.mergeBranch({ branch_id_or_ref: ref, body })),
});
