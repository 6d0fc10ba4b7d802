import { holds } from "./expressions";
import type { ForgeStub } from "./forge-stub";
import { runJob, type JobRun, type Runner } from "./run-job";
import type { Workflow } from "./workflow-file";

/** What a run came to, by job. */
export type WorkflowRun = Readonly<Record<string, JobRun>>;

/** What the repository and its forge give to a run. */
export interface Given {
  readonly runner: Runner;
  readonly forge: ForgeStub;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The context of the same name. */
  readonly github: object;
  /** Those of each environment, for jobs of it; without them, the environment is not approved. */
  readonly environments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Runs for forks get no secrets, and a token that may only read. */
  readonly isFork?: boolean;
  /** Takes what the forge shows of each job. */
  readonly logs: string[];
}

/** Runs the jobs of a workflow one after another. */
export async function runWorkflow(
  workflow: Workflow,
  { runner, forge, vars, secrets, github, isFork = false, logs, environments = {} }: Given,
): Promise<WorkflowRun> {
  const runs: Record<string, JobRun> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const token = forge.mint(isFork ? { "pull-requests": "read" } : job.permissions);
    const environment = job.environment === undefined ? {} : environments[job.environment];
    if (environment === undefined) continue;
    if (job.needs !== undefined && runs[job.needs]?.status !== "success") continue;
    const given = { ...(isFork ? {} : { ...secrets, ...environment }), GITHUB_TOKEN: token };
    const { needs } = job;
    const before = needs === undefined ? {} : { [needs]: { outputs: runs[needs]?.outputs ?? {} } };
    const contexts = { github: { ...github, token }, vars, secrets: given, needs: before };
    if (!holds(job.if, contexts, "success")) continue;
    const run = await runJob(runner, job, contexts);
    logs.push(run.log);
    runs[name] = run;
  }
  return runs;
}
