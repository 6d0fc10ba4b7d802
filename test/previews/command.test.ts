import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TTL_SECRET } from "../../previews";
import { run } from "../../previews/run";
import { VERSION } from "../../provider/core/version.generated";
import { previewPermissions } from "../../previews/permissions.generated";
import { startFakeForge, type FakeForge } from "./fake-forge";
import { startPreviewed, type Previewed } from "./previews";

let all: Previewed;
let forge: FakeForge;
const environment = { ...process.env };
beforeEach(async () => {
  all = await startPreviewed();
  forge = await startFakeForge();
  Object.assign(process.env, forge.env);
  process.env["MANAGEMENT_BASE_URL"] = all.emulator.url;
  process.env["MANAGEMENT_ACCESS_TOKEN"] = all.emulator.accessToken;
});
afterEach(async () => {
  process.env = { ...environment };
  await forge.close();
  await all.close();
});

/** Without the variables of the forge. */
function outsideOfAJob(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in forge.env)));
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function command(...args: string[]): Promise<Ran> {
  const ran = { out: "", err: "" };
  const code = await run(args, {
    out: (text) => void (ran.out += text),
    err: (text) => void (ran.err += text),
  });
  return { code, ...ran };
}

it("sweep lists first, removes with --yes, and then has nothing to do", async () => {
  const ref = all.preview(12, 30);
  forge.pulls.set(12, { state: "closed" });
  const args = ["sweep", "--project", all.project];
  const listed = await command(...args);
  expect(listed.code).toBe(0);
  const [head, row, hint] = listed.out.split("\n");
  expect(head).toMatch(/^preview +ref +reason +outcome$/);
  expect(row).toBe(`${all.name(12)}  ${ref}  pull request 12 is closed  would be removed`);
  expect(hint).toBe("Nothing was removed. Pass --yes to remove them.");
  expect(all.names()).toEqual([all.name(12)]);
  const removed = await command(...args, "--yes", "--json");
  expect(JSON.parse(removed.out)).toMatchObject([{ name: all.name(12), ref, outcome: "removed" }]);
  expect(all.names()).toEqual([]);
  expect(await command(...args, "--yes")).toEqual({ code: 0, out: "No preview is stale.\n", err: "" });
});

it("sweep right after a pull request was closed says that its preview is kept, and for how long", async () => {
  all.preview(12, 0.5);
  all.preview(13, 0.5);
  forge.pulls.set(12, { state: "closed" });
  forge.pulls.set(13, { state: "open" });
  const { code, out } = await command("sweep", "--project", all.project, "--yes");
  expect({ code, out }).toEqual({
    code: 0,
    out: "Kept, as younger than 60 minutes: the preview of closed pull request 12.\n",
  });
  expect(all.names()).toHaveLength(2);
});

it.each([401, 403, 404, 500])(
  "sweep keeps a preview of whose pull request the forge answers %d",
  async (status) => {
    all.preview(12, 30);
    forge.pulls.set(12, { status });
    const { code, out } = await command("sweep", "--project", all.project, "--yes");
    expect(code).toBe(1);
    expect(out).toContain("the state of pull request 12 is unknown");
    expect(all.names()).toEqual([all.name(12)]);
  },
);

it("sweep keeps the previews of open pull requests, and of those whose state it does not know", async () => {
  all.preview(12, 30);
  forge.pulls.set(12, { state: "open" });
  expect(await command("sweep", "--project", all.project, "--yes")).toMatchObject({ code: 0 });
  forge.pulls.set(12, { state: "deleted" as "closed" });
  expect(await command("sweep", "--project", all.project, "--yes")).toMatchObject({ code: 1 });
  expect(all.names()).toEqual([all.name(12)]);
});

it("sweep ends with 1 where a removal failed", async () => {
  all.preview(12, 30);
  forge.pulls.set(12, { state: "closed" });
  all.emulator.control.addFault({ operation: "deleteBranch", status: 403 });
  const { code, out } = await command("sweep", "--project", all.project, "--yes");
  expect(code).toBe(1);
  expect(out).toContain("failed: ");
});

it("sweep asks no forge about the pull requests of another repository", async () => {
  const repository = "https://forge.example.com/acme/other";
  all.branch(all.name(12, repository), 30, { git_branch: "feature-12" });
  forge.pulls.set(12, { state: "closed" });
  const { code, err } = await command("sweep", "--project", all.project, "--repository", repository, "--yes");
  expect(code).toBe(1);
  expect(err).toContain("whose pull requests say nothing of those of https://forge.example.com/acme/other");
  expect(all.names()).toHaveLength(1);
});

describe("sweep with a list of the open pull requests", () => {
  const HOURS = 30;
  let list: string;
  beforeEach(() => {
    process.env = outsideOfAJob();
    list = join(mkdtempSync(join(tmpdir(), "management-list-")), "open.txt");
  });
  afterEach(() => rmSync(dirname(list), { recursive: true }));

  const sweep = (text: string | undefined, ...more: string[]): Promise<Ran> => {
    if (text !== undefined) writeFileSync(list, text);
    const args = ["sweep", "--project", all.project, "--repository", all.repository];
    return command(...args, "--open-pull-requests", list, "--yes", ...more);
  };

  it.each([
    ["numbers, one a line", "7\n\n 13 \r\n"],
    ["a JSON array of numbers", "[7, 13]\n"],
    ["a JSON array of objects", '[{ "number": 7, "title": "x" }, { "number": 13 }]'],
  ])(
    "removes the previews of those that it does not name, whatever their Git branch: %s",
    async (_, text) => {
      all.preview(7, HOURS);
      all.preview(12, HOURS, { git_branch: "feature/renamed-since" });
      all.branch(all.name(12, "https://forge.example.com/acme/other"), HOURS, { git_branch: "x" });
      const { code, out, err } = await sweep(text);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain("pull request 12 is closed  removed");
      expect(all.names().sort()).toEqual(
        [all.name(7), all.name(12, "https://forge.example.com/acme/other")].sort(),
      );
    },
  );

  it.each([
    ["is empty", ""],
    ["is empty", "[]"],
    ["names no pull request that has a preview", "900\n901\n"],
  ])(
    "removes nothing by a list that %s, unless --none-open says that it is right: %j",
    async (what, text) => {
      all.preview(7, HOURS);
      all.preview(12, HOURS);
      const { code, out, err } = await sweep(text);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(`The list of open pull requests ${what}.`);
      expect(err).toContain("pass --none-open");
      expect(all.names()).toHaveLength(2);
      expect(await sweep(text, "--none-open")).toMatchObject({ code: 0, err: "" });
      expect(all.names()).toEqual([]);
    },
  );

  it("still removes by such a list what is older than its hours", async () => {
    all.preview(7, HOURS, { secrets: { [TTL_SECRET]: "24" } });
    all.preview(12, HOURS, { secrets: { [TTL_SECRET]: "48" } });
    const { code, out } = await sweep("");
    expect(code).toBe(1);
    expect(out).toContain("older than its 24 hours  removed");
    expect(all.names()).toEqual([all.name(12)]);
  });

  it("has nothing against an empty list where there is no preview", async () => {
    expect(await sweep("")).toEqual({ code: 0, out: "No preview is stale.\n", err: "" });
  });

  it.each([
    ["that does not exist", undefined, "cannot be read from"],
    ["that is an error page", "<html>401</html>", "has no number in line 1"],
    ["that ends with an error", "7\ncurl: (22) The requested URL returned error: 401\n", "in line 2"],
    ["with a number that is none", "7\n0\n", "in line 2"],
    ["that is an error of an API", '{ "message": "Bad credentials" }', "is not one JSON array"],
    ["whose objects have no number", '[{ "id": 7 }]', "is not one JSON array"],
    ["that was cut", "[7, 1", "is not one JSON array"],
    ["of several arrays", "[7]\n[13]", "is not one JSON array"],
  ])("stops before anything by a list %s", async (_, text, why) => {
    all.preview(12, HOURS);
    all.emulator.control.clearCalls();
    const { code, err } = await sweep(text, "--none-open");
    expect(code).toBe(1);
    expect(err).toContain(why);
    expect(err).toContain("Nothing was removed.");
    expect(err).not.toMatch(/curl|Bad credentials/);
    expect(all.emulator.control.countCalls({})).toBe(0);
  });

  it("keeps what is younger than the list, as of a pull request that was opened later", async () => {
    all.preview(7, HOURS);
    all.preview(13, 2);
    writeFileSync(list, "7\n");
    const threeHoursAgo = Date.now() / 1000 - 3 * 3_600;
    utimesSync(list, threeHoursAgo, threeHoursAgo);
    expect(await sweep(undefined)).toMatchObject({ code: 0, out: "No preview is stale.\n" });
    expect(all.names()).toHaveLength(2);
  });

  it("asks no forge, also in a job of one", async () => {
    all.preview(7, HOURS);
    all.preview(12, HOURS);
    Object.assign(process.env, forge.env);
    forge.pulls.set(12, { state: "open" });
    expect(await sweep("7\n")).toMatchObject({ code: 0 });
    expect(all.names()).toEqual([all.name(7)]);
  });

  it("never removes a branch that is from no Git branch, or that is persistent", async () => {
    all.preview(7, HOURS);
    all.preview(12, HOURS, { git_branch: undefined });
    all.preview(13, HOURS, { persistent: true });
    const { code, out } = await sweep("7\n");
    expect(code).toBe(1);
    expect(out).toContain("not the preview: ");
    expect(out).toContain("it was created from no Git branch");
    expect(all.names()).toHaveLength(3);
  });
});

it("sweep outside of a job needs a list, and --none-open one to speak of", async () => {
  process.env = outsideOfAJob();
  const args = ["sweep", "--project", all.project, "--repository", all.repository];
  for (const [more, why] of [
    [[], "Outside a job of GitHub or GitLab, sweep needs --open-pull-requests <file>"],
    [["--none-open"], "--none-open belongs to --open-pull-requests"],
  ] as const) {
    expect(await command(...args, ...more)).toMatchObject({
      code: 2,
      err: expect.stringContaining(why) as string,
    });
  }
});

it("remove removes the preview of a pull request, and no other", async () => {
  all.preview(12, 30);
  all.preview(120, 30);
  forge.pulls.set(12, { state: "closed" });
  const args = ["remove", "--project", all.project, "--number", "12"];
  expect(await command(...args)).toMatchObject({ code: 0, out: `${all.name(12)}: removed\n` });
  expect(all.names()).toEqual([all.name(120)]);
  expect((await command(...args, "--git-branch", "feature-12")).out).toBe(`${all.name(12)}: gone already\n`);
});

it("remove says nothing of a preview where a listed branch has no name", async () => {
  all.preview(12, 30);
  forge.pulls.set(12, { state: "closed" });
  const { control } = all.emulator;
  const body = control.call("listBranches", { ref: all.project }).map((each) => ({ ...each, name: null }));
  control.addFault({ operation: "listBranches", status: 200, body, times: 1 });
  const args = ["remove", "--project", all.project, "--number", "12"];
  const first = await command(...args);
  expect(first).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("without its name") as string,
  });
  expect((await command(...args)).out).toBe(`${all.name(12)}: removed\n`);
});

it("remove says that it looked for no stack where none was named", async () => {
  all.preview(12, 30);
  const args = ["remove", "--project", all.project, "--number", "12", "--git-branch", "feature-12"];
  expect(await command(...args)).toEqual({
    code: 0,
    out: `${all.name(12)}: removed\n`,
    err: expect.stringContaining(
      "a stack of that name stays: to remove it as well, pass --stack-pattern",
    ) as unknown,
  });
});

it("remove leaves the preview of another repository that has the same number", async () => {
  const other = all.name(30, "https://forge.example.com/acme/a");
  all.branch(other, 30, { git_branch: "feature-30" });
  const args = ["remove", "--project", all.project, "--number", "30", "--git-branch", "feature-30"];
  expect((await command(...args)).out).toBe(`${all.name(30)}: gone already\n`);
  expect(all.names()).toEqual([other]);
});

it.each([
  [{ git_branch: "feature/of-somebody" }, 'from the Git branch "feature/of-somebody", not from'],
  [{ git_branch: undefined }, "from no Git branch"],
  [{ persistent: true }, "it is persistent"],
])("remove leaves a branch that up refuses as somebody else's: %j", async (more, why) => {
  all.preview(12, 0, more);
  const args = ["remove", "--project", all.project, "--number", "12", "--git-branch", "feature-12"];
  const { code, err } = await command(...args);
  expect(code).toBe(1);
  expect(err).toContain("is not the preview of pull request 12");
  expect(err).toContain(why);
  expect(all.names()).toEqual([all.name(12)]);
});

it("remove asks for the Git branch where the forge does not tell it", async () => {
  all.preview(12, 30);
  const { code, err } = await command("remove", "--project", all.project, "--number", "12");
  expect(code).toBe(1);
  expect(err).toContain("Nothing was removed. Pass it with --git-branch.");
  expect(all.names()).toEqual([all.name(12)]);
});

it("status shows every preview of the repository, with --json for programs", async () => {
  all.preview(12, 30, { git_branch: "feature", secrets: { [TTL_SECRET]: "48" } });
  all.preview(7, 2);
  all.branch("staging", 2);
  forge.pulls.set(12, { state: "open" });
  forge.pulls.set(7, { state: "closed" });
  const args = ["status", "--project", all.project];
  const { code, out } = await command(...args);
  expect(code).toBe(0);
  const [head = "", first = "", second = "", ...rest] = out.split("\n");
  expect(head).toMatch(/^branch +ref +pull request +git branch +state +age +lasts +cost$/);
  expect(first).toMatch(
    /^pr-12-acme-shop-\w{10} +[a-z]{20} +12 open +feature +.* 30 h +48 h +compute for 30 h$/,
  );
  expect(second).toMatch(
    /^pr-7-acme-shop-\w{10} +[a-z]{20} +7 closed +feature-7 +.* 2 h +– +compute for 2 h$/,
  );
  expect(rest).toEqual([""]);
  expect(JSON.parse((await command(...args, "--json")).out)).toMatchObject([
    { name: all.name(12), pullRequest: 12, gitBranch: "feature", ageHours: 30, ttlHours: 48, isOpen: true },
    { name: all.name(7), pullRequest: 7, ageHours: 2, isOpen: false },
  ]);
  process.env = outsideOfAJob();
  const outside = await command(...args, "--repository", all.repository);
  expect(outside.out).toMatch(/ 12 +feature /);
});

it("status and check say where the service's own integration made a branch for the same pull request", async () => {
  all.preview(12, 30, { git_branch: "feature" });
  all.preview(13, 30, { git_branch: "others" });
  all.branch("made-by-integration", 2);
  const { control } = all.emulator;
  // No call of the API makes such a branch.
  const listed = control
    .call("listBranches", { ref: all.project })
    .map((branch) =>
      branch.name === "made-by-integration" ? { ...branch, pr_number: 12, git_branch: "feature" } : branch,
    );
  control.addFault({ operation: "listBranches", status: 200, body: listed, times: 10 });
  forge.pulls.set(12, { state: "open" });
  forge.pulls.set(13, { state: "open" });
  all.emulator.control.clearCalls();
  const status = await command("status", "--project", all.project);
  expect(status.out.match(/^Pull request \d+ also has the branch .*$/gm)).toEqual([
    "Pull request 12 also has the branch made-by-integration, which the service's own integration made.",
  ]);
  expect(status.out).toContain("Switch the integration off in the project's settings");
  const check = await command("check", "--project", all.project);
  expect(check.out).toContain("makes branches of this project: made-by-integration (pull request 12)");
  const writes = all.emulator.control
    .calls()
    .filter(({ method, operation }) => method !== "GET" && operation !== "runReadOnlyQuery");
  expect(writes).toEqual([]);
});

it("name prints the name that the branch and the stack have", async () => {
  expect((await command("name", "--project", all.project, "--number", "7")).out).toBe(`${all.name(7)}\n`);
});

describe("check", () => {
  it("tells which reads of the project succeed with the token, and what it cannot tell", async () => {
    const { control } = all.emulator;
    process.env["MANAGEMENT_ACCESS_TOKEN"] = control.createToken({ permissions: previewPermissions });
    control.clearCalls();
    const { code, out } = await command("check", "--project", all.project);
    expect(code).toBe(0);
    expect(out).toMatch(/^runReadOnlyQuery +succeeds +yes +all data of its database$/m);
    expect(out).toMatch(/^listApiKeys +refused +no +its API keys$/m);
    expect(out).toMatch(/^getAuthConfig +refused +no /m);
    expect(out).not.toContain("more than previews need");
    expect(out).toContain("it does not know what the token may write");
    expect(out).toContain("can do everything that its user can");
    const asked = control.calls().map(({ method, operation }) => `${method} ${operation}`);
    expect(asked.filter((call) => !call.startsWith("GET "))).toEqual(["POST runReadOnlyQuery"]);
  });

  it("says that a personal token reads more than previews need", async () => {
    const { code, out } = await command("check", "--project", all.project);
    expect(code).toBe(0);
    expect(out).toMatch(/^listProjects +succeeds +no /m);
    expect(out).toContain("The token can read more than previews need");
  });

  it("stops at the first read where the token is wrong", async () => {
    process.env["MANAGEMENT_ACCESS_TOKEN"] = "a-token-of-nobody";
    all.emulator.control.clearCalls();
    const { code, err } = await command("check", "--project", all.project);
    expect(code).toBe(1);
    expect(err).toContain("The access token is wrong, expired or revoked");
    expect(all.emulator.control.countCalls({})).toBe(1);
  });

  it("ends with 1 where a read that previews need is refused", async () => {
    process.env["MANAGEMENT_ACCESS_TOKEN"] = all.emulator.control.createToken({
      permissions: previewPermissions.filter((name) => name !== "branching_development_read"),
    });
    const { code, out } = await command("check", "--project", all.project);
    expect(code).toBe(1);
    expect(out).toMatch(/^listBranches +refused +yes /m);
    expect(out).toContain("The service refused a read that previews need");
  });

  it("says of a project that the service does not find what to compare", async () => {
    const { code, out } = await command("check", "--project", "w".repeat(20));
    expect(code).toBe(1);
    expect(out).toContain(
      `The service finds no project ${"w".repeat(20)} with this token: compare the reference with`,
    );
    expect(out).not.toContain("Correct the cause shown above");
  });

  it("asks GitLab with the variables that it says itself", async () => {
    process.env = outsideOfAJob();
    const args = ["check", "--project", all.project];
    const unasked = (await command(...args)).out;
    const [, asked = ""] = /or with (CI_PROJECT_ID, \w+ and \w+), of a user/.exec(unasked) ?? [];
    for (const name of asked.split(/, | and /)) process.env[name] = forge.env["GITHUB_API_URL"] ?? "";
    const { out } = await command(...args);
    expect(out).toContain("The forge does not tell what is still to be set in it.");
    expect(out).not.toContain("run this with");
  });
});

it.each([
  [[], "Usage: management-previews [options] [command]"],
  [["tidy"], "unknown command 'tidy'"],
  [["swep"], "(Did you mean sweep?)"],
  [["sweep", "all", "--project", "a".repeat(20)], "too many arguments for 'sweep'"],
  [["sweep", "--project", "x"], "--project takes the project's reference"],
  [["sweep"], "required option '--project <ref>' not specified"],
  [["sweep", "--project", "a".repeat(20), "--max", "many"], "--max takes a whole number"],
  [["sweep", "--project", "a".repeat(20), "--prefix", ""], "--prefix takes"],
  [["sweep", "--project", "a".repeat(20), "--prefix", "pr-1"], "not ending with a digit"],
  [
    ["sweep", "--project", "a".repeat(20), "--repository", "shop"],
    "--repository takes the repository's web address",
  ],
  [["sweep", "--project", "a".repeat(20), "--stack-pattern", "pr-{number}"], "a name with {name}"],
  [["sweep", "--project", "a".repeat(20), "--allow-empty"], "unknown option '--allow-empty'"],
  [["sweep", "--project", "a".repeat(20), "--grace-minute", "5"], "(Did you mean --grace-minutes?)"],
  [["status", "--project", "a".repeat(20), "--yes"], "unknown option '--yes'"],
  [["remove", "--project", "a".repeat(20)], "required option '--number <number>' not specified"],
  [["look", "--number", "0"], "--number takes the number of a pull request; got 0"],
  [["comment", "--number", "7", "--json"], "unknown option '--json'"],
  [["init", "--forge", "none", "--parent", "a".repeat(20)], "Allowed choices are github, gitlab, other"],
  [["init", "--forge", "github"], "init needs --parent"],
  [["init", "--parent", "production"], "choose one that is not production"],
  [["status", "--project", "a".repeat(20), "--all"], "unknown option '--all'"],
])("%j is refused with 2", async (args, why) => {
  const { code, out, err } = await command(...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(why);
});

const ofPullRequest = ["--project", "a".repeat(20), "--number", "7"];
it.each([
  [["run", ...ofPullRequest, "--git-branch", "", "--", "pulumi"], "--git-branch takes the Git branch"],
  [["run", ...ofPullRequest, "--git-branch", "--work-dir", ".", "--", "pulumi"], "--git-branch has no value"],
  [["run", ...ofPullRequest, "--git-branch", "--", "pulumi"], "--git-branch has no value"],
  [["run", ...ofPullRequest, "--git-branch", "feature", "--"], "missing required argument 'command'"],
])("%j runs nothing", async (args, why) => {
  const { code, err } = await command(...args);
  expect(code).toBe(2);
  expect(err).toContain(why);
});

it.each([
  ["status", "--project", "pat_secret"],
  ["init", "--parent", "pat_secret"],
  ["status", "--token=pat_'secret'"],
])("%s %s is refused without what may be a token", async (...args) => {
  const { code, err } = await command(...args);
  expect(code).toBe(2);
  expect(err).not.toContain("secret");
});

describe("comment", () => {
  it("after a good run warns, and ends with 0, where the forge does not answer", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "management-comment-")), "summary.md");
    writeFileSync(file, "### Preview\n");
    const args = ["comment", "--number", "7", "--file", file];
    // The fake has no comments, as a forge whose token may not see them: that is to be mended.
    expect(await command(...args)).toMatchObject({ code: 1 });
    await forge.close();
    const { code, err } = await command(...args);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining("Warning: the comment was not written. GET ") as string,
    });
    expect(err).toContain("ECONNREFUSED");
    forge = await startFakeForge();
    rmSync(dirname(file), { recursive: true });
  });
});

it("a command that is in no job of a forge needs --repository", async () => {
  process.env = outsideOfAJob();
  const { code, err } = await command("sweep", "--project", "a".repeat(20));
  expect(code).toBe(2);
  expect(err).toContain("Outside a CI job, pass --repository <web address>");
});

it("says how it is used, and how each command is", async () => {
  const all = await command("--help");
  expect(all.code).toBe(0);
  for (const said of ["sweep [options]", "GITHUB_TOKEN", "MANAGEMENT_ACCESS_TOKEN", "Exit codes:"]) {
    expect(all.out).toContain(said);
  }
  const one = await command("sweep", "--help");
  expect(one).toMatchObject({ code: 0, err: "" });
  for (const said of ["--grace-minutes <number>", "(default: 60)", "Exit codes:"])
    expect(one.out).toContain(said);
  expect(one.out).not.toContain("--parent");
  expect(await command("help", "sweep")).toEqual(one);
  expect((await command("-h")).out).toBe(all.out);
});

it("tells its version", async () => {
  expect(await command("--version")).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
});

it.each([
  [["comment"], "comment takes --number or --merged-commit, and not both"],
  [["comment", "--number", "7", "--merged-commit", "c1"], "and not both"],
  [["comment", "--number", "7", "--topic", "<x>"], "--topic takes at most 40"],
  [["look"], "look takes --number or --git-branch, and not both"],
  [["look", "--number", "7", "--commit", ""], "--commit takes the commit of the job; got none"],
])("%j is refused with 2", async (args, why) => {
  expect(await command(...args)).toMatchObject({ code: 2, err: expect.stringContaining(why) as string });
});

it("a wrong token is set in the environment: a command has no client to pass one to", async () => {
  process.env["MANAGEMENT_ACCESS_TOKEN"] = "token-of-nobody";
  const { code, out, err } = await command("status", "--project", all.project);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("set a valid one in the environment variable MANAGEMENT_ACCESS_TOKEN.");
  expect(err).not.toContain("client");
});
