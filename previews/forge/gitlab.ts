import { z } from "zod";
import { isMarked, formatComment, type Forge } from "./forge";
import { ForgeHttp, type ForgeHttpOptions } from "./forge-http";

const mergeRequest = z.object({
  state: z.enum(["opened", "closed", "merged", "locked"]),
  sha: z.string().nullable(),
  source_branch: z.string().min(1),
});
const user = z.object({ id: z.int() });
const notes = z.array(z.object({ id: z.int(), body: z.string(), author: user.nullish() }));

export interface GitLabOptions extends Pick<ForgeHttpOptions, "pause"> {
  readonly apiUrl: string;
  readonly project: string;
  readonly token: string;
}

/** https://docs.gitlab.com/api/merge_requests, /api/notes, and /api/users for whose the token is. */
export function gitLab({ apiUrl, project, token, pause }: GitLabOptions): Forge {
  const http = new ForgeHttp({
    ...{ apiUrl, pause },
    headers: { "private-token": token, "content-type": "application/json" },
  });
  const all = `/projects/${encodeURIComponent(project)}/merge_requests`;
  return {
    async pullRequest(number) {
      const { state, sha, source_branch: gitBranch } = await http.read(`${all}/${number}`, mergeRequest);
      // While it is being merged it is locked.
      return { isOpen: state === "opened" || state === "locked", commit: sha ?? "", gitBranch };
    },
    async comment(number, write) {
      const path = `${all}/${number}/notes`;
      const { id: own } = await http.read("/user", user);
      const ours = (await http.readAll(`${path}?per_page=100`, notes)).find(
        (each) => isMarked(each.body) && each.author?.id === own,
      );
      const text = write(ours?.body ?? undefined);
      if (text === undefined) return;
      const body = formatComment(text);
      if (ours === undefined) await http.write("POST", path, { body });
      else await http.write("PUT", `${path}/${ours.id}`, { body });
    },
  };
}
