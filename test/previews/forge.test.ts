import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { forgeFromEnvironment, repositoryFromEnvironment } from "../../previews/forge/from-environment";

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

it.each([
  [gitHub, "/repos/acme/shop/pulls/7", { state: "open", head: { sha: "c1", ref: "b" } }, true],
  [gitHub, "/repos/acme/shop/pulls/7", { state: "closed", head: { sha: "c1", ref: "b" } }, false],
  [gitLab, "/projects/5/merge_requests/7", { state: "opened", sha: "c1", source_branch: "b" }, true],
  [gitLab, "/projects/5/merge_requests/7", { state: "locked", sha: "c1", source_branch: "b" }, true],
  [gitLab, "/projects/5/merge_requests/7", { state: "closed", sha: "c1", source_branch: "b" }, false],
  [gitLab, "/projects/5/merge_requests/7", { state: "merged", sha: "c1", source_branch: "b" }, false],
])("a pull request is looked at: %p %s %j", async (forge, path, body, isOpen) => {
  answers[`GET ${path}`] = { body };
  expect(await forge().pullRequest(7)).toEqual({ isOpen, commit: "c1", gitBranch: "b" });
  expect(heard[0]?.token).toBe(forge === gitHub ? "Bearer ghs_1" : "glpat_1");
});

it.each<[string, { status?: number; body?: unknown }, string]>([
  ["it is forbidden", { status: 403, body: { message: "no" } }, "was answered with 403"],
  ["it is not found", { status: 404, body: { message: "no" } }, "was answered with 404"],
  ["it is no pull request", { body: { message: "rate limit" } }, "something else than was asked for"],
  ["it is no JSON", { body: "<html>" }, "something else than was asked for"],
  [
    "its state is not known",
    { body: { state: "draft", head: { sha: "c1", ref: "b" } } },
    "something else than was asked for",
  ],
])("a pull request is an error, and not a closed one, where %s", async (_, answer, why) => {
  answers["GET /repos/acme/shop/pulls/7"] = answer;
  await expect(gitHub().pullRequest(7)).rejects.toThrow(why);
});

describe("the comment", () => {
  const path = "/repos/acme/shop/issues/7/comments";
  const notes = "/projects/5/merge_requests/7/notes";
  const MARKED = "<!-- management-previews -->\nold";
  const bot = { login: "github-actions[bot]" };

  it("is made where there is none", async () => {
    answers[`GET ${path}?per_page=100`] = { body: [{ id: 1, body: "Looks good", user: bot }] };
    answers[`POST ${path}`] = { status: 201 };
    await gitHub().comment(7, () => "### Preview\n");
    expect(heard.at(-1)).toMatchObject({
      call: `POST ${path}`,
      body: { body: "<!-- management-previews -->\n### Preview\n" },
    });
  });

  it("is changed where there is one, on whichever page", async () => {
    answers[`GET ${path}?per_page=100`] = { body: [{ id: 1, body: null }], next: `${url}${path}?page=2` };
    answers[`GET ${path}?page=2`] = { body: [{ id: 2, body: MARKED, user: bot }] };
    answers["PATCH /repos/acme/shop/issues/comments/2"] = {};
    await gitHub().comment(7, (before) => `${before?.split("\n").at(-1) ?? ""}, and new`);
    expect(heard.at(-1)?.body).toEqual({ body: "<!-- management-previews -->\nold, and new\n" });
  });

  it.each([
    ["somebody else", { login: "mallory" }],
    ["nobody any more", null],
  ])("of %s is left alone though it bears the mark, and a new one is written", async (_, user) => {
    answers[`GET ${path}?per_page=100`] = { body: [{ id: 2, body: MARKED, user }] };
    answers[`POST ${path}`] = { status: 201 };
    await gitHub().comment(7, () => "new");
    expect(heard.map(({ call }) => call)).toEqual([`GET ${path}?per_page=100`, `POST ${path}`]);
  });

  it.each(["next", "self", "elsewhere"])("is not written where a page cannot be read: %s", async (page) => {
    const next = {
      next: `${url}/page`,
      self: `${url}${path}?per_page=100`,
      elsewhere: "https://x.example.com/",
    };
    answers[`GET ${path}?per_page=100`] = { body: [], next: next[page as "next"] };
    await expect(gitHub().comment(7, () => "new")).rejects.toThrow(
      /was answered with 404|as the page after itself|a page elsewhere/,
    );
    expect(heard.filter(({ call }) => !call.startsWith("GET "))).toEqual([]);
  });

  it("is of the login that is given, where the token is not that of a job", async () => {
    answers[`GET ${path}?per_page=100`] = {
      body: [{ id: 2, body: MARKED, user: { login: "previews-app[bot]" } }],
    };
    answers["PATCH /repos/acme/shop/issues/comments/2"] = {};
    const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "ghs_1" };
    await forgeFromEnvironment(env, { commentAuthor: "previews-app[bot]" }).comment(7, () => "new");
    expect(heard.at(-1)?.call).toBe("PATCH /repos/acme/shop/issues/comments/2");
  });

  it("is a note of a merge request, by the user whose the token is", async () => {
    answers["GET /user"] = { body: { id: 40, username: "project_5_bot" } };
    answers[`GET ${notes}?per_page=100`] = {
      body: [
        { id: 1, body: MARKED, author: { id: 41 } },
        { id: 2, body: MARKED, author: { id: 40 } },
      ],
    };
    answers[`PUT ${notes}/2`] = {};
    await gitLab().comment(7, () => "new");
    expect(heard.at(-1)?.call).toBe(`PUT ${notes}/2`);
  });

  it("is a new note where somebody else has written the mark", async () => {
    answers["GET /user"] = { body: { id: 40 } };
    answers[`GET ${notes}?per_page=100`] = { body: [{ id: 1, body: MARKED, author: { id: 41 } }] };
    answers[`POST ${notes}`] = { status: 201 };
    await gitLab().comment(7, () => "new");
    expect(heard.at(-1)?.call).toBe(`POST ${notes}`);
  });
});

it.each([
  [
    { GITHUB_REPOSITORY: "acme/shop", GITHUB_SERVER_URL: "https://forge.example.com" },
    "https://forge.example.com/acme/shop",
  ],
  [
    { CI_PROJECT_URL: "https://gitlab.example.com/acme/apps/shop" },
    "https://gitlab.example.com/acme/apps/shop",
  ],
  [{}, undefined],
])("the repository of a job is known by its web address: %j", (env, address) => {
  expect(repositoryFromEnvironment(env)).toBe(address);
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
  await expect(forge.comment(7, () => "text")).rejects.toThrow(/had no answer: .*ECONNREFUSED/);
});
