import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewName } from "../../previews";
import { run } from "../../previews/run";
import { useFakePulumi } from "./fake-pulumi";

// `run` on a CI that is no forge's: nothing but its options says which preview it is.

const pulumi = useFakePulumi();
const FORGES = /^(?:GITHUB|GITLAB|CI)_/;
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => FORGES.test(each)))
    Reflect.deleteProperty(process.env, name);
});

const project = "p".repeat(20);
const repository = "https://forge.example.com/acme/shop";
const name = previewName("pr-", 7, { repository, parentRef: project });

async function up(...more: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { out: "", err: "" };
  const about = [
    "--project",
    project,
    "--repository",
    repository,
    "--number",
    "7",
    "--git-branch",
    "feature",
  ];
  const args = ["run", ...about, "--work-dir", pulumi.folder, ...more, "--", "pulumi", "up", "--yes"];
  const code = await run(args, {
    out: (text) => void (ran.out += text),
    err: (text) => void (ran.err += text),
  });
  return { code, ...ran };
}

const upCall = `up --yes [${name}]`;
const initCall = `stack init ${name} --no-select []`;

describe("a stack that does not exist", () => {
  it.each([
    ["by the environment", "no stack selected; please use pulumi stack select to choose one"],
    ["by its name", `no stack named '${name}' found`],
  ])("is made, and the command runs again, where it was selected %s", async (_, error) => {
    pulumi.ups(`[ -f made ] || { touch made; echo "error: ${error}" >&2; exit 255; }\n`);
    const { code, err } = await up();
    expect(code).toBe(0);
    expect(err).toContain(`The stack ${name} is created, and the command runs again.`);
    expect(pulumi.calls()).toEqual([upCall, initCall, upCall]);
  });

  it("is not made for a command that makes it by itself, or that fails of anything else", async () => {
    expect((await up()).code).toBe(0);
    pulumi.ups("echo 'error: no stack of cards' >&2; exit 255\n");
    expect((await up()).code).toBe(255);
    expect(pulumi.calls()).toEqual([upCall, upCall]);
  });

  it("is made once where the command says so again", async () => {
    pulumi.ups("echo 'error: no stack selected; x' >&2; exit 255\n");
    expect((await up()).code).toBe(255);
    expect(pulumi.calls()).toEqual([upCall, initCall, upCall]);
  });
});

it("where the time went is told of a run that changed nothing, too, and of no other command", async () => {
  pulumi.ups("printf 'Resources:\\n    6 unchanged\\n\\nDuration: 5s\\n'\n");
  expect((await up()).err).toMatch(/^Time: engine \d s, checks \d s\.$/m);
  pulumi.ups("echo done\n");
  expect((await up()).err).not.toContain("Time:");
});

describe("--comment-file", () => {
  const SUMMARY = "### Preview of pull request 7\n\n| API | https://b.example.com |\n";
  const file = (): string => join(pulumi.folder, "comment.md");
  const comment = (): string => readFileSync(file(), "utf8");

  it("is what the program says of the preview, and where the time went", async () => {
    pulumi.outputs(
      { summary: SUMMARY, apiUrl: "https://b.example.com" },
      { connectionString: "postgres://x" },
    );
    pulumi.ups('echo " +  management:index:Branch preview-branch created (12s)"\n');
    expect((await up("--comment-file", file())).code).toBe(0);
    expect(comment()).toMatch(
      /^### Preview of pull request 7\n\n\| API \| https:\/\/b\.example\.com \|\n\nTime: branch 12 s, .*\n$/,
    );
    // Not every tool hides what is for the next run of ours.
    expect(comment()).not.toContain("<!--");
  });

  it("goes to standard output by -, behind what the command says", async () => {
    pulumi.outputs({ summary: SUMMARY });
    pulumi.ups("echo done\n");
    expect((await up("--comment-file", "-")).out).toBe(`done\n${SUMMARY}`);
  });

  it("says so where the program has no summary, or hides it", async () => {
    pulumi.outputs({}, { summary: "hidden" });
    expect((await up("--comment-file", file())).code).toBe(0);
    expect(comment()).toBe("### Preview of pull request 7\n");
  });

  it("says what failed and how to go on, above what the preview was before, and the code stays", async () => {
    pulumi.outputs({ summary: SUMMARY });
    pulumi.ups("echo 'Diagnostics:'; echo '    error: 2_carts.sql, line 3, failed'; exit 4\n");
    expect((await up("--comment-file", file())).code).toBe(4);
    expect(comment()).toMatch(
      /^### The preview failed\n\n```text\nerror: 2_carts\.sql, line 3, failed\n```\n/,
    );
    expect(comment()).toContain("For a new preview, pass `--recreate` once.");
    expect(comment()).toMatch(/Before this run:\n\n### Preview of pull request 7\n/);
    expect(comment()).not.toContain("label");
  });

  it("says why nothing ran on a stack that is something else", async () => {
    pulumi.has({ projectRef: project, name, gitBranch: "other", pullRequest: 7 });
    writeFileSync(file(), "of the run before");
    expect((await up("--comment-file", file())).code).toBe(1);
    expect(comment()).toContain("is not the preview of pull request 7");
    expect(pulumi.calls().filter((call) => call.startsWith("up"))).toEqual([]);
  });

  it("shows no password of the state backend", async () => {
    process.env["PULUMI_BACKEND_URL"] = "postgres://states:hunter2@db.example.com/states";
    pulumi.ups("echo 'error: cannot reach postgres://states:hunter2@db.example.com/states'; exit 1\n");
    await up("--comment-file", file());
    expect(comment()).toContain("[secret]");
    expect(comment()).not.toContain("hunter2");
  });

  it("is not written without the option", async () => {
    await up();
    expect(existsSync(file())).toBe(false);
  });
});
