import type { z } from "zod";
import type { runStepName } from "../../../spec/operations/action-runs";
import type { branchStatus } from "../../../spec/operations/branches";

export type BranchStatus = z.infer<typeof branchStatus>;
export type RunStepName = z.infer<typeof runStepName>;

export interface StepFailure {
  readonly step: RunStepName;
  /** What the step wrote before it died. */
  readonly log: string;
}

export interface ActionRunRecord {
  readonly id: string;
  readonly since: number;
  failure: StepFailure | null;
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
  /** Oldest first; the default branch has none. */
  readonly runs: ActionRunRecord[];
  /** Shown instead of what the newest run says. */
  forcedStatus: BranchStatus | null;
  /** Whether its parent was deleted while it was being made. */
  orphaned: boolean;
}
