import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt } from "../shared/project-at";
import { isShown } from "../shared/branch-progress";
import { branchesOf } from "../shared/branch-removal";
import type { ActionRunRecord, BranchRecord, RunKind } from "../../world/records/branch";
import type { ProjectRecord } from "../../world/records/project";
import { requireFound } from "../../answers/refusal";

export interface BranchRun {
  readonly branch: BranchRecord;
  readonly run: ActionRunRecord;
}

interface RunPlan {
  readonly kind: RunKind;
  /** Decides how the run ends. */
  readonly parent: ProjectRecord;
  readonly mergedBranchId?: string;
}

/** Begins a run of a branch; each next one fails as its parent's `next.branchFailure` says. */
export function beginRun(world: World, branch: BranchRecord, plan: RunPlan): ActionRunRecord {
  const { next } = plan.parent;
  const run: ActionRunRecord = {
    id: world.newId(),
    kind: plan.kind,
    mergedBranchId: plan.mergedBranchId ?? null,
    since: world.clock.now(),
    isFromGit: plan.kind === "create" && branch.gitBranch !== null,
    work: null,
    failure: next.branchFailure,
    notes: [],
    reports: new Map(),
  };
  next.branchFailure = null;
  branch.runs.push(run);
  branch.forcedStatus = null;
  branch.updatedAt = run.since;
  return run;
}

/**
 * Runs by the ref of a branch; by the parent's those of all branches, and the merges. Oldest first within a branch.
 * As documented in 2026-06, a branch's ref has its merges too.
 */
export function runsOf(world: World, ref: string): BranchRun[] {
  const { branchId } = projectAt(world, ref);
  return [...world.state.branches.values()]
    .filter(({ orphaned }) => !orphaned)
    .flatMap((branch) => branch.runs.map((run) => ({ branch, run })))
    .filter(({ run }) => isShown(world, run))
    .filter(
      ({ branch, run }) =>
        branch.projectRef === ref ||
        branch.parentRef === ref ||
        (branchId !== null && run.mergedBranchId === branchId && !isAsMeasured(world.state)),
    );
}

export function runAt(world: World, ref: string, runId: string): BranchRun {
  return requireFound(
    runsOf(world, ref).find(({ run }) => run.id === runId),
    "Action run not found",
  );
}

/** The branch that stands for the project itself, if there is one. */
export function defaultBranchOf(world: World, parent: ProjectRecord): BranchRecord | undefined {
  return branchesOf(world, parent).find(({ isDefault }) => isDefault);
}
