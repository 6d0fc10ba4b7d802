import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { formatSummary } from "../../provider/components/preview-environment/compose";
import { checkForgeSettings } from "../../previews/forge-settings";
import { ForgeUnavailableError } from "../../previews/forge/forge";
import { createForge, findRepositoryAddress } from "../../previews/forge/from-environment";

interface Heard {
  readonly call: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

let server: Server;
let url: string;
let heard: Heard[];
interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly next?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
/** Of several, each is given once, and the last one from then on. */
let answers: Record<string, Answer | Answer[]>;
let paused: number[];
beforeEach(async () => {
  heard = [];
  answers = {};
  paused = [];
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      const call = `${request.method ?? ""} ${request.url ?? ""}`;
      const { authorization, "private-token": own } = request.headers;
      const token = authorization ?? (own as string | undefined);
      heard.push({ call, token, body: text === "" ? undefined : JSON.parse(text) });
      const given = answers[call] ?? { status: 404, body: { message: "Not Found" } };
      const answer = Array.isArray(given) ? (given.length > 1 ? given.shift() : given[0]) : given;
      const { status = 200, body = [], next, headers = {} } = answer ?? {};
      const link = next === undefined ? {} : { link: `<${next}>; rel="next", <${url}/x>; rel="last"` };
      response.writeHead(status, { ...headers, ...link });
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

const pause = (ms: number): Promise<void> => Promise.resolve(void paused.push(ms));
const gitHub = () =>
  createForge({ GITHUB_API_URL: url, GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "ghs_1" }, { pause });
const gitLab = () =>
  createForge({ CI_API_V4_URL: url, CI_PROJECT_ID: "5", GITLAB_TOKEN: "glpat_1" }, { pause });

const HEAD = { sha: "c1", ref: "b" };
const OWN = { full_name: "Acme/shop" };
const FORK = { full_name: "somebody/shop" };
const MERGE_REQUEST = { sha: "c1", source_branch: "b", source_project_id: 5, target_project_id: 5 };

it.each([
  [gitHub, "/repos/acme/shop/pulls/7", { state: "open", head: { ...HEAD, repo: OWN } }, true, false],
  [gitHub, "/repos/acme/shop/pulls/7", { state: "closed", head: { ...HEAD, repo: OWN } }, false, false],
  [gitHub, "/repos/acme/shop/pulls/7", { state: "open", head: { ...HEAD, repo: FORK } }, true, true],
  [gitHub, "/repos/acme/shop/pulls/7", { state: "open", head: { ...HEAD, repo: null } }, true, true],
  [gitLab, "/projects/5/merge_requests/7", { state: "opened", ...MERGE_REQUEST }, true, false],
  [gitLab, "/projects/5/merge_requests/7", { state: "locked", ...MERGE_REQUEST }, true, false],
  [gitLab, "/projects/5/merge_requests/7", { state: "closed", ...MERGE_REQUEST }, false, false],
  [gitLab, "/projects/5/merge_requests/7", { state: "merged", ...MERGE_REQUEST }, false, false],
  [
    gitLab,
    "/projects/5/merge_requests/7",
    { state: "opened", ...MERGE_REQUEST, source_project_id: null },
    true,
    true,
  ],
  [
    gitLab,
    "/projects/5/merge_requests/7",
    { state: "opened", ...MERGE_REQUEST, source_project_id: null, target_project_id: null },
    true,
    true,
  ],
  [gitLab, "/projects/5/merge_requests/7", { state: "opened", sha: "c1", source_branch: "b" }, true, true],
])("a pull request is looked at: %p %s %j", async (forge, path, body, isOpen, isFork) => {
  answers[`GET ${path}`] = { body };
  const of = { isOpen, commit: "c1", gitBranch: "b", isDraft: false, isFork };
  expect(await forge().pullRequest(7)).toEqual(of);
  expect(heard[0]?.token).toBe(forge === gitHub ? "Bearer ghs_1" : "glpat_1");
});

it.each<[string, { status?: number; body?: unknown }, string]>([
  ["it is forbidden", { status: 403, body: { message: "no" } }, "was answered with 403"],
  ["it is not found", { status: 404, body: { message: "no" } }, "was answered with 404"],
  ["it is no pull request", { body: { message: "rate limit" } }, "an answer of an unexpected form"],
  ["it is no JSON", { body: "<html>" }, "an answer of an unexpected form"],
  [
    "its state is not known",
    { body: { state: "draft", head: { sha: "c1", ref: "b" } } },
    "an answer of an unexpected form",
  ],
])("a pull request is an error, and not a closed one, where %s", async (_, answer, why) => {
  answers["GET /repos/acme/shop/pulls/7"] = answer;
  await expect(gitHub().pullRequest(7)).rejects.toThrow(why);
});

describe("what is still to be set", () => {
  const ALL = ["MANAGEMENT_BASE_URL", "MANAGEMENT_ACCESS_TOKEN", "PULUMI_BACKEND_URL"];
  const actions = "/repos/acme/shop/actions";
  /** Has them on GitHub, on several pages, one of them with its organization; and on GitLab, which has one kind. */
  function has(variables: readonly string[], secrets: readonly string[]): void {
    const named = (names: readonly string[]) => names.map((name) => ({ name }));
    const [first, ...others] = secrets;
    const page = (path: string): string => `GET ${actions}/${path}?per_page=100`;
    const firstPage = { secrets: named(first === undefined ? [] : [first]) };
    answers[page("secrets")] = { body: firstPage, next: `${url}${actions}/secrets?per_page=100&page=2` };
    answers[`${page("secrets")}&page=2`] = { body: { secrets: named(others.slice(0, 1)) } };
    answers[page("organization-secrets")] = { body: { secrets: named(others.slice(1)) } };
    answers[page("variables")] = { body: { variables: named(variables) } };
    answers[page("organization-variables")] = { body: { variables: [] } };
    const keys = [...variables, ...secrets].map((key) => ({ key }));
    answers["GET /projects/5/variables?per_page=100"] = { body: keys };
  }

  it.each<[string, string[], string[], string]>([
    [
      "nothing, with a backend of one's own",
      ALL.slice(0, 1),
      [...ALL.slice(1), "PULUMI_CONFIG_PASSPHRASE"],
      "",
    ],
    [
      "nothing, with the service of Pulumi",
      ALL.slice(0, 1),
      ["MANAGEMENT_ACCESS_TOKEN", "PULUMI_ACCESS_TOKEN"],
      "",
    ],
    [
      "what protects the states",
      ALL.slice(0, 1),
      ALL.slice(1),
      "secret PULUMI_CONFIG_PASSPHRASE, or secret PULUMI_ACCESS_TOKEN",
    ],
    [
      "everything",
      [],
      [],
      "variable MANAGEMENT_BASE_URL; secret MANAGEMENT_ACCESS_TOKEN; secret PULUMI_BACKEND_URL and secret PULUMI_CONFIG_PASSPHRASE, or secret PULUMI_ACCESS_TOKEN",
    ],
  ])("is %s", async (_, variables, secrets, lacking) => {
    has(variables, secrets);
    for (const forge of [gitHub(), gitLab()]) {
      const { isComplete, says } = await checkForgeSettings(forge);
      expect([isComplete, says]).toEqual([
        lacking === "",
        lacking === ""
          ? "The forge has all that the jobs of previews read."
          : `Still to be set in the forge: ${lacking}.`,
      ]);
    }
  });

  it("is not said where a secret is set as a variable that everybody can read", async () => {
    has([...ALL, "PULUMI_CONFIG_PASSPHRASE"], []);
    expect((await checkForgeSettings(gitHub())).isComplete).toBe(false);
  });

  it("is not known where the forge may not tell, or is not asked", async () => {
    const { isComplete, says } = await checkForgeSettings(gitHub());
    expect([isComplete, says]).toEqual([undefined, expect.stringContaining("does not tell")]);
    expect((await checkForgeSettings(undefined)).isComplete).toBeUndefined();
  });
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

  it.each(["next", "self", "elsewhere", "nowhere"])(
    "is not written where a page cannot be read: %s",
    async (page) => {
      const next = {
        next: `${url}/page`,
        self: `${url}${path}?per_page=100`,
        elsewhere: "https://x.example.com/",
        nowhere: "http://[x",
      };
      answers[`GET ${path}?per_page=100`] = { body: [], next: next[page as "next"] };
      await expect(gitHub().comment(7, () => "new")).rejects.toThrow(
        /was answered with 404|as the page after itself|a page elsewhere|that is no address/,
      );
      expect(heard.filter(({ call }) => !call.startsWith("GET "))).toEqual([]);
    },
  );

  it("is of the login that is given, where the token is not that of a job", async () => {
    answers[`GET ${path}?per_page=100`] = {
      body: [{ id: 2, body: MARKED, user: { login: "previews-app[bot]" } }],
    };
    answers["PATCH /repos/acme/shop/issues/comments/2"] = {};
    const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "ghs_1" };
    await createForge(env, { commentAuthor: "previews-app[bot]" }).comment(7, () => "new");
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
    gitHub,
    "/repos/acme/shop/commits/c1/pulls?per_page=100",
    [
      { number: 8, merged_at: null },
      { number: 7, merged_at: "2026-01-01T00:00:00Z" },
    ],
  ],
  [
    gitLab,
    "/projects/5/repository/commits/c1/merge_requests?per_page=100",
    [
      { iid: 8, state: "opened" },
      { iid: 7, state: "merged" },
    ],
  ],
])(
  "the pull request that brought a commit is found, and not one that has it as well: %p",
  async (forge, path, body) => {
    answers[`GET ${path}`] = { body };
    expect(await forge().pullRequestOf("c1")).toBe(7);
    answers[`GET ${path}`] = { body: body.slice(0, 1) };
    expect(await forge().pullRequestOf("c1")).toBeUndefined();
  },
);

it.each([
  ["../../user?x=1#", "..%2F..%2Fuser%3Fx%3D1%23"],
  ["%2e%2e", "%252e%252e"],
  ["a\nb", "a%0Ab"],
])("a commit named %j is one part of the path", async (commit, part) => {
  answers[`GET /repos/acme/shop/commits/${part}/pulls?per_page=100`] = {
    body: [{ number: 7, merged_at: "2026-01-01T00:00:00Z" }],
  };
  answers[`GET /projects/5/repository/commits/${part}/merge_requests?per_page=100`] = {
    body: [{ iid: 7, state: "merged" }],
  };
  for (const forge of [gitHub, gitLab]) expect(await forge().pullRequestOf(commit)).toBe(7);
});

it.each(["", ".", "..", "a\ud800"])("a commit named %j is not asked for", async (commit) => {
  for (const forge of [gitHub, gitLab])
    await expect(forge().pullRequestOf(commit)).rejects.toThrow("names no commit");
  expect(heard).toEqual([]);
});

it.each([
  [gitHub, "/repos/acme/shop/branches/release%2F1", { commit: { sha: "c1" } }],
  [gitLab, "/projects/5/repository/branches/release%2F1", { commit: { id: "c1" } }],
])("the last commit of a branch is asked for: %p", async (forge, path, body) => {
  answers[`GET ${path}`] = { body };
  expect(await forge().lastCommit("release/1")).toBe("c1");
});

it("the summary of a preview is in the words of the forge", () => {
  const lasting = { ref: "b", branchName: "pr-7", apiUrl: undefined, latestMigration: undefined };
  const summary = formatSummary({
    ...{ ...lasting, pullRequest: 7, gitBranch: "pull request 7", functions: undefined, ttlHours: undefined },
  });
  expect(gitHub().inOwnWords(summary)).toBe(summary);
  const onGitLab = gitLab().inOwnWords(summary);
  expect(onGitLab).toContain("### Preview of merge request !7\n");
  expect(onGitLab).toContain("| until the merge request is closed |");
  // A name of the user's own stays.
  expect(onGitLab).toContain("`pull request 7`");
});

it("the comment of a topic is another one than that without", async () => {
  const bot = { login: "github-actions[bot]" };
  answers["GET /repos/acme/shop/issues/7/comments?per_page=100"] = {
    body: [
      { id: 1, body: "<!-- management-previews -->\nThe preview was removed.", user: bot },
      { id: 2, body: "<!-- management-previews production -->\nold", user: bot },
    ],
  };
  answers["PATCH /repos/acme/shop/issues/comments/2"] = {};
  await gitHub().comment(7, (before) => `${before}, and new`, "production");
  expect(heard.at(-1)).toMatchObject({
    call: "PATCH /repos/acme/shop/issues/comments/2",
    body: { body: "<!-- management-previews production -->\nold, and new\n" },
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
  expect(findRepositoryAddress(env)).toBe(address);
});

it.each([
  [{}, "Neither GITHUB_REPOSITORY nor CI_PROJECT_ID is set"],
  [{ GITHUB_REPOSITORY: "acme/shop", GITHUB_TOKEN: "" }, "GITHUB_TOKEN is not set"],
  [{ CI_PROJECT_ID: "5", CI_API_V4_URL: "https://forge.example.com" }, "GITLAB_TOKEN is not set"],
])("an environment %j is no job of a forge", (env, why) => {
  expect(() => createForge(env)).toThrow(why);
});

describe("the forge's limits", () => {
  const look = "GET /repos/acme/shop/pulls/7";
  const open = { body: { state: "open", head: { sha: "c1", ref: "b" } } };
  const comments = "/repos/acme/shop/issues/7/comments";
  const inSeconds = (seconds: number): string => String(Math.ceil(Date.now() / 1000) + seconds);

  it.each<[string, Answer, number]>([
    ["403 with retry-after", { status: 403, headers: { "retry-after": "30" } }, 30],
    ["429 with retry-after", { status: 429, headers: { "retry-after": "20" } }, 20],
    ["429 without one", { status: 429 }, 60],
    ["503 with retry-after", { status: 503, headers: { "retry-after": "5" } }, 5],
    [
      "403 of a secondary limit",
      { status: 403, body: { message: "You have exceeded a secondary rate limit" } },
      60,
    ],
  ])("are waited for: %s", async (_, limited, seconds) => {
    answers[look] = [limited, open];
    expect(await gitHub().pullRequest(7)).toMatchObject({ isOpen: true });
    expect(paused).toEqual([seconds * 1000]);
  });

  it("are waited for until the time that the forge names", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(40) };
    answers[look] = [{ status: 403, headers }, open];
    await gitHub().pullRequest(7);
    expect(paused).toHaveLength(1);
    expect(paused[0]).toBeGreaterThan(38_000);
    expect(paused[0]).toBeLessThanOrEqual(41_000);
  });

  it("are waited for with a write as well, which is made once", async () => {
    answers[`GET ${comments}?per_page=100`] = { body: [] };
    answers[`POST ${comments}`] = [{ status: 429, headers: { "retry-after": "3" } }, { status: 201 }];
    await gitHub().comment(7, () => "new");
    expect(paused).toEqual([3000]);
    expect(heard.filter(({ call }) => call.startsWith("POST"))).toHaveLength(2);
  });

  it("are waited for at most three minutes in all, and then told", async () => {
    answers[look] = { status: 429, headers: { "retry-after": "80" } };
    const forge = gitHub();
    const refused = forge.pullRequest(7);
    await expect(refused).rejects.toThrow(ForgeUnavailableError);
    await expect(refused).rejects.toThrow("429: the forge limits its calls and asks to wait 80 s");
    expect(paused).toEqual([80_000, 80_000]);
    await expect(forge.pullRequest(7)).rejects.toThrow(ForgeUnavailableError);
    expect(paused).toHaveLength(2);
  });

  it.each([500, 502, 503, 504])(
    "%d is tried again where that changes nothing, and then told",
    async (status) => {
      answers[look] = [{ status }, open];
      await gitHub().pullRequest(7);
      expect(paused).toEqual([500]);
      answers[look] = { status };
      await expect(gitHub().pullRequest(7)).rejects.toThrow(ForgeUnavailableError);
      // The comment may be written though the answer is lost.
      answers[`GET ${comments}?per_page=100`] = { body: [] };
      answers[`POST ${comments}`] = { status };
      await expect(gitHub().comment(7, () => "new")).rejects.toThrow(ForgeUnavailableError);
      expect(heard.filter(({ call }) => call.startsWith("POST"))).toHaveLength(1);
    },
  );

  it("are not what 403 alone and 404 are", async () => {
    for (const status of [401, 403, 404]) {
      answers[look] = { status, body: { message: "no" } };
      await expect(gitHub().pullRequest(7)).rejects.not.toThrow(ForgeUnavailableError);
    }
    expect(paused).toEqual([]);
  });
});

it("the next page is asked for at the API's own address, where a forge behind a proxy names an inner one", async () => {
  const notes = "/projects/5/merge_requests/7/notes";
  answers["GET /user"] = { body: { id: 40 } };
  const next = `http://gitlab.internal:8080/api/v4${notes}?page=2&per_page=100`;
  answers[`GET ${notes}?per_page=100`] = { body: [], next };
  answers[`GET ${notes}?page=2&per_page=100`] = {
    body: [{ id: 2, body: "<!-- management-previews -->\nold", author: { id: 40 } }],
  };
  answers[`PUT ${notes}/2`] = {};
  await gitLab().comment(7, () => "new");
  expect(heard.at(-1)?.call).toBe(`PUT ${notes}/2`);
});

it("a redirection is told as one, and the token does not follow it", async () => {
  answers["GET /repos/acme/shop/pulls/7"] = {
    status: 302,
    body: "",
    headers: { location: "https://login.example.com/" },
  };
  await expect(gitHub().pullRequest(7)).rejects.toThrow(
    "was answered with 302: it redirects to https://login.example.com/",
  );
});

it("no answer at all is an error that says so", async () => {
  const forge = gitHub();
  server.closeAllConnections();
  server.close();
  await expect(forge.comment(7, () => "text")).rejects.toThrow(/had no answer: .*ECONNREFUSED/);
});

describe("a forge that is not to be believed", () => {
  const env = (): Record<string, string> => ({
    GITHUB_REPOSITORY: "acme/shop",
    GITHUB_API_URL: url,
    GITHUB_TOKEN: "job-token",
  });
  const commits = "/repos/acme/shop/commits/c1/pulls?per_page=100";

  it("is not read beyond a size, and not as deep as it likes", async () => {
    answers[`GET ${commits}`] = { body: `[${" ".repeat(17 * 1024 * 1024)}]` };
    await expect(createForge(env()).pullRequestOf("c1")).rejects.toThrow("more than 16777216 bytes");
    answers[`GET ${commits}`] = { body: "[".repeat(40_000) + "]".repeat(40_000) };
    await expect(createForge(env()).pullRequestOf("c1")).rejects.toThrow("unexpected form");
  });

  it("is not asked for pages without an end", async () => {
    const page = (number: number): string => `GET ${commits}&page=${number}`;
    answers[`GET ${commits}`] = { next: `${url}${commits}&page=1` };
    for (let number = 1; number <= 200; number += 1)
      answers[page(number)] = { next: `${url}${commits}&page=${number + 1}` };
    await expect(createForge(env()).pullRequestOf("c1")).rejects.toThrow("more than 200 pages");
    expect(heard).toHaveLength(200);
  });
});
