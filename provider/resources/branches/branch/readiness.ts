import { ApiError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll, type Verdict } from "../../../waiting/poll";
import { waitForServices } from "../../../waiting/project-health";
import {
  isKnownStatus,
  mayPassWhileStarting,
  createTerminalError,
  trackRestore,
} from "../../../waiting/project-state";
import { writeOnce } from "../../../waiting/write-once";
import {
  findDeadStep,
  isAtWork,
  readLogEnd,
  listOpenSteps,
  WITHOUT_LOG,
  type ActionRun,
} from "../shared/action-run";
import {
  getConnection,
  requireBranch,
  branchNameOf,
  type BranchConnection,
  type BranchRecord,
} from "./calls";
import { problems } from "../shared/branch-problems";

interface ObservedBranch {
  readonly branch: BranchRecord;
  /** State of the branch's own project; undefined while the service does not give it. */
  readonly projectStatus: string | undefined;
  readonly run: ActionRun | undefined;
}

interface BranchWait {
  readonly parentRef: string;
  readonly branchRef: string;
  /** Whether the program has just created it: its run then has to be seen. */
  readonly isNew: boolean;
}

/** How long the run of a new branch may take to show: there is none, or the token may not see it, after that. */
const RUN_SHOWN_MS = 90_000;

/** Whether the branch is so new that its run may not show yet. */
export function isRunToShow(
  { clock }: Pick<Context, "clock">,
  { createdAt = "" }: { readonly createdAt?: string | undefined },
): boolean {
  return clock.now() < Date.parse(createdAt) + RUN_SHOWN_MS;
}

const BUILDING = ["CREATING_PROJECT", "RUNNING_MIGRATIONS"];
const PAST_MIGRATIONS = ["MIGRATIONS_PASSED", "FUNCTIONS_DEPLOYED"];
const FAILED = ["MIGRATIONS_FAILED", "FUNCTIONS_FAILED"];

/** Waits until a branch can be used: status and health are ready long before its schema is there (service, Branches). */
export async function waitUntilUsable(
  ctx: Context,
  watched: BranchWait,
  secrets: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  let seen = await waitForPreview(ctx, watched, { isWaking: false });
  if (!hasFailed(seen) && seen.projectStatus === "INACTIVE") {
    const { branch } = seen;
    seen = await trackRestore(ctx, watched.branchRef, async () => {
      await wakeBranch(ctx, watched, branch);
      return waitForPreview(ctx, watched, { isWaking: true });
    });
  }
  if (hasFailed(seen)) throw await createRunFailure(ctx, watched, seen, secrets);
  await waitForServices(ctx, seen.branch.project_ref);
}

/** How the branch's own database is reached, once the service says it: all that is built on the branch needs it. */
export async function waitForConnection(ctx: Context, branch: BranchRecord): Promise<BranchConnection> {
  return poll<BranchConnection | undefined, BranchConnection>(ctx, {
    what: `the connection to the database of the branch ${branch.project_ref}`,
    look: () => getConnection(ctx, branch),
    judge: (seen) =>
      seen === undefined
        ? { kind: "waiting", reason: "it is not available yet" }
        : { kind: "done", value: seen },
    mayPass: mayPassWhileStarting,
  });
}

async function waitForPreview(
  ctx: Context,
  watched: BranchWait,
  way: { isWaking: boolean },
): Promise<ObservedBranch> {
  const beganMs = ctx.clock.now();
  return poll<ObservedBranch, ObservedBranch>(ctx, {
    what: `the branch ${watched.branchRef}`,
    look: () => readState(ctx, watched),
    judge: (seen) =>
      judgeReadiness(seen, {
        ...{ ...way, isNew: watched.isNew, urn: ctx.findUrn(watched.branchRef) },
        needsRun: watched.isNew && ctx.clock.now() < beganMs + RUN_SHOWN_MS,
      }),
    mayPass: mayPassWhileStarting,
  });
}

interface ReadinessOptions extends Pick<BranchWait, "isNew"> {
  readonly isWaking: boolean;
  readonly needsRun: boolean;
  /** Of the branch. */
  readonly urn: string;
}

function judgeReadiness(
  seen: ObservedBranch,
  { isWaking, isNew, needsRun, urn }: ReadinessOptions,
): Verdict<ObservedBranch> {
  if (hasFailed(seen)) return { kind: "done", value: seen };
  const { branch, projectStatus, run } = seen;
  const broken = createTerminalError(
    `project ${branch.project_ref} of the branch ${branchNameOf(branch)}`,
    projectStatus ?? "",
    urn,
  );
  if (broken !== undefined) return { kind: "failed", error: broken };
  const open = run !== undefined ? listOpenSteps(run) : needsRun ? ["no action run shows yet"] : [];
  const status = branch.status ?? "no status";
  // Without a run, a status that this version does not know prolongs the wait for a new branch; it begins none for one that was there.
  const isPast = PAST_MIGRATIONS.includes(status) || (run !== undefined && !BUILDING.includes(status));
  const isBuilding = isNew
    ? !isPast || open.length > 0
    : BUILDING.includes(status) || (run !== undefined && isAtWork(run));
  if (isBuilding) return { kind: "waiting", reason: [status, ...open].join(", ") };
  const isReady = projectStatus === "ACTIVE_HEALTHY" || (projectStatus === "INACTIVE" && !isWaking);
  const isOfUnknownStatus = projectStatus !== undefined && !isNew && !isKnownStatus(projectStatus);
  if (isReady || isOfUnknownStatus) return { kind: "done", value: seen };
  return { kind: "waiting", reason: `its project is ${projectStatus ?? "not available yet"}` };
}

function hasFailed({ branch, run }: ObservedBranch): boolean {
  return FAILED.includes(branch.status ?? "") || (run !== undefined && findDeadStep(run) !== undefined);
}

async function readState(ctx: Context, { parentRef, branchRef }: BranchWait): Promise<ObservedBranch> {
  const branch = await requireBranch(ctx, parentRef, branchRef);
  const run = await readNewestRun(ctx, branch).catch((error: unknown) => {
    // The branch's own paths answer only when its project is there, and with 403 until then (service, Branches). Busy or not ready
    // is for the poll: a run that cannot be seen could still be under way.
    if (error instanceof ApiError && [400, 403, 404].includes(error.status)) return undefined;
    throw error;
  });
  const told = branch.preview_project_status ?? undefined;
  const projectStatus = told ?? (await getConnection(ctx, branch))?.status ?? undefined;
  return { branch, projectStatus, run };
}

/** A branch that nobody used pauses by itself (service, Branches). */
async function wakeBranch(ctx: Context, watched: BranchWait, branch: BranchRecord): Promise<void> {
  ctx.progress("restoring the branch: the service has paused it");
  await writeOnce<true>(ctx, {
    send: () => ctx.api.restoreProject({ ref: branch.project_ref }).then(() => true),
    findResult: async () => {
      const { projectStatus } = await readState(ctx, watched);
      return projectStatus === "INACTIVE" ? undefined : true;
    },
  });
}

/** The branch's newest run; undefined when it has none. */
async function readNewestRun(ctx: Context, branch: BranchRecord): Promise<ActionRun | undefined> {
  const runs = await ctx.api.listActionRuns({ ref: branch.project_ref });
  return runs
    .filter(({ branch_id }) => branch_id == null || branch_id === branch.id)
    .sort((a, b) => createdAtMs(b) - createdAtMs(a))[0];
}

/** Of a branch that has no data yet. */
const HOW_TO_START_AGAIN =
  " The branch is new: if the cause has passed, delete the branch in the service's console and run `pulumi up --refresh`, which makes another one.";

/** Why a branch did not become usable: the failed step and the end of its log, without the values of `secrets`. */
async function createRunFailure(
  ctx: Context,
  { isNew }: BranchWait,
  { branch, run }: ObservedBranch,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Error> {
  const step = run === undefined ? undefined : findDeadStep(run);
  const why =
    step === undefined ? `its status is ${branch.status ?? "unknown"}` : `the step "${step}" failed`;
  const ref = branch.project_ref;
  const listHidden = async (): Promise<string[]> => {
    const connection = await getConnection(ctx, branch);
    return [...Object.values(secrets), connection?.db_pass ?? "", connection?.jwt_secret ?? ""];
  };
  const log = run === undefined ? WITHOUT_LOG : await readLogEnd(ctx, { ref, runId: run.id }, listHidden);
  return new Error(
    problems.notUsable.message({
      name: branchNameOf(branch),
      ref,
      why,
      ofNew: isNew ? HOW_TO_START_AGAIN : "",
      log,
    }),
  );
}

function createdAtMs({ created_at }: ActionRun): number {
  return Date.parse(created_at ?? "") || 0;
}
