import { z } from "zod";
import { parseJson } from "../../provider/client/parse-json";
import type { ForgeEnvironment } from "../forge/from-environment";
import { readTextFile } from "../../spec/regular-file";

/** The label that asks for a new preview. */
export const RECREATE_LABEL = "recreate preview";

/**
 * What a job was started for: a pull request was opened or pushed, is to have a new preview, or was closed; its environment is
 * stopped; the schedule; a merge group; and what previews have nothing to do with.
 */
export type EventKind = "push" | "recreate" | "close" | "stop" | "sweep" | "merge group" | "other";

/**
 * How somebody asks for a new preview, once: on GitLab, a label that stays would ask for one at each push; on GitHub, it asks for
 * one only when it is added, and nothing takes it off.
 */
export function describeRecreation(env: ForgeEnvironment): string {
  if (isSet(env["PREVIEW_EVENT"])) return "set `PREVIEW_EVENT=recreate` once";
  const label = `add the label \`${RECREATE_LABEL}\``;
  return isSet(env["CI_PROJECT_ID"])
    ? `${label}, run the pipeline once more, and remove the label`
    : `${label} (remove it first if the pull request has it)`;
}

/** What a run that was asked for a new preview leaves to be done: GitLab asks again at each run. */
export function explainStayingLabel(
  { kind }: Pick<CiEvent, "kind">,
  env: ForgeEnvironment,
): string | undefined {
  if (kind !== "recreate" || isSet(env["PREVIEW_EVENT"]) || !isSet(env["CI_PROJECT_ID"])) return undefined;
  return `The merge request has the label \`${RECREATE_LABEL}\`: each run recreates the preview until you remove it.`;
}

export interface CiEvent {
  readonly kind: EventKind;
  /** Whose the pull request is: those of forks and of Dependabot get no secrets. */
  readonly origin: "own" | "fork" | "Dependabot";
  readonly isDraft: boolean;
  /** Undefined for an event of no pull request. */
  readonly number: number | undefined;
  readonly gitBranch: string | undefined;
  readonly commit: string | undefined;
  /** Where the log of the job is. */
  readonly runUrl: string | undefined;
}

/** An event that the variables of the job do not say, or say in a form that is not known. */
export class UnknownEventError extends Error {}

const NONE = {
  origin: "own",
  isDraft: false,
  number: undefined,
  gitBranch: undefined,
  commit: undefined,
} as const;

/** What the job was started for, by the variables of the forge, or by `PREVIEW_EVENT` on any CI. */
export function readCiEvent(env: ForgeEnvironment): CiEvent {
  if (isSet(env["PREVIEW_EVENT"])) return readOtherEvent(env);
  if (isSet(env["GITHUB_EVENT_NAME"])) return readGitHubEvent(env);
  if (isSet(env["CI_PIPELINE_SOURCE"])) return readGitLabEvent(env);
  throw new UnknownEventError(
    "No variable says what this job is for. Outside of GitHub and GitLab, set PREVIEW_EVENT to push, recreate, close or sweep, and PREVIEW_PULL_REQUEST and PREVIEW_GIT_BRANCH to the number and the Git branch of the pull request.",
  );
}

const number = z.int().min(1).max(999_999_999_999_999);
const pullRequestEvent = z.object({
  action: z.string(),
  label: z.object({ name: z.string() }).nullish(),
  repository: z.object({ full_name: z.string() }),
  pull_request: z.object({
    number,
    draft: z.boolean().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    // Of a fork that is gone there is none.
    head: z.object({
      ref: z.string().min(1),
      sha: z.string().min(1),
      repo: z.object({ full_name: z.string() }).nullish(),
    }),
  }),
});

const PUSHES = ["opened", "reopened", "synchronize", "ready_for_review"];
const DEPENDABOT = "dependabot[bot]";

function readGitHubEvent(env: ForgeEnvironment): CiEvent {
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path = "", GITHUB_ACTOR: actor } = env;
  const [server, repository, run] = [
    env["GITHUB_SERVER_URL"],
    env["GITHUB_REPOSITORY"],
    env["GITHUB_RUN_ID"],
  ];
  const runUrl = isSet(run)
    ? `${server || "https://github.com"}/${repository ?? ""}/actions/runs/${run}`
    : undefined;
  if (name === "schedule" || name === "workflow_dispatch") return { ...NONE, runUrl, kind: "sweep" };
  if (name === "merge_group") return { ...NONE, runUrl, kind: "merge group" };
  if (name === "pull_request_target") {
    throw new UnknownEventError(
      "A preview is not made for the event pull_request_target: it gives the secrets to the code of forks. Use pull_request.",
    );
  }
  if (name !== "pull_request") return { ...NONE, runUrl, kind: "other" };
  const { success, data } = pullRequestEvent.safeParse(parseJson(readTextFile(path)));
  if (!success) throw new UnknownEventError("The event in GITHUB_EVENT_PATH has a form that is not known.");
  const { action, label, pull_request: pull } = data;
  const isFork = pull.head.repo?.full_name !== data.repository.full_name;
  const isDependabot = actor === DEPENDABOT || pull.user?.login === DEPENDABOT;
  return {
    kind:
      action === "closed"
        ? "close"
        : PUSHES.includes(action)
          ? "push"
          : action === "labeled" && isRecreateLabel(label?.name ?? "")
            ? "recreate"
            : "other",
    origin: isFork ? "fork" : isDependabot ? "Dependabot" : "own",
    isDraft: pull.draft === true,
    ...{ number: pull.number, gitBranch: pull.head.ref, commit: pull.head.sha, runUrl },
  };
}

/** GitHub compares labels, and what a workflow asks of them, without the case. */
function isRecreateLabel(name: string): boolean {
  return name.toLowerCase() === RECREATE_LABEL;
}

function readGitLabEvent(env: ForgeEnvironment): CiEvent {
  const runUrl = env["CI_JOB_URL"];
  const pipeline = env["CI_PIPELINE_SOURCE"];
  if (pipeline === "schedule") return { ...NONE, runUrl, kind: "sweep" };
  if (pipeline !== "merge_request_event") return { ...NONE, runUrl, kind: "other" };
  if (env["CI_MERGE_REQUEST_EVENT_TYPE"] === "merge_train") return { ...NONE, runUrl, kind: "merge group" };
  const { CI_PROJECT_ID: project, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source } = env;
  const labels = (env["CI_MERGE_REQUEST_LABELS"] ?? "").split(",");
  return {
    kind:
      env["CI_ENVIRONMENT_ACTION"] === "stop" ? "stop" : labels.some(isRecreateLabel) ? "recreate" : "push",
    origin: isSet(source) && source === project ? "own" : "fork",
    isDraft: env["CI_MERGE_REQUEST_DRAFT"] === "true",
    number: readEventNumber(env, "CI_MERGE_REQUEST_IID"),
    gitBranch: readEventText(env, "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "Git branch"),
    commit: env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || env["CI_COMMIT_SHA"],
    runUrl,
  };
}

function readOtherEvent(env: ForgeEnvironment): CiEvent {
  const kind = z.enum(["push", "recreate", "close", "sweep"]).safeParse(env["PREVIEW_EVENT"]).data;
  if (kind === undefined) {
    throw new UnknownEventError(
      `PREVIEW_EVENT takes push, recreate, close or sweep; got ${JSON.stringify(env["PREVIEW_EVENT"])}. Set it to what the job is for.`,
    );
  }
  if (kind === "sweep") return { ...NONE, kind, runUrl: undefined };
  return {
    ...{ ...NONE, kind, runUrl: undefined },
    number: readEventNumber(env, "PREVIEW_PULL_REQUEST"),
    gitBranch: readEventText(env, "PREVIEW_GIT_BRANCH", "Git branch"),
    commit: env["PREVIEW_COMMIT"] || undefined,
  };
}

function readEventNumber(env: ForgeEnvironment, name: string): number {
  const text = readEventText(env, name, "number");
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UnknownEventError(
    `${name} takes the number of a pull request; got ${JSON.stringify(text)}. Set it to that number alone.`,
  );
}

function readEventText(env: ForgeEnvironment, name: string, what: "number" | "Git branch"): string {
  const value = env[name];
  if (isSet(value)) return value;
  throw new UnknownEventError(
    `${name} is not set, so the job does not know which pull request it is for. Set it to the ${what} of the pull request.`,
  );
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
