import type { z } from "zod";
import type { runStepName, runStepStatus } from "../../../spec/operations/action-runs";
import type { branchStatus } from "../../../spec/operations/branches";

export type BranchStatus = z.infer<typeof branchStatus>;
export type RunStepName = z.infer<typeof runStepName>;
export type RunStepStatus = z.infer<typeof runStepStatus>;
/** What an action run does: it makes a branch, or brings one of two databases up to the other. */
export type RunKind = "create" | "merge" | "push" | "reset";

export interface StepFailure {
  readonly step: RunStepName;
  /** What the step wrote before it died. */
  readonly log: string;
}

export interface ActionRunRecord {
  readonly id: string;
  readonly kind: RunKind;
  /** The branch that was merged into the one whose run this is. */
  readonly mergedBranchId: string | null;
  readonly since: number;
  failure: StepFailure | null;
  /** What the steps wrote besides when they began and ended. */
  readonly notes: { step: RunStepName; text: string }[];
  /** What was said of a step from outside: it counts instead of what the clock says. */
  readonly reports: Map<RunStepName, StepReport>;
}

export interface StepReport {
  readonly status: RunStepStatus;
  readonly at: number;
  /** When the step after it begins; null for never. */
  readonly nextFrom: number | null;
}

export interface BranchRecord {
  readonly id: string;
  /** Its preview project; the project itself for the default branch. */
  readonly projectRef: string;
  readonly parentRef: string;
  readonly isDefault: boolean;
  name: string;
  gitBranch: string | null;
  persistent: boolean;
  readonly withData: boolean;
  notifyUrl: string | null;
  readonly createdAt: number;
  updatedAt: number;
  reviewRequestedAt: number | null;
  /** When it goes. */
  deletionScheduledAt: number | null;
  /** Oldest first; the default branch has those of the branches that were merged into it. */
  readonly runs: ActionRunRecord[];
  /** Shown instead of what the newest run says. */
  forcedStatus: BranchStatus | null;
  /** Whether its parent was deleted while it was being made. */
  orphaned: boolean;
}
