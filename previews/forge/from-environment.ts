import { ForgeError, type Forge, type JobRun } from "./forge";
import type { ForgeHttpOptions } from "./forge-http";
import { createGitHubForge } from "./github";
import { createGitLabForge } from "./gitlab";

export type ForgeEnvironment = Readonly<Record<string, string | undefined>>;

export interface ForgeChoice extends Pick<ForgeHttpOptions, "pause"> {
  /** Login of whose token it is, on GitHub; that of its jobs when absent. */
  readonly commentAuthor?: string | undefined;
}

/** The forge whose job this is, by the variables that it sets, and a token that the job gives. */
export function createForge(env: ForgeEnvironment, { commentAuthor, pause }: ForgeChoice = {}): Forge {
  const { GITHUB_REPOSITORY: repository, CI_PROJECT_ID: project } = env;
  if (isSet(repository)) {
    const apiUrl = (env["GITHUB_API_URL"] || "https://api.github.com").replace(/\/+$/, "");
    return createGitHubForge({
      apiUrl,
      repository,
      token: requireVariable(env, "GITHUB_TOKEN"),
      commentAuthor,
      pause,
    });
  }
  if (isSet(project)) {
    const apiUrl = requireVariable(env, "CI_API_V4_URL").replace(/\/+$/, "");
    return createGitLabForge({ apiUrl, project, token: requireVariable(env, "GITLAB_TOKEN"), pause });
  }
  throw new ForgeError(
    "Neither GITHUB_REPOSITORY nor CI_PROJECT_ID is set, which say where the pull requests are. A job of the forge has one of them.",
  );
}

/** Web address of the repository whose job this is; undefined outside of one. */
export function findRepositoryAddress(env: ForgeEnvironment): string | undefined {
  const { GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server, CI_PROJECT_URL: project } = env;
  if (isSet(repository)) return `${server || "https://github.com"}/${repository}`;
  return isSet(project) ? project : undefined;
}

/** The run that this is; undefined outside of a job. */
export function findJobRun(env: ForgeEnvironment): JobRun | undefined {
  const { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: attempt, CI_JOB_ID: job } = env;
  if (isSet(run)) return isSet(attempt) ? { id: run, attempt: Number(attempt) } : undefined;
  // Of GitLab, a job that is tried again is another one.
  return isSet(job) ? { id: job, attempt: 1 } : undefined;
}

function requireVariable(env: ForgeEnvironment, name: string): string {
  const value = env[name];
  if (!isSet(value))
    throw new ForgeError(`${name} is not set. The forge's API needs it. Give it to this step.`);
  return value;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
