import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import type {
  ActionRunRecord,
  BranchRecord,
  BranchStatus,
  RunStepName,
  RunStepStatus,
} from "../../world/records/branch";

type RunStep = OperationAnswer<Operations["getActionRun"]>["run_steps"][number];

interface StepPlan {
  readonly name: RunStepName;
  /** At pace 1. */
  readonly durationMs: number;
  /** A paused one stays so, and the next begins all the same. */
  readonly isPaused: boolean;
}

type DocumentedStep = readonly [name: RunStepName, durationMs: number, isPaused?: true];

const planOf = (steps: readonly DocumentedStep[]): readonly StepPlan[] =>
  steps.map(([name, durationMs, isPaused = false]) => ({ name, durationMs, isPaused }));

/** `health` ends when a new preview project is up. */
const documentedSteps: readonly DocumentedStep[] = [
  ["clone", 4_000],
  ["pull", 4_000],
  ["health", 24_000],
  ["configure", 3_000],
  ["migrate", 10_000],
  ["seed", 2_000],
  ["deploy", 5_000],
];
/** Of a branch that exists already. */
const documentedStepsLater = documentedSteps.map(([name, durationMs]): DocumentedStep => [
  name,
  name === "health" ? 1_000 : durationMs,
]);

/** As documented in 2026-06. */
const documented = { create: planOf(documentedSteps), later: planOf(documentedStepsLater) };

/** As measured (service, Branches). */
const measured = {
  create: planOf([
    ["pull", 12_000],
    ["configure", 34_000],
    ["migrate", 4_000],
    ["deploy", 2_000],
  ]),
  createFromGit: planOf([
    ["clone", 6_000],
    ["pull", 6_000],
    ["health", 18_000],
    ["configure", 15_000],
    ["migrate", 25_000],
    ["seed", 3_000],
    ["deploy", 5_000],
  ]),
  merge: planOf([
    ["clone", 8_000],
    ["pull", 8_000],
    ["health", 4_000],
    ["configure", 5_000, true],
    ["migrate", 20_000],
    ["seed", 2_000],
    ["deploy", 5_000],
  ]),
};

/** From the create to the schema and the history of a new branch, without Git (service, Branches). */
const SCHEMA_MS = 45_000;
/** The run of a new branch shows later than the branch, and its steps later than the run. */
const RUN_SHOWN_MS = 5_000;
const STEPS_SHOWN_MS = 10_000;
/** A new branch is told to be ready first, and to be in the making then (service, Branches). */
const FIRST_STATUS_MS = 20_000;

function stepsOf(world: World, { kind, isFromGit }: ActionRunRecord): readonly StepPlan[] {
  if (isAsMeasured(world.state)) {
    if (kind === "create") return isFromGit ? measured.createFromGit : measured.create;
    if (kind === "merge") return measured.merge;
  }
  return kind === "create" ? documented.create : documented.later;
}

/** Whether listings have the run already. */
export function isShown(world: World, { kind, since }: ActionRunRecord): boolean {
  if (kind !== "create" || !isAsMeasured(world.state)) return true;
  return world.clock.now() >= since + RUN_SHOWN_MS * world.pace;
}

/** The steps as answers have them: at first there are none (service, Branches). */
export function shownSteps(world: World, run: ActionRunRecord): RunStep[] {
  const isEarly = world.clock.now() < run.since + STEPS_SHOWN_MS * world.pace;
  return run.kind === "create" && isEarly && isAsMeasured(world.state) ? [] : runSteps(world, run);
}

/** When the run has changed the database that it works on. */
export function databaseReadyAt(world: World, run: ActionRunRecord): number {
  if (run.kind === "create" && !run.isFromGit) return run.since + SCHEMA_MS * world.pace;
  return spansOf(world, run).find(({ name }) => name === "migrate")?.to ?? run.since;
}

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
  return stepsOf(world, run).map(({ name, durationMs, isPaused }): Span => {
    const from = next;
    const report = run.reports.get(name);
    if (report !== undefined) {
      const { status, at } = report;
      next = report.nextFrom;
      return { name, from: from === null ? at : Math.min(from, at), to: at, status };
    }
    const to = from === null ? Infinity : from + durationMs * world.pace;
    const fails = run.failure?.step === name;
    next = fails || from === null ? null : to;
    return { name, from, to, status: fails ? "DEAD" : isPaused ? "PAUSED" : "EXITED" };
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
  const unfinished: RunStepStatus[] = ["RUNNING", "RESTARTING", "REMOVING"];
  if (!isAsMeasured(world.state)) unfinished.push("PAUSED");
  return (
    world.clock.now() >= endOf(world, run) &&
    runSteps(world, run).every(({ status }) => !unfinished.includes(status))
  );
}

/** Whether the run comes to the end of a step, which it does not when it dies there or before. */
export function willPass(world: World, run: ActionRunRecord, step: RunStepName): boolean {
  const names = stepsOf(world, run).map(({ name }) => name);
  const indexOf = (wanted: RunStepName): number => names.indexOf(wanted);
  // Not every run has every step.
  if (run.failure === null || !names.includes(run.failure.step)) return true;
  return indexOf(run.failure.step) > indexOf(step);
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
  if (run === undefined || isTooEarly(world, run)) return "FUNCTIONS_DEPLOYED";
  const stepStatus = new Map(runSteps(world, run).map(({ name, status }) => [name, status]));
  const dead = [...stepStatus].find(([, status]) => status === "DEAD")?.[0];
  if (dead !== undefined) return dead === "deploy" ? "FUNCTIONS_FAILED" : "MIGRATIONS_FAILED";
  if (stepStatus.get("deploy") === "EXITED") return "FUNCTIONS_DEPLOYED";
  if ((stepStatus.get("seed") ?? stepStatus.get("migrate")) === "EXITED") return "MIGRATIONS_PASSED";
  const isMade = run.kind !== "create" || stepStatus.get("configure") === "EXITED";
  return isMade ? "RUNNING_MIGRATIONS" : "CREATING_PROJECT";
}

/** Whether the status does not show yet what the run does. */
function isTooEarly(world: World, { kind, since }: ActionRunRecord): boolean {
  if (kind !== "create" || !isAsMeasured(world.state)) return false;
  return world.clock.now() < since + FIRST_STATUS_MS * world.pace;
}

/** When the branch is reported as ready. */
export function readyAt(world: World, branch: BranchRecord): number {
  const run = branch.runs[0];
  return run === undefined ? branch.createdAt : endOf(world, run);
}

/** Whether it is still being made. */
export function isProvisioning(world: World, branch: BranchRecord): boolean {
  const run = branch.runs.at(-1);
  if ((run?.kind ?? "create") !== "create") return false;
  if (run !== undefined && isAsMeasured(world.state)) return !hasEnded(world, run);
  return ["CREATING_PROJECT", "RUNNING_MIGRATIONS"].includes(branchStatusOf(world, branch));
}
