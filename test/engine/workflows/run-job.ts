import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../../tools/engine/engine";
import { holds, interpolate, type Contexts, type JobStatus } from "./expressions";
import { makeJobFolder, removeJobFolder } from "./job-folder";
import { checkOut, runLines } from "./runner-shell";
import type { Job, Step } from "./workflow-file";

/** A runner: what every job finds on it, and whom it tells of each step before that begins. */
export interface Runner {
  readonly env: Environment;
  /** The repository that `actions/checkout` takes from. */
  readonly remote: string;
  readonly onStep: (name: string) => Promise<void>;
}

export interface JobRun {
  readonly status: JobStatus;
  /** As the forge shows it: with masks. */
  readonly log: string;
  /** Names of the steps that ran, after the jobs' preparations. */
  readonly steps: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
}

interface RunningJob {
  readonly runner: Runner;
  readonly job: Job;
  readonly contexts: Contexts;
  readonly workspace: string;
  readonly temp: string;
  readonly masks: Set<string>;
  readonly steps: Record<
    string,
    { readonly outcome: JobStatus | "skipped"; readonly outputs: Readonly<Record<string, string>> }
  >;
  env: Record<string, string>;
  log: string;
}

/** Runs a job in an empty folder that is removed afterwards: but for compiled programs nothing passes from one job to another on disk. */
export async function runJob(
  runner: Runner,
  job: Job,
  contexts: Contexts & { readonly secrets: Readonly<Record<string, string>> },
): Promise<JobRun> {
  const folder = makeJobFolder();
  const running: RunningJob = {
    ...{ runner, job, contexts, env: {}, log: "", steps: {} },
    workspace: join(folder, "workspace"),
    temp: join(folder, "temp"),
    masks: new Set(Object.values(contexts.secrets)),
  };
  const seen = { ...contexts, steps: running.steps };
  // As the forge hands the event to every step.
  const event = join(folder, "event.json");
  writeFileSync(event, JSON.stringify((contexts["github"] as { event?: unknown }).event ?? {}));
  for (const step of job.steps) {
    if (step.id !== undefined) running.steps[step.id] = { outcome: "skipped", outputs: {} };
  }
  for (const name of ["workspace", "temp", "home"]) mkdirSync(join(folder, name));
  running.env = { HOME: join(folder, "home"), RUNNER_TEMP: running.temp, GITHUB_EVENT_PATH: event };
  let status: JobStatus = "success";
  const ran: string[] = [];
  try {
    for (const step of job.steps) {
      if (!holds(step.if, seen, status)) continue;
      const name = step.name ?? step.run ?? step.uses?.split("@")[0] ?? "";
      await runner.onStep(name);
      ran.push(name);
      if (!(await runStep(running, step, seen))) status = "failure";
    }
    return { status, log: masked(running), steps: ran, outputs: shownOutputs(running, seen) };
  } finally {
    removeJobFolder(folder);
  }
}

/** The forge hands on no output with a secret's value in it. */
function shownOutputs({ job, masks }: RunningJob, contexts: Contexts): Record<string, string> {
  const hidden = [...masks].filter((mask) => mask !== "");
  const outputs = Object.entries(inEach(job.outputs, contexts));
  return Object.fromEntries(outputs.filter(([, value]) => !hidden.some((mask) => value.includes(mask))));
}

async function runStep(running: RunningJob, step: Step, contexts: Contexts): Promise<boolean> {
  if (step.uses !== undefined) {
    await useAction(running, step.uses, inEach(step.with, contexts));
    return true;
  }
  const { temp, workspace, job } = running;
  const files = { GITHUB_OUTPUT: join(temp, "output"), GITHUB_ENV: join(temp, "env") };
  const summary = { GITHUB_STEP_SUMMARY: join(temp, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const script = join(temp, "step.sh");
  writeFileSync(script, interpolate(step.run ?? "", contexts));
  const { code, log } = await runLines(script, {
    cwd: join(workspace, step["working-directory"] ?? job.defaults.run["working-directory"]),
    env: { ...running.runner.env, ...running.env, ...inEach(step.env, contexts), ...files, ...summary },
  });
  running.log += log;
  const outcome = code === 0 ? "success" : "failure";
  if (step.id !== undefined) running.steps[step.id] = { outcome, outputs: assignments(files.GITHUB_OUTPUT) };
  running.env = { ...running.env, ...assignments(files.GITHUB_ENV) };
  return code === 0;
}

async function useAction(
  { runner, workspace, job }: RunningJob,
  uses: string,
  given: Readonly<Record<string, string>>,
): Promise<void> {
  const [, action = "", version = ""] = /^([^@]+)@(.*)$/.exec(uses) ?? [];
  if (!/^[0-9a-f]{40}$/.test(version)) throw new Error(`${uses} is not pinned to a commit`);
  if (action === "actions/setup-node" || action === "pulumi/actions") return;
  if (action !== "actions/checkout") throw new Error(`${uses} is not simulated`);
  if (job.permissions["contents"] !== "read") throw new Error("checkout needs contents: read, and no more");
  if (given["persist-credentials"] !== "false") throw new Error("checkout leaves its token for later steps");
  await checkOut(runner.remote, given["ref"] ?? "HEAD", workspace);
}

function inEach(texts: Readonly<Record<string, string>>, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, interpolate(text, contexts)] as const),
  );
}

/** What a step wrote into a file: `name=value`, or a value between two lines of a delimiter. */
export function assignments(file: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = readFileSync(file, "utf8").split("\n");
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === "") continue;
    const [, name = "", sign, rest = ""] = /^([A-Za-z_][\w-]*)(=|<<)(.*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`${file} has a line that is no assignment`);
    const end = sign === "<<" ? lines.indexOf(rest) : -1;
    if (sign === "<<" && end === -1) throw new Error(`${file} has a value without an end`);
    found[name] =
      sign === "<<"
        ? lines
            .splice(0, end + 1)
            .slice(0, -1)
            .join("\n")
        : rest;
  }
  return found;
}

/** As the runner reads what stands in a command. */
function dataOf(text: string): string {
  return text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
}

/** The log without the values that were to be masked, and without the commands that said so. */
function masked({ log, masks }: RunningJob): string {
  const lines = log.split("\n").filter((line) => {
    const [, value] = /^::add-mask::(.+)$/.exec(line) ?? [];
    if (value !== undefined) masks.add(dataOf(value));
    else if (line.startsWith("::")) throw new Error(`not simulated: ${line}`);
    return value === undefined;
  });
  return [...masks]
    .filter((mask) => mask !== "")
    .reduce((text, mask) => text.replaceAll(mask, "***"), lines.join("\n"));
}
