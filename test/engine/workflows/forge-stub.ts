import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopbackServer } from "../../../tools/loopback-server";

export interface StubbedPull {
  readonly number: number;
  readonly branch: string;
  /** Owner and name of the repository that the branch is in. */
  readonly from: string;
  state: "open" | "closed";
  isDraft?: boolean;
  commit: string;
  /** The commit of the branch that it was merged into. */
  mergedAs?: string;
}

export interface StubbedComment {
  readonly id: number;
  /** Number of the pull request or issue. */
  readonly pull: number;
  /** Whose it is, as each of the two forges says. */
  readonly user: { readonly login: string };
  readonly author: { readonly id: number };
  body: string;
}

/** A run of a workflow, or a job of a pipeline. */
export interface StubbedRun {
  readonly attempt?: number;
  /** As the forge of the test calls it. */
  readonly status: string;
  readonly startedMs: number;
  readonly endedMs?: number;
}

type Permissions = Readonly<Record<string, string>>;

/** What a forge knows of pull requests, and the part of its API that jobs call, with the permissions of each job's token. */
export interface ForgeStub {
  readonly url: string;
  readonly pulls: Map<number, StubbedPull>;
  /** Numbers of issues, which take comments as pull requests do. */
  readonly issues: Set<number>;
  readonly comments: StubbedComment[];
  /** By the forge's name of each. */
  readonly runs: Map<string, StubbedRun>;
  /** The last commits of the branches. */
  readonly heads: Map<string, string>;
  /** Answers the next calls so, whatever they are. */
  refuse(times: number, status: number, headers?: Readonly<Record<string, string>>): void;
  /** A token that a job gets. */
  mint(permissions: Permissions): string;
  close(): Promise<void>;
}

/** Few, so that lists of a test have several. */
const PAGE = 2;

/** Whose the tokens of jobs are. */
const BOT = { user: { login: "github-actions[bot]" }, author: { id: 40 } };

export async function startForge(repository: string): Promise<ForgeStub> {
  const pulls = new Map<number, StubbedPull>();
  const issues = new Set<number>();
  const comments: StubbedComment[] = [];
  const runs = new Map<string, StubbedRun>();
  const heads = new Map<string, string>();
  const tokens = new Map<string, Permissions>();
  const refusals: { status: number; headers: Readonly<Record<string, string>> }[] = [];
  const { url, close } = await startLoopbackServer((request, response) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) {
      response.writeHead(refusal.status, refusal.headers).end("rate limit exceeded");
      return;
    }
    answer(request)
      .catch((error: unknown) => ({ status: 500, body: { message: String(error) }, link: undefined }))
      .then(({ status, body, link }) => send(response, status, body, link))
      .catch(() => response.destroy());
  });

  interface Answer {
    readonly status: number;
    readonly body: unknown;
    readonly link?: string | undefined;
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = "", url: asked = "/" } = request;
    const { pathname, searchParams } = new URL(asked, url);
    const { authorization = "", "private-token": own } = request.headers;
    const token = typeof own === "string" ? own : authorization.replace("Bearer ", "");
    const permissions = tokens.get(token);
    const ofPulls = permissions?.["pull-requests"];
    // Comments are those of issues, which pull requests are as well.
    const granted = pathname.includes("/branches/")
      ? (permissions?.["contents"] ?? ofPulls)
      : pathname.includes("/issues/")
        ? (permissions?.["issues"] ?? ofPulls)
        : pathname.includes("/actions/")
          ? permissions?.["actions"]
          : ofPulls;
    if (granted === undefined) return { status: 401, body: { message: "Bad credentials" } };
    if (method !== "GET" && granted !== "write") {
      return { status: 403, body: { message: "Resource not accessible by integration" } };
    }
    const page = (all: readonly unknown[]): Answer => {
      const number = Number(searchParams.get("page") ?? "1");
      const next = new URL(asked, url);
      next.searchParams.set("page", String(number + 1));
      const link = all.length > number * PAGE ? `<${next.href}>; rel="next"` : undefined;
      return { status: 200, body: all.slice((number - 1) * PAGE, number * PAGE), link };
    };
    const isMergeRequest = pathname.startsWith("/projects/");
    const path = commonPath(pathname.replace(`/repos/${repository}`, ""));
    const [, number = ""] = /^\/(?:pulls|issues)\/(\d+)/.exec(path) ?? [];
    if (method === "GET" && path === "/user") return { status: 200, body: BOT.author };
    const [, runId = "", attempt = "1"] =
      /^\/(?:actions\/runs|jobs)\/(\d+)(?:\/attempts\/(\d+))?$/.exec(path) ?? [];
    const run = runs.get(runId);
    if (method === "GET" && run !== undefined && (run.attempt ?? 1) === Number(attempt)) {
      return { status: 200, body: shownRun(run) };
    }
    const [, head = ""] = /^\/branches\/(.+)$/.exec(path) ?? [];
    const sha = heads.get(decodeURIComponent(head));
    if (method === "GET" && sha !== undefined) return { status: 200, body: { commit: { sha, id: sha } } };
    const [, commit] = /^\/commits\/(\w+)\/(?:pulls|merge_requests)$/.exec(path) ?? [];
    if (method === "GET" && commit !== undefined) {
      const merged = [...pulls.values()].filter(({ mergedAs }) => mergedAs === commit);
      const at = { merged_at: new Date(0).toISOString(), state: "merged" };
      return page(merged.map((each) => ({ number: each.number, iid: each.number, ...at })));
    }
    const pull = pulls.get(Number(number));
    if (method === "GET" && path === `/pulls/${number}` && pull !== undefined) {
      return { status: 200, body: shown(pull, isMergeRequest) };
    }
    const commented = pull?.number ?? (issues.has(Number(number)) ? Number(number) : undefined);
    if (path === `/issues/${number}/comments` && commented !== undefined) {
      if (method === "GET") return page(comments.filter((each) => each.pull === commented));
      const made = { id: comments.length + 1, pull: commented, ...BOT, ...(await bodyOf(request)) };
      comments.push(made);
      return { status: 201, body: made };
    }
    const [, id] = /^\/issues\/comments\/(\d+)$/.exec(path) ?? [];
    const comment = comments.find((each) => each.id === Number(id));
    if ((method === "PATCH" || method === "PUT") && comment !== undefined) {
      Object.assign(comment, await bodyOf(request));
      return { status: 200, body: comment };
    }
    return { status: 404, body: { message: "Not Found" } };
  }

  return {
    ...{ url, pulls, issues, comments, runs, heads },
    refuse: (times, status, headers = {}) => {
      for (let call = 0; call < times; call += 1) refusals.push({ status, headers });
    },
    mint: (permissions) => {
      const token = `ghs_${randomBytes(18).toString("hex")}`;
      tokens.set(token, permissions);
      return token;
    },
    close,
  };
}

/** Merge requests of a project are answered as pull requests are: each of the two reads its own fields. */
function commonPath(path: string): string {
  return path
    .replace(/^\/projects\/\d+\/repository/, "")
    .replace(/^\/projects\/\d+\/jobs/, "/jobs")
    .replace(/^\/projects\/\d+\/merge_requests/, "/pulls")
    .replace(/^\/pulls\/(\d+)\/notes$/, "/issues/$1/comments")
    .replace(/^\/pulls\/\d+\/notes\/(\d+)$/, "/issues/comments/$1");
}

function shown(pull: StubbedPull, isMergeRequest: boolean): unknown {
  const { number, state, commit, branch, from, isDraft: draft = false } = pull;
  return isMergeRequest
    ? {
        ...{ iid: number, state: state === "open" ? "opened" : state, sha: commit, draft },
        ...{
          source_branch: branch,
          source_project_id: from.startsWith("fork/") ? 6 : 5,
          target_project_id: 5,
        },
      }
    : { number, state, draft, head: { sha: commit, ref: branch, repo: { full_name: from } } };
}

/** The fields of both forges. */
function shownRun({ status, startedMs, endedMs }: StubbedRun): unknown {
  const [started, ended] = [startedMs, endedMs].map((ms) => ms && new Date(ms).toISOString());
  return {
    ...{ status, run_started_at: started, updated_at: ended ?? started },
    ...{ started_at: started, finished_at: ended ?? null },
  };
}

async function bodyOf(request: IncomingMessage): Promise<{ body: string }> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as { body: string };
}

function send(response: ServerResponse, status: number, body: unknown, link: string | undefined): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(link === undefined ? {} : { link }),
  });
  response.end(JSON.stringify(body));
}
