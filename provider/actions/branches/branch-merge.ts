import { z } from "zod";
import { defineAction, everyAction } from "../define-action";
import { branchInputs, inActionRun, migrationVersion } from "../branch-run";
import { fingerprint } from "../consent";
import { consentProblems, requireConsent } from "../merge-consent";

const merging = inActionRun(
  (ctx, ref, body) => ctx.api.mergeBranch({ branch_id_or_ref: ref, body }),
  requireConsent,
);

/** Merges a branch into its project. */
export const branchMerge = defineAction({
  type: "BranchMerge",
  description:
    "Merges a branch into the project that it was made from: its migrations, what else differs in its schema, and its functions. Where the difference alters or drops something that no new migration of the branch does, creation shows it, merges nothing and asks for `confirm`. Creation follows the action run to its end; if the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion(
      "Version of the last migration to merge; if omitted, everything is merged.",
    ),
    confirm: fingerprint(
      "a difference",
      "Consent to a difference of the branch from its project, by the fingerprint that the refusal names. Another difference asks again.",
    ),
    ...everyAction,
  }),
  ...merging,
  problems: { ...merging.problems, ...consentProblems },
});
