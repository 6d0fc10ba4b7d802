import type { Context } from "../define/context";
import { absenceProblems } from "../define/problems";

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
