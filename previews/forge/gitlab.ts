import { z } from "zod";
import { ForgeError, formatComment, isMarked, omitMark, type Forge } from "./forge";
import { ForgeHttp, encodeSegment, type ForgeHttpOptions } from "./forge-http";

const mergeRequest = z.object({
  state: z.enum(["opened", "closed", "merged", "locked"]),
  sha: z.string().nullable(),
  source_branch: z.string().min(1),
  draft: z.boolean().nullish(),
  // Of a fork that is gone there is none.
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
});
/** https://docs.gitlab.com/api/jobs. */
const job = z.object({
  status: z.string(),
  started_at: z.iso.datetime({ offset: true }).nullish(),
  finished_at: z.iso.datetime({ offset: true }).nullish(),
});
/** Of the states that there are; a later one that nobody knows here is none of them. */
const OVER = ["canceled", "success", "failed"];
const merged = z.array(z.object({ iid: z.int(), state: z.string() }));
const branch = z.object({ commit: z.object({ id: z.string().min(1) }) });
const user = z.object({ id: z.int() });
const notes = z.array(z.object({ id: z.int(), body: z.string(), author: user.nullish() }));

const variables = z.array(z.object({ key: z.string() }));

export interface GitLabOptions extends Pick<ForgeHttpOptions, "pause"> {
  readonly apiUrl: string;
  readonly project: string;
  readonly token: string;
}

/** https://docs.gitlab.com/api/merge_requests, /api/notes, and /api/users for whose the token is. */
export function createGitLabForge({ apiUrl, project, token, pause }: GitLabOptions): Forge {
  const http = new ForgeHttp({
    ...{ apiUrl, pause },
    headers: { "private-token": token, "content-type": "application/json" },
  });
  const own = `/projects/${encodeSegment(project)}`;
  const all = `${own}/merge_requests`;
  return {
    inOwnWords: (summary) =>
      summary
        .replace(/^### Preview of pull request (\d+)$/m, "### Preview of merge request !$1")
        .replace("| until the pull request is closed |", "| until the merge request is closed |"),
    async pullRequest(number) {
      const found = await http.read(`${all}/${number}`, mergeRequest);
      const { state, sha, source_branch: gitBranch, draft } = found;
      return {
        // While it is being merged it is locked.
        isOpen: state === "opened" || state === "locked",
        ...{ commit: sha ?? "", gitBranch, isDraft: draft === true },
        // Neither is the other where both are unknown.
        isFork: found.source_project_id == null || found.source_project_id !== found.target_project_id,
      };
    },
    async pullRequestOf(commit) {
      const found = await http.readAll(
        `${own}/repository/commits/${encodeSegment(commit)}/merge_requests?per_page=100`,
        merged,
      );
      return found.find(({ state }) => state === "merged")?.iid;
    },
    async listSettings() {
      // GitLab has one kind. Those of the groups above are no project's to list.
      const names = (await http.readAll(`${own}/variables?per_page=100`, variables)).map(({ key }) => key);
      return { secrets: names, variables: names };
    },
    async lastCommit(gitBranch) {
      const path = `${own}/repository/branches/${encodeSegment(gitBranch)}`;
      return (await http.read(path, branch)).commit.id;
    },
    async jobRun({ id }) {
      const {
        status,
        started_at: started,
        finished_at: finished,
      } = await http.read(`${own}/jobs/${encodeSegment(id)}`, job);
      if (started == null) throw new ForgeError(`The forge does not say when the job ${id} started.`);
      const isOver = OVER.includes(status) && finished != null;
      return { startedMs: Date.parse(started), endedMs: isOver ? Date.parse(finished) : undefined };
    },
    async comment(number, write, topic) {
      const path = `${all}/${number}/notes`;
      const { id: author } = await http.read("/user", user);
      const ours = (await http.readAll(`${path}?per_page=100`, notes)).find(
        (each) => isMarked(each.body, topic) && each.author?.id === author,
      );
      const text = write(ours === undefined ? undefined : omitMark(ours.body));
      if (text === undefined) return;
      const body = formatComment(text, topic);
      if (ours === undefined) await http.write("POST", path, { body });
      else await http.write("PUT", `${path}/${ours.id}`, { body });
    },
  };
}
