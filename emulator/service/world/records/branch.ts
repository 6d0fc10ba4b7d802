import { z } from "zod";
import { runStepName, runStepStatus } from "../../../../spec/operations/action-runs";
import { branchStatus } from "../../../../spec/operations/branches";
import { mapOf, time } from "./fields";

export type BranchStatus = z.infer<typeof branchStatus>;
export type RunStepName = z.infer<typeof runStepName>;
export type RunStepStatus = z.infer<typeof runStepStatus>;

/** What an action run does: it makes a branch, or brings one of two databases up to the other. */
const runKind = z.enum(["create", "merge", "push", "reset"]);
export type RunKind = z.infer<typeof runKind>;

export const stepFailure = z.strictObject({
  step: runStepName,
  /** What the step wrote before it died. */
  log: z.string(),
});

const stepReport = z.strictObject({
  status: runStepStatus,
  at: time,
  /** When the step after it begins; null for never. */
  nextFrom: time.nullable(),
});

/** A row of the history of migrations, as `sql-migrations/history.ts` has it. */
const migrationRow = z.strictObject({
  version: z.string(),
  name: z.string().nullable(),
  statements: z.array(z.string()).readonly(),
  rollback: z.array(z.string()).readonly(),
  createdBy: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
});

/** What a run does to a database later than it began. */
const databaseWork = z.discriminatedUnion("kind", [
  /** Builds the branch's database. */
  z.strictObject({ kind: z.literal("build"), at: time, withData: z.boolean() }),
  /** Applies these to the parent's. */
  z.strictObject({ kind: z.literal("migrate"), at: time, migrations: z.array(migrationRow) }),
]);
export type DatabaseWork = z.infer<typeof databaseWork>;

const actionRunRecord = z.strictObject({
  id: z.string(),
  kind: runKind,
  /** The branch that was merged into the one whose run this is. */
  mergedBranchId: z.string().nullable(),
  since: time,
  /** Whether the branch that it makes follows a Git branch. */
  isFromGit: z.boolean().default(false),
  /** Null when it is done. */
  work: databaseWork.nullable().default(null),
  failure: stepFailure.nullable(),
  /** What the steps wrote besides when they began and ended. */
  notes: z.array(z.strictObject({ step: runStepName, text: z.string() })),
  /** What an operator reported of a step; it overrides what follows from the clock. */
  reports: mapOf(runStepName, stepReport),
});
export type ActionRunRecord = z.infer<typeof actionRunRecord>;

export const branchRecord = z.strictObject({
  id: z.string(),
  /** Its preview project; the project itself for the default branch. */
  projectRef: z.string(),
  parentRef: z.string(),
  isDefault: z.boolean(),
  name: z.string(),
  /** What listings still show after a rename. */
  formerName: z.strictObject({ name: z.string(), until: time }).nullable().default(null),
  gitBranch: z.string().nullable(),
  persistent: z.boolean(),
  withData: z.boolean(),
  notifyUrl: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
  reviewRequestedAt: time.nullable(),
  /** When it goes. */
  deletionScheduledAt: time.nullable(),
  /** Oldest first; the default branch has those of the branches that were merged into it. */
  runs: z.array(actionRunRecord),
  /** Shown instead of what the newest run says. */
  forcedStatus: branchStatus.nullable(),
  /** Whether its parent was deleted while it was being made. */
  orphaned: z.boolean(),
});
export type BranchRecord = z.infer<typeof branchRecord>;
