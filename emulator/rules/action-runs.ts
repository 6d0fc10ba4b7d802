import type { Answer } from "../../spec/operation";
import type { Operations } from "../../spec/table";
import { Refusal, type Handler } from "../handler";
import type { World } from "../world";
import { projectAt } from "./access";
import { runLog, runSteps, runUpdatedAt } from "./branch-progress";
import type { ActionRunRecord, BranchRecord } from "./records/branch";

interface BranchRun {
  readonly branch: BranchRecord;
  readonly run: ActionRunRecord;
}

const DEFAULT_PAGE_SIZE = 100;

/** Newest first; of a branch by its own ref, of all branches by their parent's. */
const listActionRuns: Handler<Operations["listActionRuns"]> = ({ params, query, world }) => {
  const offset = query.offset ?? 0;
  const runs = runsOf(world, params.ref).sort((left, right) => right.run.since - left.run.since);
  return runs.slice(offset, offset + (query.limit ?? DEFAULT_PAGE_SIZE)).map((one) => viewRun(world, one));
};

const getActionRun: Handler<Operations["getActionRun"]> = ({ params, world }) =>
  viewRun(world, runAt(world, params.ref, params.run_id));

const getActionRunLogs: Handler<Operations["getActionRunLogs"]> = ({ params, world }) =>
  runLog(world, runAt(world, params.ref, params.run_id).run);

function runsOf(world: World, ref: string): BranchRun[] {
  projectAt(world, ref);
  return [...world.state.branches.values()]
    .filter(({ projectRef, parentRef, orphaned }) => !orphaned && (projectRef === ref || parentRef === ref))
    .flatMap((branch) => branch.runs.toReversed().map((run) => ({ branch, run })));
}

function runAt(world: World, ref: string, runId: string): BranchRun {
  const found = runsOf(world, ref).find(({ run }) => run.id === runId);
  if (found === undefined) throw new Refusal(404, "Action run not found");
  return found;
}

function viewRun(world: World, { branch, run }: BranchRun): Answer<Operations["getActionRun"]> {
  return {
    id: run.id,
    branch_id: branch.id,
    run_steps: runSteps(world, run),
    git_config: branch.gitBranch === null ? null : { branch: branch.gitBranch },
    workdir: null,
    check_run_id: null,
    created_at: new Date(run.since).toISOString(),
    updated_at: runUpdatedAt(world, run),
  };
}

export const actionRunHandlers = { listActionRuns, getActionRun, getActionRunLogs };
