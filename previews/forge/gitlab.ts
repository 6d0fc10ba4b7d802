import { z } from "zod";
import { commentOf, isOurs, type Forge } from "./forge";
import { ForgeHttp } from "./forge-http";

const mergeRequest = z.object({
  state: z.enum(["opened", "closed", "merged", "locked"]),
  sha: z.string().nullable(),
});
const mergeRequests = z.array(z.object({ iid: z.int().positive() }));
const notes = z.array(z.object({ id: z.int(), body: z.string() }));

export interface GitLabOptions {
  readonly apiUrl: string;
  readonly project: string;
  readonly token: string;
}

/** https://docs.gitlab.com/api/merge_requests, and /api/notes. */
export function gitLab({ apiUrl, project, token }: GitLabOptions): Forge {
  const http = new ForgeHttp({
    apiUrl,
    headers: { "private-token": token, "content-type": "application/json" },
  });
  const all = `/projects/${encodeURIComponent(project)}/merge_requests`;
  return {
    async pullRequest(number) {
      const { state, sha } = await http.read(`${all}/${number}`, mergeRequest);
      // While it is being merged it is locked.
      return { isOpen: state === "opened" || state === "locked", commit: sha ?? "" };
    },
    async openPullRequests() {
      const listed = (state: string) => http.readAll(`${all}?state=${state}&per_page=100`, mergeRequests);
      const open = [...(await listed("opened")), ...(await listed("locked"))];
      return new Set(open.map(({ iid }) => iid));
    },
    async comment(number, text) {
      const body = commentOf(text);
      const path = `${all}/${number}/notes`;
      const ours = (await http.readAll(`${path}?per_page=100`, notes)).find((each) => isOurs(each.body));
      if (ours === undefined) await http.write("POST", path, { body });
      else await http.write("PUT", `${path}/${ours.id}`, { body });
    },
  };
}
