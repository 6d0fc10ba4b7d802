import type { Context } from "../define/context";
import { absenceProblems } from "../define/problems";
import { ACTIVE_HEALTHY } from "../define/project-status";
import { readOwnerStateOnce, UnprovenAbsenceError } from "./owner-state";

/**
 * Throws before a write that would rest on an empty listing, as it lacks what the state has, where the project or branch is not
 * active: what is there would be written anew, overwritten or forgotten.
 */
export async function refuseEmptyListing(ctx: Context, ref: string, things: string): Promise<void> {
  if (!ctx.hasEmptyAnswer(ref)) return;
  const owner = await readOwnerStateOnce(ctx, ref);
  if (owner.kind !== "found" || owner.status === ACTIVE_HEALTHY) return;
  const { subject, status } = owner;
  throw new UnprovenAbsenceError(absenceProblems.nothingListed.message({ things, subject, ref, status }));
}

interface KeptObject {
  /** The project or branch that it is in. */
  readonly owner: string;
  readonly type: string;
  readonly id: string;
  /** Why what the service does not show may still be there. */
  readonly reason: string;
}

/** Reports, once for each project in a run, that what the service does not show stays in the state. */
export async function warnOfKeptOnce(ctx: Context, { owner, type, id, reason }: KeptObject): Promise<void> {
  await ctx.shared.list(`kept:${owner}`, () => {
    ctx.warn(absenceProblems.keptInState.message({ type, id, reason }));
    return Promise.resolve(true);
  });
}
