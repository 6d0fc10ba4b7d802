import { z } from "zod";
import { isMarked, formatComment, omitMark, type Forge } from "./forge";
import { ForgeHttp, encodeSegment, type ForgeHttpOptions } from "./forge-http";

const pull = z.object({
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  head: z.object({
    sha: z.string().min(1),
    ref: z.string().min(1),
    // Of a fork that is gone there is none.
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
});
/** https://docs.github.com/rest/actions/workflow-runs. */
const run = z.object({
  status: z.string(),
  run_started_at: z.iso.datetime({ offset: true }),
  updated_at: z.iso.datetime({ offset: true }),
});
const merged = z.array(z.object({ number: z.int(), merged_at: z.string().nullish() }));
const branch = z.object({ commit: z.object({ sha: z.string().min(1) }) });
const comments = z.array(
  z.object({
    id: z.int(),
    body: z.string().nullish(),
    // Of a user who is gone there is none.
    user: z.object({ login: z.string() }).nullish(),
  }),
);

export interface GitHubOptions extends Pick<ForgeHttpOptions, "pause"> {
  readonly apiUrl: string;
  /** Owner and name. */
  readonly repository: string;
  readonly token: string;
  /** Login of the user whose token it is: that of a job has the forge's own. */
  readonly commentAuthor?: string | undefined;
}

/** Whose a job's own token is. */
const JOBS_OWN = "github-actions[bot]";

/** https://docs.github.com/rest/pulls, and /rest/issues/comments. */
export function createGitHubForge({
  apiUrl,
  repository,
  token,
  commentAuthor = JOBS_OWN,
  pause,
}: GitHubOptions): Forge {
  const http = new ForgeHttp({
    ...{ apiUrl, pause },
    headers: { authorization: `Bearer ${token}`, "x-github-api-version": "2022-11-28" },
  });
  const repo = `/repos/${repository.split("/").map(encodeSegment).join("/")}`;
  return {
    inOwnWords: (summary) => summary,
    async pullRequest(number) {
      const { state, head, draft } = await http.read(`${repo}/pulls/${number}`, pull);
      return {
        ...{ isOpen: state === "open", commit: head.sha, gitBranch: head.ref, isDraft: draft === true },
        isFork: head.repo?.full_name.toLowerCase() !== repository.toLowerCase(),
      };
    },
    async pullRequestOf(commit) {
      const found = await http.readAll(`${repo}/commits/${encodeSegment(commit)}/pulls?per_page=100`, merged);
      return found.find(({ merged_at: at }) => at != null)?.number;
    },
    async listSettings() {
      const names = async (path: string, key: "secrets" | "variables"): Promise<string[]> => {
        const page = z.object({ [key]: z.array(z.object({ name: z.string() })) }).transform((all) => [all]);
        const pages = await http.readAll(`${repo}/actions/${path}?per_page=100`, page);
        return pages.flatMap((all) => (all[key] ?? []).map(({ name }) => name));
      };
      const all = async (key: "secrets" | "variables"): Promise<string[]> => [
        ...(await names(key, key)),
        ...(await names(`organization-${key}`, key)),
      ];
      return { secrets: await all("secrets"), variables: await all("variables") };
    },
    async lastCommit(gitBranch) {
      return (await http.read(`${repo}/branches/${encodeSegment(gitBranch)}`, branch)).commit.sha;
    },
    async jobRun({ id, attempt }) {
      const path = `${repo}/actions/runs/${encodeSegment(id)}/attempts/${attempt}`;
      const { status, run_started_at: started, updated_at: updated } = await http.read(path, run);
      return {
        startedMs: Date.parse(started),
        endedMs: status === "completed" ? Date.parse(updated) : undefined,
      };
    },
    async comment(number, write, topic) {
      const path = `${repo}/issues/${number}/comments`;
      const ours = (await http.readAll(`${path}?per_page=100`, comments)).find(
        (each) => isMarked(each.body, topic) && each.user?.login === commentAuthor,
      );
      const text = write(ours?.body == null ? undefined : omitMark(ours.body));
      if (text === undefined) return;
      const body = formatComment(text, topic);
      if (ours === undefined) await http.write("POST", path, { body });
      else await http.write("PATCH", `${repo}/issues/comments/${ours.id}`, { body });
    },
  };
}
