import { z } from "zod";
import { defineAction, everyAction } from "../define-action";
import { branchInputs, inActionRun, migrationVersion } from "../branch-run";
import { fingerprint } from "../consent";
import { pushProblems, requireNew } from "../push-consent";

const pushing = inActionRun(
  (ctx, ref, body) => ctx.api.pushBranch({ branch_id_or_ref: ref, body }),
  requireNew,
);

/** Brings the migrations of a project to a branch. */
export const branchPush = defineAction({
  type: "BranchPush",
  description:
    "Brings the migrations of a project to a branch that was made from it. If the branch already has one under another version, creation shows it, pushes nothing and asks for `confirm`. Creation follows the action run to its end; if the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion(
      "Version of the last migration to apply; if omitted, all are applied.",
    ),
    confirm: fingerprint(
      "migrations",
      "Consent to migrations that the branch may have already, by the fingerprint that the refusal names. Other migrations ask again.",
    ),
    ...everyAction,
  }),
  ...pushing,
  problems: { ...pushing.problems, ...pushProblems },
});
