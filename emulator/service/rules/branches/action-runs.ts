import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import type { World } from "../../world/world";
import { reportStep, runLog, runUpdatedAt, shownSteps } from "../shared/branch-progress";
import { runAt, runsOf, type BranchRun } from "./branch-runs";
import type { RunStepName, RunStepStatus } from "../../world/records/branch";

const DEFAULT_PAGE_SIZE = 100;

/** Newest first; of a branch by its own ref, of all branches by their parent's. */
const listActionRuns: Handler<Operations["listActionRuns"]> = ({ params, query, world }) => {
  const offset = query.offset ?? 0;
  const runs = runsOf(world, params.ref)
    .reverse()
    .sort((left, right) => right.run.since - left.run.since);
  return runs.slice(offset, offset + (query.limit ?? DEFAULT_PAGE_SIZE)).map((one) => viewRun(world, one));
};

/** As many as the listing has on all its pages (service, Branches). */
const countActionRuns: Handler<Operations["countActionRuns"]> = ({ params, world }) =>
  runsOf(world, params.ref).length;

const getActionRun: Handler<Operations["getActionRun"]> = ({ params, world }) =>
  viewRun(world, runAt(world, params.ref, params.run_id));

const getActionRunLogs: Handler<Operations["getActionRunLogs"]> = ({ params, world }) =>
  runLog(world, runAt(world, params.ref, params.run_id).run);

/**
 * Takes a report on the steps. Which moves are permitted is not shown (service, Branches): here all are. The state
 * of the branch follows, even when it was set by hand before.
 */
const updateActionRunStatus: Handler<Operations["updateActionRunStatus"]> = ({ params, body, world }) => {
  const { branch, run } = runAt(world, params.ref, params.run_id);
  // The keys of the body are the names of the steps, which `Object.entries` widens to string.
  const reported = Object.entries(body) as [RunStepName, RunStepStatus | undefined][];
  for (const [step, status] of reported) if (status !== undefined) reportStep(world, run, step, status);
  branch.forcedStatus = null;
  branch.updatedAt = world.clock.now();
  return { message: "ok" };
};

function viewRun(world: World, { branch, run }: BranchRun): OperationAnswer<Operations["getActionRun"]> {
  return {
    id: run.id,
    branch_id: branch.id,
    run_steps: shownSteps(world, run),
    git_config: branch.gitBranch === null ? null : { branch: branch.gitBranch },
    workdir: null,
    check_run_id: null,
    created_at: new Date(run.since).toISOString(),
    updated_at: runUpdatedAt(world, run),
  };
}

export const actionRunHandlers = {
  listActionRuns,
  countActionRuns,
  getActionRun,
  getActionRunLogs,
  updateActionRunStatus,
};
