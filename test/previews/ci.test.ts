import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { problems as branchProblems } from "../../provider/resources/branches/shared/branch-problems";
import { readCiEvent } from "../../previews/ci/event";
import { run } from "../../previews/run";
import { startForge, type ForgeStub, type StubbedPull } from "../engine/workflows/forge-stub";
import { assignments } from "../engine/workflows/run-job";
import { secretInState, useFakePulumi } from "./fake-pulumi";
import { startPreviewed, type Previewed } from "./previews";

// One job, from the event of its forge to what it leaves.

const pulumi = useFakePulumi();
let forge: ForgeStub;
let all: Previewed;
let pull: StubbedPull;
beforeEach(async () => {
  forge = await startForge("acme/shop");
  all = await startPreviewed();
  pull = { number: 7, branch: "feature-7", from: "acme/shop", state: "open", commit: "c1" };
  forge.pulls.set(7, pull);
});
afterEach(async () => {
  await all.close();
  await forge.close();
});

const at = (name: string): string => join(pulumi.folder, name);
const SERVER = "https://forge.example.com";
const SECRETS = (): Record<string, string> => ({
  ...{ MANAGEMENT_ACCESS_TOKEN: all.emulator.accessToken, PULUMI_CONFIG_PASSPHRASE: "correct horse battery" },
  PULUMI_BACKEND_URL: "file:///states",
});
const SETTINGS = (): Record<string, string> => ({
  ...{ MANAGEMENT_BASE_URL: all.emulator.url, PARENT_PROJECT_REF: all.project },
});

interface Event {
  readonly action?: "opened" | "synchronize" | "closed" | "labeled" | "edited";
  readonly label?: string;
  readonly name?: string;
  readonly from?: string;
  readonly actor?: string;
  readonly commit?: string;
}

/** What the job of an event of each forge has in its environment. */
const FORGES: Readonly<Record<string, (event: Event) => Record<string, string>>> = {
  GitHub: ({
    action = "synchronize",
    label = "",
    name = "pull_request",
    from = "acme/shop",
    actor = "dev",
    commit = "c1",
  }) => {
    const head = { ref: pull.branch, sha: commit, repo: { full_name: from } };
    const event = { action, label: { name: label }, repository: { full_name: "acme/shop" } };
    writeFileSync(
      at("event.json"),
      JSON.stringify({ ...event, pull_request: { number: 7, draft: false, head } }),
    );
    for (const file of ["env", "output"]) writeFileSync(at(file), "");
    return {
      ...{ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: at("event.json"), GITHUB_ACTOR: actor },
      ...{ GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: "acme/shop", GITHUB_SERVER_URL: SERVER },
      ...{
        GITHUB_RUN_ID: "900",
        GITHUB_RUN_ATTEMPT: "1",
        GITHUB_ENV: at("env"),
        GITHUB_OUTPUT: at("output"),
      },
      GITHUB_TOKEN: forge.mint({ "pull-requests": "write", actions: "read" }),
    };
  },
  GitLab: ({
    action = "synchronize",
    label = "",
    name = "merge_request_event",
    from = "acme/shop",
    commit = "c1",
  }) => ({
    ...{ CI_PIPELINE_SOURCE: name, CI_PROJECT_ID: "5", CI_PROJECT_URL: `${SERVER}/acme/shop` },
    ...{
      CI_API_V4_URL: forge.url,
      CI_JOB_ID: "900",
      CI_JOB_URL: `${SERVER}/jobs/900`,
      CI_COMMIT_SHA: commit,
    },
    ...{ CI_MERGE_REQUEST_IID: "7", CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: pull.branch },
    ...{ CI_MERGE_REQUEST_LABELS: label, ...(action === "closed" && { CI_ENVIRONMENT_ACTION: "stop" }) },
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: from === "acme/shop" ? "5" : "6",
    GITLAB_TOKEN: forge.mint({ "pull-requests": "write" }),
  }),
  "any CI": ({ action = "synchronize", label = "" }) => ({
    PREVIEW_EVENT: action === "closed" ? "close" : label === "" ? "push" : "recreate",
    ...{ PREVIEW_PULL_REQUEST: "7", PREVIEW_GIT_BRANCH: pull.branch, REPOSITORY: `${SERVER}/acme/shop` },
  }),
};

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function inJob(env: Readonly<Record<string, string>>, ...more: string[]): Promise<Ended> {
  return runWith(env, ["ci", "--work-dir", pulumi.folder, ...more]);
}

async function runWith(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ended> {
  const others = Object.entries(process.env).filter(([name]) => /^(?:PATH|TMPDIR|HOME)$/.test(name));
  process.env = { ...Object.fromEntries(others), ...SETTINGS(), ...env };
  const ended = { out: "", err: "" };
  const code = await run(args, {
    out: (text) => void (ended.out += text),
    err: (text) => void (ended.err += text),
  });
  return { code, ...ended };
}
const ci = (name: string, event: Event = {}, ...more: string[]): Promise<Ended> =>
  inJob({ ...SECRETS(), ...FORGES[name]?.(event) }, ...more);

/** A stack whose branch the service has. */
function made(inputs: object = {}): void {
  const ref = all.preview(7, 1);
  pulumi.has(
    { projectRef: all.project, name: all.name(7), gitBranch: "feature-7", pullRequest: 7, ...inputs },
    ref,
  );
}
const OUTPUTS = { summary: "### Preview of pull request 7\n", apiUrl: "https://b.example.com" };
const calls = (): string[] => pulumi.calls().map((call) => call.split(" ").slice(0, 2).join(" "));
const comments = (): string[] => forge.comments.map(({ body }) => body);

describe.each(["GitHub", "GitLab", "any CI"])("on %s", (name) => {
  const hasForge = name !== "any CI";

  it("makes, changes, recreates by the label, and removes a preview, with one look before and one after", async () => {
    pulumi.outputs(OUTPUTS);
    pulumi.exports(
      `echo export >> calls.txt; if [ -f made ]; then cat state.json; else touch made; echo "error: no stack named 'x' found" >&2; exit 6; fi`,
    );
    const first = await ci(name);
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(calls()).toEqual(["export", "stack init", "up --yes", "export"]);
    expect(first.out).toBe("Preview of pull request 7: ready, made.\n");
    if (hasForge) expect(comments()).toEqual([expect.stringContaining("### Preview of ")]);
    made();
    writeFileSync(at("calls.txt"), "");
    expect((await ci(name)).out).toContain("ready, unchanged");
    expect(calls()).toEqual(["export", "up --yes", "export"]);
    pulumi.ups(`sed -i 's/"outputs":{"ref"/"outputs":{"status":"x","ref"/' state.json`);
    expect((await ci(name)).out).toContain("ready, changed");
    const recreated = await ci(name, { action: "labeled", label: "recreate preview" });
    expect([recreated.code, recreated.out]).toEqual([
      0,
      expect.stringContaining("recreated: that was asked for"),
    ]);
    pull.state = "closed";
    made();
    const removed = await ci(name, { action: "closed" }, "--comment-file", at("comment.md"));
    expect([removed.code, removed.err]).toEqual([0, ""]);
    expect(readFileSync(at("comment.md"), "utf8")).toContain("The preview was removed.");
    expect(all.names()).toEqual([]);
    if (hasForge) expect(comments()).toEqual([expect.stringContaining("The preview was removed.")]);
  });

  it("prints no connection, but to have it masked where that is done", async () => {
    const connection = "postgresql://postgres:hunter2@db.example.com:5432/postgres";
    pulumi.outputs(OUTPUTS, { connectionString: connection });
    const { code, out, err } = await ci(name);
    expect(code).toBe(0);
    const lines = (out + err).split("\n").filter((line) => line.includes("hunter2"));
    expect(lines).toEqual(name === "GitHub" ? [`::add-mask::${connection}`, "::add-mask::hunter2"] : []);
  });

  it("says nothing of an error where another runner made the stack first", async () => {
    pulumi.inits("echo \"error: stack 'x' already exists\" >&2; exit 255\n");
    const { code, err } = await ci(name);
    expect([code, err]).toEqual([0, ""]);
  });

  it("recreates a preview whose branch somebody deleted", async () => {
    pulumi.has({ projectRef: all.project, name: all.name(7), gitBranch: "feature-7", pullRequest: 7 });
    const { code, out } = await ci(name);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`recreated: its branch ${"b".repeat(20)} no longer exists`),
    ]);
  });

  it("says what changed by name, how to get the connection, and how to reset", async () => {
    const said = async (): Promise<string> => {
      expect((await ci(name, {}, "--comment-file", at("comment.md"))).code).toBe(0);
      return readFileSync(at("comment.md"), "utf8");
    };
    const set = (type: string, inputs: object, outputs: object): object => ({
      ...{ type: `pulumi-nodejs:dynamic/management:${type}`, custom: true, id: "x", inputs, outputs },
    });
    const has = (functions: object, secrets: Readonly<Record<string, string>>): void =>
      pulumi.hasResources(
        set("FunctionSet", {}, { deployed: functions }),
        set("SecretSet", { secrets: secretInState(secrets) }, { names: Object.keys(secrets) }),
        set("SecretSet", { secrets: secretInState({ HIDDEN: "v" }) }, { names: secretInState(["HIDDEN"]) }),
      );
    pulumi.outputs(OUTPUTS, { sessionConnectionString: "postgresql://p:hunter2@h:5432/p" });
    has(
      { orders: { version: 1 }, gone: { version: 1 }, same: { version: 1 } },
      { A: "1", B: "1", C: "hunter3" },
    );
    expect(await said()).not.toContain("Changed by this run");
    pulumi.ups("cp next.json state.json\n");
    const before = readFileSync(at("state.json"), "utf8");
    has(
      { orders: { version: 2 }, added: { version: 1 }, same: { version: 1 } },
      { A: "2", C: "hunter3", D: "1" },
    );
    writeFileSync(at("next.json"), readFileSync(at("state.json")));
    writeFileSync(at("state.json"), before);
    const text = await said();
    expect(text).toContain(
      "Changed by this run: functions `added` (new), `gone` (removed), `orders`; secrets `A`, `B` (removed), `D` (new).",
    );
    const how = `run \`pulumi stack output sessionConnectionString --show-secrets --stack ${all.name(7)}\` in `;
    expect(text).toContain(how);
    expect(text.includes("in `DATABASE_URL`")).toBe(name === "GitHub");
    expect(text).toContain(
      {
        GitHub:
          "For a new preview, without the data that was entered by hand, add the label `recreate preview` (remove it first if the pull request has it).",
        GitLab:
          "For a new preview, without the data that was entered by hand, add the label `recreate preview`, run the pipeline once more, and remove the label.",
      }[name] ?? "set `PREVIEW_EVENT=recreate` once",
    );
    expect(text).not.toMatch(/hunter|HIDDEN/);
    if (hasForge) expect(comments()[0]).toContain(how);
  });

  it("says after a failure how to reset, in a way that does so once", async () => {
    made();
    pulumi.ups("exit 255\n");
    await ci(name);
    if (!hasForge) return;
    expect(comments()[0]).toContain(
      name === "GitLab"
        ? "For a new preview, add the label `recreate preview`, run the pipeline once more, and remove the label."
        : "For a new preview, add the label `recreate preview` (remove it first if the pull request has it).",
    );
  });

  it("says that a label which stays asks for a new preview at each run", async () => {
    made();
    pulumi.ups("exit 255\n");
    const stays = "has the label `recreate preview`: each run recreates the preview until you remove it.";
    const label = { action: "labeled", label: "recreate preview" } as const;
    await ci(name, label, "--comment-file", at("comment.md"));
    expect(readFileSync(at("comment.md"), "utf8").includes(stays)).toBe(name === "GitLab");
    made();
    pulumi.ups("exit 0\n");
    expect((await ci(name, label, "--comment-file", at("comment.md"))).code).toBe(0);
    expect(readFileSync(at("comment.md"), "utf8").includes(stays)).toBe(name === "GitLab");
    expect((await ci(name, {}, "--comment-file", at("comment.md"))).code).toBe(0);
    expect(readFileSync(at("comment.md"), "utf8")).not.toContain(stays);
  });

  describe("whose branch's own run failed", () => {
    const ups = (): number => pulumi.calls().filter((call) => call.startsWith("up ")).length;
    /** What `up` says of the branch that there is now, and what its stack has beside it. */
    function unusable(...others: readonly object[]): void {
      const listed = all.emulator.control.call("listBranches", { ref: all.project });
      const ref = listed.find((branch) => branch.name === all.name(7))?.project_ref ?? all.preview(7, 1);
      const inputs = { projectRef: all.project, name: all.name(7), gitBranch: "feature-7", pullRequest: 7 };
      pulumi.hasResources(
        { type: "management:index:Branch", custom: true, id: ref, inputs, outputs: { ref } },
        ...others,
      );
      const why = 'the step "configure" failed';
      const message = branchProblems.notUsable.message({
        name: all.name(7),
        ref,
        why,
        ofNew: "",
        log: "Its log is empty.",
      });
      pulumi.ups(`cat >&2 <<'SAID'\n    error: ${message}\nSAID\nexit 255\n`);
      writeFileSync(at("calls.txt"), "");
    }

    it("makes the branch anew once, where nothing is on it, until a run succeeds", async () => {
      unusable();
      const repaired = "if [ -f tried ]; then exit 0; fi; touch tried\n";
      pulumi.ups(repaired + readFileSync(at("up.sh"), "utf8"));
      const good = await ci(name);
      expect([good.code, ups()]).toEqual(hasForge ? [0, 2] : [255, 1]);
      expect((good.out + good.err).includes("error:")).toBe(!hasForge);
      unusable();
      const first = await ci(name);
      expect([first.code, ups()]).toEqual([255, hasForge ? 2 : 1]);
      unusable();
      expect([(await ci(name)).code, ups()]).toEqual([255, 1]);
      if (hasForge) expect(comments()[0]).toContain("Correct the cause, then push, or add the label");
      expect(comments().join()).not.toContain("it continues where it stopped");
      pulumi.ups("exit 0\n");
      expect((await ci(name)).code).toBe(0);
      unusable();
      expect([(await ci(name)).code, ups()]).toEqual([255, hasForge ? 2 : 1]);
      if (hasForge) expect(comments()[0]).toContain("That was a new branch already.");
    });

    it("makes it anew once more for each later commit, whose run may have displaced the one that was asked to", async () => {
      const runAt = async (commit: string): Promise<number> => {
        pull.commit = commit;
        unusable();
        await ci(name, { commit });
        return ups();
      };
      const each = hasForge ? 2 : 1;
      expect([await runAt("c1"), await runAt("c1"), await runAt("c2"), await runAt("c2")]).toEqual([
        each,
        1,
        each,
        1,
      ]);
      // What fails otherwise keeps what is known of the branch.
      pulumi.ups("exit 255\n");
      await ci(name, { commit: "c2" });
      expect([await runAt("c2"), await runAt("c3")]).toEqual([1, each]);
      if (hasForge) expect(comments()[0]).toContain("Correct the cause, then push, or add the label");
    });

    it("makes it anew for a commit where a former version remembered none", async () => {
      await ci(name);
      const [comment] = forge.comments;
      if (comment === undefined) return;
      comment.body = `<!-- management-previews branch remade -->\n${comment.body}`;
      unusable();
      await ci(name);
      expect(ups()).toBe(2);
    });

    it("keeps the branch where something of the program is there", async () => {
      unusable({ type: "management:index:SecretSet", custom: true, id: "b".repeat(20) });
      expect([(await ci(name)).code, ups()]).toEqual([255, 1]);
      expect(all.names()).toContain(all.name(7));
    });
  });

  it("says where the service's own integration made a branch for the same pull request, and leaves that alone", async () => {
    made();
    for (const other of ["integrated", "another repository's"]) all.branch(other, 1);
    const listed = all.emulator.control.call("listBranches", { ref: all.project });
    const gitBranches: Readonly<Record<string, string>> = {
      integrated: "feature-7",
      "another repository's": "x",
    };
    const body = listed.map((branch) => {
      const git_branch = gitBranches[branch.name];
      return git_branch === undefined ? branch : { ...branch, pr_number: 7, git_branch };
    });
    all.emulator.control.addFault({ operation: "listBranches", status: 200, body, times: 9 });
    const { code, err } = await ci(name);
    expect(code).toBe(0);
    const says = "Pull request 7 also has the branch integrated, which the service's own integration made.";
    expect(err).toBe(
      `Warning: ${says} Each pull request then has two branches, which both cost. Switch the integration off in the project's settings in the service's console, or remove the workflow of these previews.\n`,
    );
    if (hasForge) expect(comments()[0]).toContain(says);
    expect(all.names()).toContain("integrated");
  });

  it("refuses a stack of another Git branch, as one that was renamed, and prints no success", async () => {
    const former = {
      projectRef: all.project,
      name: all.name(7),
      gitBranch: "feature-former",
      pullRequest: 7,
    };
    pulumi.has(former, all.preview(7, 1, { git_branch: "feature-former" }));
    const { code, out, err } = await ci(name);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("is not the preview of pull request 7");
    expect(calls()).toEqual([]);
    if (hasForge) expect(comments()[0]).toContain("is not the preview of pull request 7");
    // What the error advises, as it stands there, lets the next job go on.
    const [, line = ""] = /run `management-previews (.*?)`/.exec(err) ?? [];
    const args = line.split(" ").map((word) => word.replaceAll("'", ""));
    pulumi.destroys("rm -f state.json\n");
    const address = ["--repository", `${SERVER}/acme/shop`, "--work-dir", pulumi.folder];
    const removed = await runWith(SECRETS(), [...args, ...address]);
    expect([removed.code, removed.err]).toEqual([0, ""]);
    expect([all.names(), existsSync(at("state.json"))]).toEqual([[], false]);
    expect((await ci(name)).code).toBe(0);
  });

  it("says that a stack stays where the program is of another project than the job", async () => {
    pull.state = "closed";
    all.preview(7, 1);
    writeFileSync(at("Pulumi.yaml"), "name: previews\nruntime: nodejs\n");
    const { code, err } = await ci(name, { action: "closed" }, "--pulumi-project", "baskets");
    expect([code, all.names()]).toEqual([0, []]);
    expect(err).toContain('Warning: Pulumi.yaml names the project "previews", but this job is for');
    expect(err).toContain(
      `run \`management-previews remove --project ${all.project} --number 7 --git-branch feature-7 --stack-pattern '{name}'\` in the folder of a program of the project "baskets"`,
    );
    expect((await ci(name, { action: "closed" }, "--pulumi-project", "previews")).err).toBe("");
  });

  it("says once how to go on where a lock keeps the preview from being recreated", async () => {
    made();
    const since = new Date().toISOString();
    pulumi.destroys(
      `printf 'error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n  file:///states/x.json: created by a@b (pid 1) at ${since}\n' >&2; exit 255\n`,
    );
    const event = { action: "labeled", label: "recreate preview" } as const;
    const { code, err } = await ci(name, event, "--comment-file", at("comment.md"));
    expect(code).toBe(1);
    for (const said of [
      readFileSync(at("comment.md"), "utf8"),
      err.slice(err.indexOf("pulumi destroy failed")),
    ]) {
      expect(said.split("pulumi cancel --yes --stack")).toHaveLength(2);
      expect(said).not.toContain("delete the lock file");
    }
  });

  it("fails where the run left the stack locked, and says so", async () => {
    made();
    const since = new Date().toISOString();
    pulumi.ups(
      `printf 'error: the stack is currently locked by 1 lock(s).\\n x: created by a@b (pid 1) at ${since}\\n' >&2; exit 255\n`,
    );
    const { code, err, out } = await ci(name);
    expect([code, out]).toEqual([255, ""]);
    expect(err).toContain("failed, another job uses its stack, or was killed.");
    expect(pulumi.calls().some((call) => call.startsWith("cancel"))).toBe(false);
  });

  it("a lock that is older than any job lasts is removed", async () => {
    made();
    pulumi.ups(
      `if [ -f once ]; then exit 0; fi; touch once; printf 'error: the stack is currently locked by 1 lock(s).\\n x: created by a@b (pid 1) at 2020-01-01T00:00:00Z\\n' >&2; exit 255\n`,
    );
    const { code, out, err } = await ci(name);
    expect(code).toBe(0);
    expect(err).toMatch(/command runs again\.\n[^]*first attempt: the stack is currently locked/);
    expect(out + err).not.toContain("error:");
    expect(pulumi.calls().filter((call) => call.startsWith("cancel"))).toHaveLength(1);
  });

  it("a lock that cannot be removed is an error, and is not said to be removed", async () => {
    made();
    pulumi.ups(
      `printf 'error: the stack is currently locked by 1 lock(s).\\n x: created by a@b (pid 1) at 2020-01-01T00:00:00Z\\n' >&2; exit 255\n`,
    );
    pulumi.cancels("echo 'error: not allowed' >&2; exit 255\n");
    const { code, err } = await ci(name);
    expect(code).toBe(255);
    expect(err).toMatch(/error: not allowed\n[^]*error: the stack is currently locked/);
    expect(err).not.toContain("was removed");
  });

  it("does not remove a stack whose state has code of the pull request's own", async () => {
    const ref = all.preview(7, 1);
    pull.state = "closed";
    const own = { projectRef: all.project, name: all.name(7), gitBranch: "feature-7", pullRequest: 7 };
    pulumi.has({ ...own, __provider: "exports.handler = () => evil()" }, ref);
    const { code, err } = await ci(name, { action: "closed" });
    expect([code, err]).toEqual([1, expect.stringContaining("--allow-package 'dynamic'")]);
    expect(all.names()).toEqual([all.name(7)]);
    expect((await ci(name, { action: "closed" }, "--allow-package", "dynamic")).code).toBe(0);
  });

  it("is an error without its secrets", async () => {
    for (const missing of ["MANAGEMENT_BASE_URL", "MANAGEMENT_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"]) {
      const { code, out, err } = await inJob({ ...SECRETS(), [missing]: "", ...FORGES[name]?.({}) });
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(`The job has no ${missing}`);
    }
    expect(calls()).toEqual([]);
  });

  it.each([
    [
      "a project of another name",
      { "Pulumi.yaml": "name: production\nruntime: nodejs\n" },
      'Pulumi.yaml names the project "production"',
    ],
    [
      "another one beside",
      { "Pulumi.yaml": "name: previews\n", "Pulumi.json": '{ "name": "x" }' },
      'Pulumi.json names the project "x"',
    ],
    ["no name", { "Pulumi.yaml": "name: [a]\n" }, "Pulumi.yaml has no name of a project"],
    ["no YAML", { "Pulumi.yaml": "name: 'a" }, "Pulumi.yaml has no name of a project"],
    [
      "a hostile name",
      { "Pulumi.yaml": 'name: "a\\n::error::x\\u202e"\n' },
      'Pulumi.yaml names the project "a',
    ],
    ["a project of a folder above", {}, "The folder of the program has no Pulumi.yaml"],
  ])("makes no preview of %s, which its removal would not find", async (_, written, why) => {
    for (const [file, text] of Object.entries(written)) writeFileSync(at(file), text);
    const { code, err, out } = await ci(name, {}, "--pulumi-project", "previews");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(why);
    expect(err).toContain('are of the project "previews"');
    expect(err).not.toMatch(/^::|\u202e/m);
    expect(calls()).toEqual([]);
    if (hasForge) expect(comments()).toEqual([expect.stringContaining('are of the project "previews"')]);
    // The removal is of the branch, too.
    all.preview(7, 1);
    pull.state = "closed";
    expect((await ci(name, { action: "closed" }, "--pulumi-project", "previews")).code).toBe(0);
    expect(all.names()).toEqual([]);
  });

  it("makes a preview of the project that it is told", async () => {
    writeFileSync(at("Pulumi.yaml"), "# ours\nname: 'previews' # of pull requests\nruntime: nodejs\n");
    expect((await ci(name, {}, "--pulumi-project", "previews")).code).toBe(0);
    expect((await ci(name, {}, "--pulumi-project", "a b")).code).toBe(2);
  });

  it("tells of an error before the run where people look, and leaves what was there", async () => {
    made();
    const file = at("comment.md");
    const inText = (): string =>
      name === "any CI" ? readFileSync(file, "utf8") : (forge.comments.at(-1)?.body ?? "");
    expect((await ci(name, {}, "--comment-file", file)).code).toBe(0);
    expect(inText()).toContain("### Preview");
    const told: [string, () => Promise<Ended>][] = [
      [
        "The job has no MANAGEMENT_ACCESS_TOKEN",
        () =>
          inJob({ ...SECRETS(), MANAGEMENT_ACCESS_TOKEN: "", ...FORGES[name]?.({}) }, "--comment-file", file),
      ],
      [
        "the states are away",
        () => {
          pulumi.exports("echo 'error: the states are away' >&2; exit 255");
          return ci(name, {}, "--comment-file", file);
        },
      ],
    ];
    for (const [why, job] of told) {
      const { code, err } = await job();
      expect([code, err]).toEqual([1, expect.stringContaining(why)]);
      expect(inText()).toMatch(new RegExp(`### The preview.* failed[^]*${why}`));
      if (name !== "any CI") expect(inText()).toMatch(/Before this run:[^]*### Preview/);
      expect(inText().includes("Push a correction")).toBe(!why.startsWith("The job has no"));
      expect(forge.comments).toHaveLength(name === "any CI" ? 0 : 1);
    }
    // The removal of a closed one is tried again by the sweep.
    const before = inText();
    pull.state = "closed";
    expect((await ci(name, { action: "closed" })).code).toBe(1);
    expect(inText()).toBe(before);
  });
});

it("a merge request of a project that no variable names is one of a fork", () => {
  const ids = ["CI_PROJECT_ID", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID"];
  for (const missing of ["", undefined]) {
    const unknown = Object.fromEntries(ids.map((id) => [id, missing]));
    expect(readCiEvent({ ...FORGES["GitLab"]?.({}), ...unknown }).origin).toBe("fork");
  }
});

it.each(["GitHub", "GitLab"])(
  "on %s, the label asks for a new preview in any case of its letters, as the workflow hears it",
  (name) => {
    const kindOf = (label: string) => readCiEvent({ ...FORGES[name]?.({ action: "labeled", label }) }).kind;
    expect([kindOf("recreate preview"), kindOf("Recreate Preview")]).toEqual(["recreate", "recreate"]);
    expect(kindOf("recreate")).not.toBe("recreate");
  },
);

describe.each(["GitHub", "GitLab"])("on %s, nothing is done", (name) => {
  const expectNothing = async (event: Event, why: string, ...more: string[]): Promise<void> => {
    const { code, out, err } = await ci(name, event, ...more);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/nothing to do, /);
    expect(out).toContain(why);
    expect(calls()).toEqual([]);
    expect(comments()).toEqual([]);
  };

  it("for a commit that is superseded, as of a force-push", async () => {
    pull.commit = "c2";
    await expectNothing({}, "a later commit");
  });
  it("for a label whose commit is superseded, as another job may recreate nothing", async () => {
    pull.commit = "c2";
    const asked =
      name === "GitHub" ? { action: "labeled", label: "recreate preview" } : { label: "recreate preview" };
    await expectNothing(asked as Event, "To have a new preview of that one, ask for it again.");
  });
  it("for a pull request that was closed while the job waited", async () => {
    pull.state = "closed";
    await expectNothing({}, "is closed");
  });
  it("for a draft, where drafts have none", async () => {
    pull.isDraft = true;
    await expectNothing({}, "a draft has none", "--no-drafts");
  });
  it("for a fork, without secrets too", async () => {
    const { code, out } = await inJob({ ...FORGES[name]?.({ from: "somebody/shop" }) });
    expect([code, out]).toEqual([0, expect.stringContaining("a pull request of a fork gets no secrets")]);
  });
});

describe.each(["GitHub", "GitLab"])("what runs on %s where the command could not be installed", (name) => {
  it.each([
    ["of a push", "synchronize", ["### The preview of c1 failed"]],
    ["that removes", "closed", []],
  ] as const)(
    "comments on a job %s as its preview failed only where it makes one",
    async (_what, action, said) => {
      const env = FORGES[name]?.({ action }) ?? {};
      const { code } = await runWith(env, ["comment", "--failed"]);
      expect(code).toBe(0);
      expect(comments().map((body) => body.split("\n")[1])).toEqual(said);
    },
  );
});

describe("on GitHub alone", () => {
  it.each<[string, Event, string]>([
    ["of a merge group", { name: "merge_group" }, "a merge group has no preview"],
    ["of another label", { action: "labeled", label: "bug" }, "nothing to do with this event"],
    ["of another action", { action: "edited" }, "nothing to do with this event"],
    ["of Dependabot", { actor: "dependabot[bot]" }, "Dependabot gets no secrets"],
  ])("the job %s ends at once, without secrets and without a call", async (_what, event, why) => {
    const env = { ...FORGES["GitHub"]?.(event), GITHUB_API_URL: "http://127.0.0.1:1" };
    const { code, out } = await inJob(env);
    expect([code, out]).toEqual([0, expect.stringContaining(why)]);
  });

  it("a pull request that was opened again keeps its preview", async () => {
    made();
    expect((await ci("GitHub", { action: "closed" })).out).toContain("open again");
    expect(all.names()).toEqual([all.name(7)]);
  });

  it("pull_request_target is refused: it gives the secrets to the code of forks", async () => {
    expect(await ci("GitHub", { name: "pull_request_target" })).toMatchObject({ code: 1, out: "" });
  });

  it("the schedule sweeps", async () => {
    all.preview(9, 30);
    forge.pulls.set(9, { ...pull, number: 9, branch: "feature-9", state: "closed" });
    const { code, out } = await ci("GitHub", { name: "schedule" });
    expect([code, out]).toEqual([0, expect.stringContaining("pull request 9 is closed")]);
    expect(all.names()).toEqual([]);
  });

  it("hands the connection to later steps, masked with its password, and no line of another", async () => {
    const password = "p%40ss%25word";
    const connection = `postgresql://postgres:${password}@db.example.com:5432/postgres`;
    pulumi.outputs(OUTPUTS, { connectionString: connection });
    const { code, out } = await ci("GitHub");
    expect(code).toBe(0);
    expect(assignments(at("env"))).toEqual({ DATABASE_URL: connection });
    expect(assignments(at("output"))).toEqual({ preview: "ready", "api-url": "https://b.example.com" });
    const masks = out.split("\n").flatMap((line) => /^::add-mask::(.*)$/.exec(line)?.[1] ?? []);
    expect(masks).toEqual([
      connection.replaceAll("%", "%25"),
      password.replaceAll("%", "%25"),
      "p@ss%25word",
    ]);
    pulumi.outputs(OUTPUTS, { connectionString: "postgresql://u:a|b%20c@h/d?sslpassword=s%2Fcret" });
    expect((await ci("GitHub")).out).toContain(
      ["a|b%2520c", "s%252Fcret", "a%257Cb%2520c", "a|b c", "s/cret"]
        .map((each) => `::add-mask::${each}\n`)
        .join(""),
    );
    pulumi.outputs(OUTPUTS, { connectionString: "postgresql://x@h\nBASH_ENV=/tmp/x" });
    expect(await ci("GitHub")).toMatchObject({
      code: 1,
      err: expect.stringContaining("DATABASE_URL is not handed to later steps") as string,
    });
    expect(readFileSync(at("env"), "utf8")).toBe("");
  });

  it("the program sees what its job gave it, and no token of the forge", async () => {
    pulumi.ups("env | sed 's/=.*//' | grep -v '^_$' | sort > seen.txt; exit 0\n");
    const more = { ACTIONS_RUNTIME_TOKEN: "t", GH_TOKEN: "t", STRIPE_API_KEY: "k" };
    await inJob({ ...SECRETS(), ...FORGES["GitHub"]?.({}), ...more });
    const seen = readFileSync(at("seen.txt"), "utf8").trim().split("\n");
    const ofThisMachine = /^(?:PATH|TMPDIR|HOME|PWD|OLDPWD|SHLVL)$/;
    expect(seen.filter((each) => !ofThisMachine.test(each))).toEqual([
      ...["GITHUB_ACTOR", "GITHUB_API_URL", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY"],
      ...["GITHUB_RUN_ATTEMPT", "GITHUB_RUN_ID", "GITHUB_SERVER_URL", "MANAGEMENT_ACCESS_TOKEN"],
      ...["MANAGEMENT_BASE_URL", "MANAGEMENT_CANCEL_FILE", "PARENT_PROJECT_REF", "PULUMI_BACKEND_URL"],
      ...["PULUMI_CONFIG_PASSPHRASE", "PULUMI_STACK", "STRIPE_API_KEY"],
    ]);
  });

  it("hands no address to later steps that has a secret of the job in it, and says so", async () => {
    const { MANAGEMENT_ACCESS_TOKEN: token } = SECRETS();
    for (const apiUrl of [`https://b.example.com/?t=${token}`, String(token)]) {
      pulumi.outputs({ ...OUTPUTS, apiUrl });
      const { code, err } = await ci("GitHub");
      expect([code, err]).toEqual([
        0,
        "Warning: The output apiUrl is left out: it has a secret of the job in it.\n",
      ]);
      expect(assignments(at("output"))).toEqual({ preview: "ready" });
    }
  });

  it("writes the .env file of a front end, without secrets", async () => {
    pulumi.outputs(OUTPUTS, { connectionString: "postgresql://p:x@h:5432/p" });
    await ci("GitHub", {}, "--dotenv", at(".env"));
    expect(readFileSync(at(".env"), "utf8")).toContain("VITE_API_URL='https://b.example.com'");
    expect(readFileSync(at(".env"), "utf8")).not.toContain("CONNECTION");
  });
});

it("the sweep of any CI takes a list of the open pull requests", async () => {
  all.preview(7, 30);
  all.preview(9, 30);
  writeFileSync(at("open.txt"), "7\n");
  const event = { PREVIEW_EVENT: "sweep", REPOSITORY: `${SERVER}/acme/shop` };
  const { code, out } = await inJob({ ...SECRETS(), ...event }, "--open-pull-requests", at("open.txt"));
  expect([code, out]).toEqual([0, expect.stringContaining("pull request 9 is closed")]);
  expect(all.names()).toEqual([all.name(7)]);
});

it("a job of no forge says what is missing", async () => {
  expect((await inJob(SECRETS())).err).toContain("set PREVIEW_EVENT to push, recreate, close or sweep");
});

it.each([
  ["PREVIEW_EVENT", "open", 'got "open". Set it to what the job is for'],
  [
    "PREVIEW_PULL_REQUEST",
    "",
    "is not set, so the job does not know which pull request it is for. Set it to the number",
  ],
  ["PREVIEW_PULL_REQUEST", "#7", 'got "#7". Set it to that number alone'],
  ["PREVIEW_GIT_BRANCH", "", "Set it to the Git branch of the pull request"],
  [
    "PARENT_PROJECT_REF",
    "",
    "is not set, so the job does not know which project its branches are of. Set it to the ref",
  ],
  ["PARENT_PROJECT_REF", "shop", "is no such reference"],
  [
    "REPOSITORY",
    "",
    "is not set, but the names of previews contain it. Set it to the repository's web address",
  ],
  ["REPOSITORY", "shop", "is no web address of a repository"],
  [
    "MANAGEMENT_BASE_URL",
    "",
    "The job has no MANAGEMENT_BASE_URL. In your forge or CI, set the service's address as a variable",
  ],
  ["MANAGEMENT_ACCESS_TOKEN", "", "set what is secret as a secret"],
])("the variable %s that is %j ends a job with 1, and says why and what to do", async (name, value, says) => {
  const { code, out, err } = await inJob({ ...SECRETS(), ...FORGES["any CI"]?.({}), [name]: value });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(new RegExp(name));
  expect(err).toContain(says);
  expect(existsSync(at("calls.txt"))).toBe(false);
});

it("a job of GitHub without its token says what needs it and what to do", async () => {
  const { code, err } = await inJob({ ...SECRETS(), ...FORGES["GitHub"]?.({}), GITHUB_TOKEN: "" });
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("GITHUB_TOKEN is not set. The forge's API needs it. Give it to this step."),
  ]);
});

it("a wrong option ends a job with 2", async () => {
  expect((await ci("any CI", {}, "--project", "shop")).code).toBe(2);
});

it.each([
  ["PATH has no pulumi", [], "no folder of PATH has such a program. Install Pulumi's CLI in this job"],
  ["there is no such folder", ["--work-dir", "no-such-folder"], "the folder no-such-folder does not exist"],
])("where %s, the job says so, and what to do", async (_what, more, says) => {
  if (more.length === 0) rmSync(at("pulumi"));
  process.env["PATH"] = pulumi.folder;
  const { code, err } = await ci("any CI", {}, ...more);
  expect([code, err]).toEqual([1, expect.stringContaining(`pulumi cannot be run, because ${says}`)]);
});
