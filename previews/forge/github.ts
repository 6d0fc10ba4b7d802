import { z } from "zod";
import { commentOf, isOurs, type Forge } from "./forge";
import { ForgeHttp } from "./forge-http";

const pull = z.object({ state: z.enum(["open", "closed"]), head: z.object({ sha: z.string().min(1) }) });
const pulls = z.array(z.object({ number: z.int().positive() }));
const comments = z.array(z.object({ id: z.int(), body: z.string().nullish() }));

export interface GitHubOptions {
  readonly apiUrl: string;
  /** Owner and name. */
  readonly repository: string;
  readonly token: string;
}

/** https://docs.github.com/rest/pulls, and /rest/issues/comments. */
export function gitHub({ apiUrl, repository, token }: GitHubOptions): Forge {
  const http = new ForgeHttp({
    apiUrl,
    headers: { authorization: `Bearer ${token}`, "x-github-api-version": "2022-11-28" },
  });
  const repo = `/repos/${repository}`;
  return {
    async pullRequest(number) {
      const { state, head } = await http.read(`${repo}/pulls/${number}`, pull);
      return { isOpen: state === "open", commit: head.sha };
    },
    async openPullRequests() {
      const open = await http.readAll(`${repo}/pulls?state=open&per_page=100`, pulls);
      return new Set(open.map(({ number }) => number));
    },
    async comment(number, text) {
      const body = commentOf(text);
      const path = `${repo}/issues/${number}/comments`;
      const ours = (await http.readAll(`${path}?per_page=100`, comments)).find((each) => isOurs(each.body));
      if (ours === undefined) await http.write("POST", path, { body });
      else await http.write("PATCH", `${repo}/issues/comments/${ours.id}`, { body });
    },
  };
}
