import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
  it("is made before the command runs, which so prints no error", async () => {
    const { code, out, err } = await up();
    expect({ code, out, err }).toEqual({ code: 0, out: "", err: "" });
    expect(pulumi.calls()).toEqual([initCall, upCall]);
  });

  it("is not made where there is one", async () => {
    pulumi.has();
    expect((await up()).code).toBe(0);
    expect(pulumi.calls()).toEqual([upCall]);
  });
});

describe("a program that takes over a branch of somebody else", () => {
  const adopt = (inputs: object): void => {
    pulumi.has();
    const branch = { type: "management:index:Branch", inputs, outputs: { ref: "c".repeat(20) } };
    writeFileSync(
      join(pulumi.folder, "adopted.json"),
      JSON.stringify({ version: 3, deployment: { resources: [branch] } }),
    );
    pulumi.ups("cp adopted.json state.json; exit 0\n");
  };

  it("fails the run that did so, and says how the branch stays as it is", async () => {
    adopt({ projectRef: project, name: "colleague", gitBranch: "feature" });
    const { code, err } = await up();
    expect(code).toBe(1);
    expect(err).toContain(
      `The branch colleague, which the program took over into the stack ${name}, is not the preview of pull request 7: its name is colleague`,
    );
    expect(err).toContain("First run `pulumi state delete` for it on that stack");
    // The next one does not run it.
    expect((await up()).code).toBe(1);
    expect(pulumi.calls().filter((call) => call.startsWith("up"))).toEqual([upCall]);
  });

  it("is looked for only where there is one: its own branch is no such", async () => {
    adopt({ projectRef: project, name, gitBranch: "feature", pullRequest: 7 });
    expect((await up()).code).toBe(0);
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

  describe("of a locked stack", () => {
    const since = `${new Date(Date.now() - 30 * 60_000).toISOString().slice(0, 16)}:00Z`;
    const locked = `echo 'error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  file:///srv/the states/.pulumi/locks/organization/previews/x/1.json: created by runner@vm-41 (pid 41) at ${since}' >&2; exit 255
`;

    it("says until when no run continues, and how to continue earlier, and not where the states are", async () => {
      mkdirSync(join(pulumi.folder, ".git"));
      mkdirSync(join(pulumi.folder, "preview"));
      pulumi.ups(locked);
      const folder = join(pulumi.folder, "preview");
      const options = ["--unlock-after-minutes", "90", "--comment-file", file()];
      expect((await up("--work-dir", folder, ...options)).code).toBe(255);
      const until = new Date(Date.parse(since) + 90 * 60_000).toISOString().replace("T", " ").slice(0, 16);
      expect(comment()).toContain("the stack is currently locked by 1 lock(s)");
      expect(comment()).toContain(`created by runner@vm-41 (pid 41) at ${since}`);
      expect(comment()).toContain(`A run removes the lock and continues after ${until} UTC.`);
      expect(comment()).toContain(`\`pulumi cancel --yes --stack ${name}\` in \`preview/\``);
      for (const wrong of [
        "/srv/",
        "Either wait",
        ".pulumi/locks",
        "continues where it stopped",
        "--recreate",
        "Push a",
      ])
        expect(comment()).not.toContain(wrong);
    });

    it("says that no run removes the lock where none may", async () => {
      pulumi.ups(locked);
      await up("--comment-file", file());
      expect(comment()).toContain("No run removes the lock.");
      expect(comment()).toContain(`\`pulumi cancel --yes --stack ${name}\` in the folder of \`Pulumi.yaml\``);
    });

    it("is the same on Pulumi Cloud, which tells no time", async () => {
      pulumi.ups("echo 'error: [409] Conflict: Another update is currently in progress.' >&2; exit 255\n");
      await up("--unlock-after-minutes", "90", "--comment-file", file());
      expect(comment()).toContain("No run removes the lock.");
      expect(comment()).not.toContain("continues where it stopped");
    });
  });

  it("has the errors of the engine, without its warnings and what says nothing", async () => {
    pulumi.ups(`cat <<'END'
Diagnostics:
  pulumi:pulumi:Stack (previews-x):
    warning: Attempting to deploy or update resources with 1 pending operations from previous deployment.
      * urn:pulumi:x::previews::management:index:Branch::preview-branch, interrupted while creating
    These resources are in an unknown state. For example, if you are using AWS, you can confirm using the AWS Console.

    Once you have confirmed the status, you can repair your stack using \`pulumi refresh\`.
    error: update failed
  management:index:MigrationSet (preview-migrations):
    error: 2_carts.sql, line 3, failed: syntax error
    LINE 1: create tabel carts ();
                   ^
    warning: a notice of the database

Resources:
    1 unchanged
END
exit 255
`);
    await up("--comment-file", file());
    expect(comment()).toContain(
      // The sign of Postgres stays beneath what it points at.
      `\`\`\`text\nerror: 2_carts.sql, line 3, failed: syntax error\nLINE 1: create tabel carts ();\n${" ".repeat(15)}^\n\`\`\`\n`,
    );
    pulumi.ups(
      "printf 'Diagnostics:\\n  x:\\n    error: 1 error occurred:\\n    \\t* no permission\\n'; exit 255\n",
    );
    await up("--comment-file", file());
    expect(comment()).toContain("```text\nerror: no permission\n```");
    pulumi.ups("printf 'Diagnostics:\\n  x:\\n    error: update failed\\n    warning: other\\n'; exit 255\n");
    await up("--comment-file", file());
    expect(comment()).toContain("```text\nerror: update failed\n```");
    // Of a command that has no diagnostics.
    pulumi.ups(
      "printf 'warning: old\\nerror: no config\\nwarning: A new version is available\\n'; exit 255\n",
    );
    await up("--comment-file", file());
    expect(comment()).toContain("```text\nerror: no config\n```");
  });

  it("is not written without the option", async () => {
    await up();
    expect(existsSync(file())).toBe(false);
  });
});
