import { z } from "zod";
import { ApiError, ForbiddenError, isNotFound } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import type { Inheritance } from "../../../define/resource";
import {
  EDGE_FUNCTIONS,
  toInheritedPart,
  listFunctionsOnce,
} from "../../functions/shared/edge-functions/calls";
import type { BranchRecord } from "./calls";

export const branchBookkeeping = z.object({
  /** The functions that the branch came with, which a `FunctionSet` or an `EdgeFunction` on it takes over. */
  __inheritedFunctions: z.record(z.string(), z.object({ id: z.string(), version: z.string() })).optional(),
});

type BranchBookkeeping = z.output<typeof branchBookkeeping>;

/** The bookkeeping within a state, which may hold anything. */
export function bookkeepingOf(state: object): BranchBookkeeping {
  return branchBookkeeping.catch({}).parse(state);
}

export function inheritanceOf(state: object): Inheritance | undefined {
  const { __inheritedFunctions: parts } = bookkeepingOf(state);
  return parts && { collection: EDGE_FUNCTIONS, parts };
}

/** After the end of the run that made a branch, what it does may show for a while; what comes later is of somebody else. */
const SHOWN_LATER_MS = 120_000;

/**
 * The functions that a branch came with: those that nobody has made or changed since the run that made the branch. Of a branch
 * whose functions the token may not list nothing is known.
 */
export async function findInheritedFunctions(ctx: Context, branch: BranchRecord): Promise<BranchBookkeeping> {
  const ref = branch.project_ref;
  const present = await listFunctionsOnce(ctx, ref).catch((error: unknown) => {
    if (error instanceof ForbiddenError || isNotFound(error)) return undefined;
    throw error;
  });
  if (present === undefined) return {};
  if (present.size === 0) return { __inheritedFunctions: {} };
  const untilMs = (await readTimeOfCreation(ctx, branch)) + SHOWN_LATER_MS;
  const inherited = [...present].flatMap(([slug, record]) => {
    const changedAt = record.updated_at ?? record.created_at;
    const part = toInheritedPart(record);
    return changedAt == null || changedAt > untilMs || part === undefined ? [] : [[slug, part] as const];
  });
  return { __inheritedFunctions: Object.fromEntries(inherited) };
}

/** When the run ended that made the branch, or when it was created, where the token sees no run. */
async function readTimeOfCreation(
  ctx: Context,
  { project_ref: ref, id, created_at }: BranchRecord,
): Promise<number> {
  const runs = await ctx.api.listActionRuns({ ref }).catch((error: unknown) => {
    if (error instanceof ApiError && [400, 403, 404].includes(error.status)) return [];
    throw error;
  });
  const [first] = runs
    .filter(({ branch_id }) => branch_id == null || branch_id === id)
    .sort((one, other) => toMs(one.created_at) - toMs(other.created_at));
  return Math.max(toMs(created_at), ...(first?.run_steps ?? []).map(({ updated_at }) => toMs(updated_at)));
}

function toMs(time: string | null | undefined): number {
  return Date.parse(time ?? "") || 0;
}
