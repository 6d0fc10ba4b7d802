import { defineProblem } from "../client/errors/problem";
import type { Context } from "../define/context";
import { broughtBy } from "./brought-migrations";
import { requireConfirmed, type Transfer } from "./consent";

export const pushProblems = {
  notConsented: defineProblem({
    says: "Pushing the migrations of {ref} to the branch {branchRef} may apply again what the branch has: {why}. Nothing was pushed{given}. {remedy}.\nThe migrations, with the fingerprint {fingerprint}:\n{shown}",
    means:
      "The branch has the statements of a migration of the project under another version, or has tables and no history of migrations.",
    remedy:
      "Push up to an earlier `migrationVersion`, or, if they may be applied again, set `confirm` to the fingerprint",
  }),
};

/** Refuses a push that may apply again what the branch has, unless the program names the very migrations. */
export async function requireNew(ctx: Context, push: Transfer): Promise<void> {
  const { projectRef: ref, branchRef, migrationVersion: upTo, confirm } = push;
  const brought = await broughtBy(ctx, {
    from: { ref, word: "project" },
    to: { ref: branchRef, word: "branch" },
    by: "push",
    upTo,
  });
  if (brought === undefined || brought.reasons.length === 0) return;
  const shown = brought.shown.join("\n");
  const given = confirm === undefined ? "" : ", as `confirm` is of other migrations";
  const why = brought.reasons.join("; ");
  requireConfirmed(shown, confirm, (fingerprint) =>
    pushProblems.notConsented.message({ ref, branchRef, why, given, fingerprint, shown }),
  );
}
