import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { fingerprint, requireConfirmed } from "../../define/consent";
import type { Context } from "../../define/context";
import { branchInputs, createRunSteps, migrationVersion } from "./shared/branch-run";
import { readBrought, type TransferInputs } from "./shared/consent";
import { defineAction, everyAction } from "../define-action";

const pushing = createRunSteps<TransferInputs>(
  (_ctx, { branchRef }, body, begin) =>
    begin((once) => once.api.pushBranch({ branch_id_or_ref: branchRef, body })),
  { require: requireNew },
);

const pushProblems = {
  notConsented: defineProblem({
    says: "Pushing the migrations of {ref} to the branch {branchRef} may apply changes twice: {why}. Nothing was pushed{given}. {remedy}.\nThe migrations, with the fingerprint {fingerprint}:\n{shown}",
    means:
      "The branch has a migration of the project under another version, or it has tables but no migration history.",
    remedy:
      "Push up to an earlier `migrationVersion`. Or, if the migrations may be applied again, set `confirm` to the fingerprint",
  }),
};

/** Brings the migrations of a project to a branch. */
export const branchPush = defineAction({
  type: "BranchPush",
  description:
    "Pushes the migrations and functions of a project to one of its branches. Functions of the same name are overwritten. If the branch already has one of them under another version, creation fails, shows the migrations and asks for `confirm`. Creation waits for the action run. If the run fails, the error quotes the end of its log.",
  inputs: z.strictObject({
    ...branchInputs,
    migrationVersion: migrationVersion("Version of the last migration to apply. Default: all."),
    confirm: fingerprint(
      "migrations",
      "Consent to the migrations that the error shows: their fingerprint. If they change, creation asks again.",
    ),
    ...everyAction,
  }),
  ...pushing,
  problems: { ...pushing.problems, ...pushProblems },
});

/** Refuses a push that may apply again what the branch has, unless the program names the very migrations. */
async function requireNew(ctx: Context, push: TransferInputs): Promise<void> {
  const { projectRef: ref, branchRef, migrationVersion: upTo, confirm } = push;
  const brought = await readBrought(ctx, {
    from: { ref, word: "project" },
    to: { ref: branchRef, word: "branch" },
    by: "push",
    upTo,
  });
  if (brought === undefined || brought.reasons.length === 0) return;
  const shown = brought.shown.join("\n");
  const given = confirm === undefined ? "" : ", because `confirm` belongs to other migrations";
  const why = brought.reasons.join("; ");
  requireConfirmed(shown, confirm, (fingerprint) =>
    pushProblems.notConsented.message({ ref, branchRef, why, given, fingerprint, shown }),
  );
}
