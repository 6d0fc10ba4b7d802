import type { Answer } from "../../spec/operation";
import type { Operations } from "../../spec/table";
import type { World } from "../world";
import type { ActionRunRecord, BranchRecord, BranchStatus, RunStepName } from "./records/branch";

type RunStep = Answer<Operations["getActionRun"]>["run_steps"][number];

/** The steps of an action run with their durations at pace 1; `health` ends when the preview project is up. */
const steps: readonly (readonly [name: RunStepName, durationMs: number])[] = [
  ["clone", 4_000],
  ["pull", 4_000],
  ["health", 24_000],
  ["configure", 3_000],
  ["migrate", 10_000],
  ["seed", 2_000],
  ["deploy", 5_000],
];

interface Span {
  readonly name: RunStepName;
  readonly from: number;
  readonly to: number;
}

function spansOf(world: World, run: ActionRunRecord): readonly Span[] {
  let from = run.since;
  return steps.map(([name, durationMs]) => {
    const to = from + durationMs * world.pace;
    const span = { name, from, to };
    from = to;
    return span;
  });
}

function failingIndex(run: ActionRunRecord): number {
  return run.failure === null ? steps.length : steps.findIndex(([name]) => name === run.failure?.step);
}

/** When the last step of the run that is executed is over. */
function endOf(world: World, run: ActionRunRecord): number {
  const spans = spansOf(world, run);
  return spans[Math.min(failingIndex(run), spans.length - 1)]?.to ?? run.since;
}

/** The run's steps: what follows a dead one stays CREATED. */
export function runSteps(world: World, run: ActionRunRecord): RunStep[] {
  const now = world.clock.now();
  const failing = failingIndex(run);
  return spansOf(world, run).map(({ name, from, to }, index) => {
    const reached = index <= failing && now >= from;
    const over = reached && now >= to;
    return {
      name,
      status: !reached ? "CREATED" : !over ? "RUNNING" : index === failing ? "DEAD" : "EXITED",
      created_at: new Date(run.since).toISOString(),
      updated_at: new Date(over ? to : reached ? from : run.since).toISOString(),
    };
  });
}

/** When anything about the run last changed. */
export function runUpdatedAt(world: World, run: ActionRunRecord): string {
  const times = runSteps(world, run).map(({ updated_at }) => updated_at);
  return times.reduce((latest, time) => (time > latest ? time : latest), new Date(run.since).toISOString());
}

export function runLog(world: World, run: ActionRunRecord): string {
  const lines = runSteps(world, run).flatMap(({ name, status, created_at, updated_at }) => {
    const started = `${created_at} [${name}] started`;
    if (status === "CREATED") return [];
    if (status === "RUNNING") return [started];
    if (status === "DEAD")
      return [started, `[${name}] ${run.failure?.log ?? ""}`, `${updated_at} [${name}] failed`];
    return [started, `${updated_at} [${name}] done`];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The state of a branch follows from its newest run (behaviour, Branches). */
export function branchStatusOf(world: World, branch: BranchRecord): BranchStatus {
  if (branch.forcedStatus !== null) return branch.forcedStatus;
  const run = branch.runs.at(-1);
  if (run === undefined) return "FUNCTIONS_DEPLOYED";
  const stepStatus = new Map(runSteps(world, run).map(({ name, status }) => [name, status]));
  const dead = [...stepStatus].find(([, status]) => status === "DEAD")?.[0];
  if (dead !== undefined) return dead === "deploy" ? "FUNCTIONS_FAILED" : "MIGRATIONS_FAILED";
  if (stepStatus.get("deploy") === "EXITED") return "FUNCTIONS_DEPLOYED";
  if (stepStatus.get("seed") === "EXITED") return "MIGRATIONS_PASSED";
  return stepStatus.get("configure") === "EXITED" ? "RUNNING_MIGRATIONS" : "CREATING_PROJECT";
}

/** When the branch is told to be ready. */
export function readyAt(world: World, branch: BranchRecord): number {
  const run = branch.runs[0];
  return run === undefined ? branch.createdAt : endOf(world, run);
}

/** Whether it is still being made. */
export function isProvisioning(world: World, branch: BranchRecord): boolean {
  return ["CREATING_PROJECT", "RUNNING_MIGRATIONS"].includes(branchStatusOf(world, branch));
}
