import type { Environment } from "../../../tools/engine/engine";
import type { ForgeStub, StubbedPull } from "./forge-stub";
import { runScript, type Job } from "./gitlab-pipeline";
import type { Repository } from "./repository";
import type { Runner } from "./run-job";
import { runWorkflow, type WorkflowRun } from "./run-workflow";
import type { Workflow } from "./workflow-file";

// The jobs of previews on each forge, one by one, behind one form: a test tells both the same.

/** A job that ran; one that has nothing to do is done, too. */
export interface JobEnd {
  readonly isDone: boolean;
  readonly log: string;
  /** Texts of the files that it left. */
  readonly artifacts: readonly string[];
}

export interface Driver {
  /** The job of a push, or of the label that asks for a new preview; for each application of the repository. */
  up(pull: StubbedPull, how?: { readonly isRecreated: boolean }): Promise<JobEnd[]>;
  remove(pull: StubbedPull): Promise<JobEnd[]>;
  sweep(): Promise<JobEnd[]>;
}

/** Where the jobs run. */
export interface Place {
  readonly forge: ForgeStub;
  readonly repository: Repository;
  /** What every job finds on its runner. */
  readonly env: Environment;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Takes what the forge shows of each job. */
  readonly logs: string[];
  /** Hears of each script that ran: a step of GitHub, or a job of GitLab. */
  readonly onScript?: (script: string) => void;
}

const SERVER = "https://forge.example.com";
export const NAME = "acme/shop";
/** Web address of the repository. */
export const ADDRESS = `${SERVER}/${NAME}`;
/** What the label is called that asks for a new preview. */
const RECREATE = "recreate preview";
/** What each forge calls the run that the jobs of a test are. */
export const RUN_ID = "900";

/** The context `github` of an event. */
export function gitHubContext(name: string, event: object) {
  return {
    ...{ event_name: name, ref: "refs/heads/main", run_id: Number(RUN_ID), repository: NAME, actor: "dev" },
    ...{ server_url: SERVER, event: { ...event, repository: { default_branch: "main", full_name: NAME } } },
  };
}

/** An event of a pull request, as a workflow reads it. */
export function pullRequestEvent(action: string, { number, branch, commit, from }: StubbedPull) {
  const head = { sha: commit, ref: branch, repo: { full_name: from } };
  return { action, label: { name: RECREATE }, pull_request: { number, draft: false, head } };
}

/** Runs the jobs of a workflow for an event; those for a fork get no secrets. */
export function runOnGitHub(
  workflow: Workflow,
  { forge, repository: { remote }, env, vars, secrets, logs }: Place,
  github: ReturnType<typeof gitHubContext>,
  { isFork = false, onStep = () => Promise.resolve() }: { isFork?: boolean; onStep?: Runner["onStep"] } = {},
): Promise<WorkflowRun> {
  const variables = {
    ...{ GITHUB_ACTIONS: "true", GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: NAME },
    ...{ GITHUB_SERVER_URL: SERVER, GITHUB_RUN_ID: RUN_ID, GITHUB_RUN_ATTEMPT: "1" },
    ...{ GITHUB_EVENT_NAME: github.event_name, GITHUB_ACTOR: github.actor },
  };
  const runner = { env: { ...env, ...variables }, remote, onStep };
  return runWorkflow(workflow, { runner, forge, vars, secrets, logs, github, isFork });
}

export function onGitHub(workflows: readonly Workflow[], place: Place): Driver {
  const each = async (name: string, event: object): Promise<JobEnd[]> => {
    const ended: JobEnd[] = [];
    for (const workflow of workflows) {
      const runs = await runOnGitHub(workflow, place, gitHubContext(name, event));
      const [[job, ran] = []] = Object.entries(runs);
      if (job === undefined || ran === undefined)
        throw new Error(`${workflow.name} has no job for this event`);
      for (const { name: title, run } of workflow.jobs[job]?.steps ?? [])
        if (run !== undefined && ran.steps.includes(title ?? run)) place.onScript?.(run);
      ended.push({ isDone: ran.status === "success", log: ran.log, artifacts: [] });
    }
    return ended;
  };
  return {
    up: (pull, { isRecreated } = { isRecreated: false }) =>
      each("pull_request", pullRequestEvent(isRecreated ? "labeled" : "synchronize", pull)),
    remove: (pull) => each("pull_request", pullRequestEvent("closed", pull)),
    sweep: () => each("schedule", {}),
  };
}

export function onGitLab(pipelines: readonly Readonly<Record<string, Job>>[], place: Place): Driver {
  const { forge, repository, env, vars, secrets, logs, onScript } = place;
  const all = pipelines.flatMap((jobs) => Object.entries(jobs));
  const each = async (kind: string, variables: Readonly<Record<string, string>>): Promise<JobEnd[]> => {
    const ended: JobEnd[] = [];
    for (const [, job] of all.filter(([name]) => name.replace(/ of .*/, "") === kind)) {
      const ofJob = {
        ...{ GITLAB_CI: "true", CI_API_V4_URL: forge.url, CI_PROJECT_ID: "5", CI_PROJECT_URL: ADDRESS },
        ...{ CI_JOB_ID: RUN_ID, CI_JOB_URL: `${SERVER}/jobs/${RUN_ID}`, CI_DEFAULT_BRANCH: "main" },
        ...{
          CI_REPOSITORY_URL: repository.remote,
          CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "5",
          GITLAB_TOKEN: forge.mint({ "pull-requests": "write" }),
        },
      };
      const source = kind === "sweep previews" ? "schedule" : "merge_request_event";
      const { code, log, artifacts } = await runScript(job, {
        ...{
          env: { ...env, ...vars, ...secrets, ...ofJob, CI_PIPELINE_SOURCE: source },
          remote: repository.remote,
          variables,
        },
      });
      onScript?.(scriptOf(job));
      logs.push(log);
      ended.push({ isDone: code === 0, log, artifacts });
    }
    return ended;
  };
  const variablesOf = ({ number, branch, commit }: StubbedPull) => ({
    ...{ CI_COMMIT_SHA: commit, CI_MERGE_REQUEST_IID: String(number) },
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch,
  });
  return {
    up: (pull, { isRecreated } = { isRecreated: false }) =>
      each("preview", {
        ...variablesOf(pull),
        ...(isRecreated && { CI_MERGE_REQUEST_LABELS: `other,${RECREATE}` }),
      }),
    remove: (pull) => each("remove preview", variablesOf(pull)),
    sweep: () => each("sweep previews", { CI_COMMIT_SHA: "main" }),
  };
}

/** All lines of a job. */
export function scriptOf({ before_script: before, script, after_script: after }: Job): string {
  return [...before, ...script, ...after].join("\n");
}

/** Throws with the log of a job that is not done. */
export async function expectDone(ending: Promise<readonly JobEnd[]>): Promise<readonly JobEnd[]> {
  const ended = await ending;
  for (const { isDone, log } of ended) if (!isDone) throw new Error(log);
  if (ended.length === 0) throw new Error("there is no such job");
  return ended;
}
