import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { forgeFromEnvironment } from "../../previews/forge/from-environment";

interface Heard {
  readonly call: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

let server: Server;
let url: string;
let heard: Heard[];
let answers: Record<string, { status?: number; body?: unknown; next?: string }>;
beforeEach(async () => {
  heard = [];
  answers = {};
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const call = `${request.method ?? ""} ${request.url ?? ""}`;
      const { authorization, "private-token": own } = request.headers;
      const token = authorization ?? (own as string | undefined);
      heard.push({ call, token, body: text === "" ? undefined : JSON.parse(text) });
      const {
        status = 200,
        body = [],
        next,
      } = answers[call] ?? { status: 404, body: { message: "Not Found" } };
      response.writeHead(
        status,
        next === undefined ? {} : { link: `<${next}>; rel="next", <${url}/x>; rel="last"` },
      );
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const gitHub = () =>
  forgeFromEnvironment({ GITHUB_API_URL: url, GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "ghs_1" });
const gitLab = () =>
  forgeFromEnvironment({ CI_API_V4_URL: url, CI_PROJECT_ID: "5", GITLAB_TOKEN: "glpat_1" });

const PULLS = "/repos/acme/shop/pulls?state=open&per_page=100";

describe("the list of open pull requests", () => {
  it("has all pages", async () => {
    answers[`GET ${PULLS}`] = { body: [{ number: 7 }, { number: 12 }], next: `${url}${PULLS}&page=2` };
    answers[`GET ${PULLS}&page=2`] = { body: [{ number: 3 }] };
    expect(await gitHub().openPullRequests()).toEqual(new Set([7, 12, 3]));
    expect(heard.map(({ token }) => token)).toEqual(["Bearer ghs_1", "Bearer ghs_1"]);
  });

  it("has merge requests that are being merged", async () => {
    const all = "/projects/5/merge_requests";
    answers[`GET ${all}?state=opened&per_page=100`] = { body: [{ iid: 7, id: 900 }] };
    answers[`GET ${all}?state=locked&per_page=100`] = { body: [{ iid: 8, id: 901 }] };
    expect(await gitLab().openPullRequests()).toEqual(new Set([7, 8]));
    expect(heard[0]?.token).toBe("glpat_1");
  });

  it.each<[string, { status?: number; body?: unknown; next?: string }, string]>([
    ["a page is missing", { body: [{ number: 7 }], next: "PAGE" }, "was answered with 404"],
    ["a page is elsewhere", { body: [], next: "https://other.example.com/" }, "a page elsewhere"],
    ["a page names itself", { body: [], next: "SELF" }, "as the page after itself"],
    ["it is no list", { body: { message: "rate limit" } }, "something else than was asked for"],
    ["it is no JSON", { body: "<html>" }, "something else than was asked for"],
    ["it is forbidden", { status: 403, body: { message: "no" } }, "was answered with 403"],
  ])("is an error where %s", async (_, answer, why) => {
    const next = { PAGE: `${url}/page`, SELF: `${url}${PULLS}` }[answer.next ?? ""] ?? answer.next;
    answers[`GET ${PULLS}`] = { ...answer, ...(next === undefined ? {} : { next }) };
    await expect(gitHub().openPullRequests()).rejects.toThrow(why);
  });
});

it.each([
  [gitHub, "/repos/acme/shop/pulls/7", { state: "open", head: { sha: "c1" } }, true],
  [gitHub, "/repos/acme/shop/pulls/7", { state: "closed", head: { sha: "c1" } }, false],
  [gitLab, "/projects/5/merge_requests/7", { state: "opened", sha: "c1" }, true],
  [gitLab, "/projects/5/merge_requests/7", { state: "merged", sha: "c1" }, false],
])("a pull request is looked at: %p %s %j", async (forge, path, body, isOpen) => {
  answers[`GET ${path}`] = { body };
  expect(await forge().pullRequest(7)).toEqual({ isOpen, commit: "c1" });
});

describe("the comment", () => {
  const path = "/repos/acme/shop/issues/7/comments";

  it("is made where there is none", async () => {
    answers[`GET ${path}?per_page=100`] = { body: [{ id: 1, body: "Looks good" }] };
    answers[`POST ${path}`] = { status: 201 };
    await gitHub().comment(7, "### Preview\n");
    expect(heard.at(-1)).toMatchObject({
      call: `POST ${path}`,
      body: { body: "<!-- management-previews -->\n### Preview\n" },
    });
  });

  it("is changed where there is one, on whichever page", async () => {
    answers[`GET ${path}?per_page=100`] = { body: [{ id: 1, body: null }], next: `${url}${path}?page=2` };
    answers[`GET ${path}?page=2`] = { body: [{ id: 2, body: "<!-- management-previews -->\nold" }] };
    answers["PATCH /repos/acme/shop/issues/comments/2"] = {};
    await gitHub().comment(7, "x".repeat(70_000));
    const { body } = heard.at(-1)?.body as { body: string };
    expect(body.length).toBeLessThan(61_000);
    expect(body).toContain("(cut here)");
  });

  it("is a note of a merge request", async () => {
    const notes = "/projects/5/merge_requests/7/notes";
    answers[`GET ${notes}?per_page=100`] = { body: [{ id: 2, body: "<!-- management-previews -->\nold" }] };
    answers[`PUT ${notes}/2`] = {};
    await gitLab().comment(7, "new");
    expect(heard.at(-1)?.call).toBe(`PUT ${notes}/2`);
  });
});

it.each([
  [{}, "Neither GITHUB_REPOSITORY nor CI_PROJECT_ID is set"],
  [{ GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "" }, "GITHUB_TOKEN is not set"],
  [{ CI_PROJECT_ID: "5", CI_API_V4_URL: "https://forge.example.com" }, "GITLAB_TOKEN is not set"],
])("an environment %j is no job of a forge", (env, why) => {
  expect(() => forgeFromEnvironment(env)).toThrow(why);
});

it("no answer at all is an error that says so", async () => {
  const forge = gitHub();
  server.closeAllConnections();
  server.close();
  await expect(forge.comment(7, "text")).rejects.toThrow(/had no answer: .*ECONNREFUSED/);
});
