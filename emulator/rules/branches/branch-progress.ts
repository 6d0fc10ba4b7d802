import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import type { World } from "../../world/world";
import type {
  ActionRunRecord,
  BranchRecord,
  BranchStatus,
  RunStepName,
  RunStepStatus,
} from "../records/branch";

type RunStep = Answer<Operations["getActionRun"]>["run_steps"][number];

/** The steps of an action run with their durations at pace 1; `health` ends when a new preview project is up. */
const steps: readonly (readonly [name: RunStepName, durationMs: number])[] = [
  ["clone", 4_000],
  ["pull", 4_000],
  ["health", 24_000],
  ["configure", 3_000],
  ["migrate", 10_000],
  ["seed", 2_000],
  ["deploy", 5_000],
];
/** Of a branch that exists already. */
const HEALTH_CHECK_MS = 1_000;

interface Span {
  readonly name: RunStepName;
  /** When it began, or will; null when it never does. */
  readonly from: number | null;
  /** When its status will be the last one. */
  readonly to: number;
  readonly status: RunStepStatus;
}

/** A step begins when the one before it has exited, by itself or by report. */
function spansOf(world: World, run: ActionRunRecord): readonly Span[] {
  let next: number | null = run.since;
  return steps.map(([name, usualMs]): Span => {
    const from = next;
    const report = run.reports.get(name);
    if (report !== undefined) {
      const { status, at } = report;
      next = report.nextFrom;
      return { name, from: from === null ? at : Math.min(from, at), to: at, status };
    }
    const durationMs = name === "health" && run.kind !== "create" ? HEALTH_CHECK_MS : usualMs;
    const to = from === null ? Infinity : from + durationMs * world.pace;
    const fails = run.failure?.step === name;
    next = fails || from === null ? null : to;
    return { name, from, to, status: fails ? "DEAD" : "EXITED" };
  });
}

/** Takes a report on a step; a later step that has begun goes on whatever is reported of one before. */
export function reportStep(
  world: World,
  run: ActionRunRecord,
  step: RunStepName,
  status: RunStepStatus,
): void {
  const at = world.clock.now();
  const spans = spansOf(world, run);
  const from = spans[spans.findIndex(({ name }) => name === step) + 1]?.from ?? null;
  const hasBegun = from !== null && from <= at;
  run.reports.set(step, { status, at, nextFrom: hasBegun ? from : status === "EXITED" ? at : null });
}

/** When the last step of the run that is executed is over. */
function endOf(world: World, run: ActionRunRecord): number {
  const ends = spansOf(world, run).flatMap(({ from, to }) => (from === null ? [] : [to]));
  return Math.max(run.since, ...ends);
}

/** Whether nothing more will happen in the run, unless somebody reports it. */
export function hasEnded(world: World, run: ActionRunRecord): boolean {
  const unfinished: readonly RunStepStatus[] = ["RUNNING", "RESTARTING", "REMOVING", "PAUSED"];
  return (
    world.clock.now() >= endOf(world, run) &&
    runSteps(world, run).every(({ status }) => !unfinished.includes(status))
  );
}

/** Whether the run comes to the end of a step, which it does not when it dies there or before. */
export function willPass(run: ActionRunRecord, step: RunStepName): boolean {
  const indexOf = (wanted: RunStepName): number => steps.findIndex(([name]) => name === wanted);
  return run.failure === null || indexOf(run.failure.step) > indexOf(step);
}

/** The run's steps: what follows a dead one stays CREATED. */
export function runSteps(world: World, run: ActionRunRecord): RunStep[] {
  const now = world.clock.now();
  return spansOf(world, run).map(({ name, from, to, status }) => {
    const hasBegun = from !== null && now >= from;
    const isDone = hasBegun && now >= to;
    return {
      name,
      status: !hasBegun ? "CREATED" : isDone ? status : "RUNNING",
      created_at: new Date(run.since).toISOString(),
      updated_at: new Date(isDone ? to : hasBegun ? from : run.since).toISOString(),
    };
  });
}

/** When anything about the run last changed. */
export function runUpdatedAt(world: World, run: ActionRunRecord): string {
  const times = runSteps(world, run).map(({ updated_at }) => updated_at);
  return times.reduce((latest, time) => (time > latest ? time : latest), new Date(run.since).toISOString());
}

export function runLog(world: World, run: ActionRunRecord): string {
  return logOf(world, run, () => true);
}

/** The step at which the run died, with what it wrote. */
export function failedStep(
  world: World,
  run: ActionRunRecord,
): { readonly name: RunStepName; readonly log: string } | undefined {
  const dead = runSteps(world, run).find(({ status }) => status === "DEAD");
  return dead && { name: dead.name, log: logOf(world, run, (step) => step === dead.name) };
}

function logOf(world: World, run: ActionRunRecord, isWanted: (step: RunStepName) => boolean): string {
  const statuses = runSteps(world, run);
  const lines = spansOf(world, run).flatMap(({ name, from, to }, index) => {
    const status = statuses[index]?.status ?? "CREATED";
    if (from === null || status === "CREATED" || !isWanted(name)) return [];
    const started = `${new Date(from).toISOString()} [${name}] started`;
    if (status === "RUNNING") return [started];
    const failure = status === "DEAD" && run.failure?.step === name ? [run.failure.log] : [];
    const notes = run.notes.filter(({ step }) => step === name).map(({ text }) => text);
    const written = [...notes, ...failure].flatMap((text) => text.split("\n"));
    return [
      started,
      ...written.map((line) => `[${name}] ${line}`),
      `${new Date(to).toISOString()} [${name}] ${endings[status] ?? status.toLowerCase()}`,
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}

const endings: Partial<Record<string, string>> = { EXITED: "done", DEAD: "failed" };

/** The state of a branch follows from its newest run (service, Branches). */
export function branchStatusOf(world: World, branch: BranchRecord): BranchStatus {
  if (branch.forcedStatus !== null) return branch.forcedStatus;
  const run = branch.runs.at(-1);
  if (run === undefined) return "FUNCTIONS_DEPLOYED";
  const stepStatus = new Map(runSteps(world, run).map(({ name, status }) => [name, status]));
  const dead = [...stepStatus].find(([, status]) => status === "DEAD")?.[0];
  if (dead !== undefined) return dead === "deploy" ? "FUNCTIONS_FAILED" : "MIGRATIONS_FAILED";
  if (stepStatus.get("deploy") === "EXITED") return "FUNCTIONS_DEPLOYED";
  if (stepStatus.get("seed") === "EXITED") return "MIGRATIONS_PASSED";
  const isMade = run.kind !== "create" || stepStatus.get("configure") === "EXITED";
  return isMade ? "RUNNING_MIGRATIONS" : "CREATING_PROJECT";
}

/** When the branch is reported as ready. */
export function readyAt(world: World, branch: BranchRecord): number {
  const run = branch.runs[0];
  return run === undefined ? branch.createdAt : endOf(world, run);
}

/** Whether it is still being made. */
export function isProvisioning(world: World, branch: BranchRecord): boolean {
  if ((branch.runs.at(-1)?.kind ?? "create") !== "create") return false;
  return ["CREATING_PROJECT", "RUNNING_MIGRATIONS"].includes(branchStatusOf(world, branch));
}
