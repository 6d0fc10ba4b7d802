import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { NotThePreviewError, previewName, previewStacks } from "../../previews";
import { run } from "../../previews/run";
import { useFakePulumi } from "./fake-pulumi";
import { startPreviewed } from "./previews";

// What a stack belongs to is looked at before anything is done with it.

const PARENT = "pppppppppppppppppppp";
const REPOSITORY = "https://forge.example.com/acme/shop";
const NAME = previewName("pr-", 7, { repository: REPOSITORY, parentRef: PARENT });
const OWN = { projectRef: PARENT, name: NAME, gitBranch: "feature/search", pullRequest: 7 };
const preview = { name: NAME, parentRef: PARENT, gitBranch: "feature/search", pullRequest: 7 };
const of = { project: PARENT, repository: REPOSITORY, prefix: "pr-" };

const pulumi = useFakePulumi();

const secret = (value: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});
const others: readonly (readonly [string, object, string])[] = [
  ["of another project", { projectRef: "oooooooooooooooooooo" }, "was created from oooooooooooooooooooo"],
  ["of another name", { name: "pr-7" }, "its name is pr-7"],
  ["of another Git branch", { gitBranch: "feature/other" }, 'from the Git branch "feature/other"'],
  ["of no Git branch", { gitBranch: undefined }, "from no Git branch"],
  ["of another pull request", { pullRequest: 8 }, "it belongs to pull request 8"],
  [
    "whose project is hidden, and another",
    { projectRef: secret("oooooooooooooooooooo") },
    "was created from",
  ],
];

async function ran(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const shown = { out: "", err: "" };
  const code = await run(args, {
    out: (text) => void (shown.out += text),
    err: (text) => void (shown.err += text),
  });
  return { code, ...shown };
}

const about = ["--project", PARENT, "--repository", REPOSITORY, "--number", "7"];
const upped = (...command: string[]) =>
  ran("run", ...about, "--git-branch", "feature/search", "--work-dir", pulumi.folder, "--", ...command);

describe.each(others)("a stack %s", (_what, different, why) => {
  beforeEach(() => pulumi.has(OWN, { ...OWN, ...different }));

  it("is not changed by run", async () => {
    const { code, err } = await upped("pulumi", "up");
    expect(code).toBe(1);
    expect(err).toContain(`of the stack ${NAME} is not the preview of pull request 7: `);
    expect(err).toContain(why);
    expect(pulumi.calls()).toEqual([]);
  });

  it("is not destroyed", async () => {
    const stacks = previewStacks({ pattern: "{name}", workDir: pulumi.folder });
    await expect(stacks.find(preview)).rejects.toThrow(NotThePreviewError);
    expect(pulumi.calls()).toEqual([]);
  });
});

it("run runs the command with the stack selected that it has looked at, or that is not there yet", async () => {
  const all = await startPreviewed();
  try {
    process.env["MANAGEMENT_BASE_URL"] = all.emulator.url;
    process.env["MANAGEMENT_ACCESS_TOKEN"] = all.emulator.accessToken;
    const args = ["--project", all.project, "--repository", REPOSITORY, "--number", "7", "--git-branch", "b"];
    const up = () => ran("run", ...args, "--work-dir", pulumi.folder, "--", "pulumi", "up");
    expect((await up()).code).toBe(0);
    const inputs = { projectRef: secret(all.project), name: all.name(7), gitBranch: "b" };
    pulumi.has(inputs, all.preview(7, 1));
    expect((await up()).code).toBe(0);
    const upCall = `up [${all.name(7)}]`;
    expect(pulumi.calls()).toEqual([`stack init ${all.name(7)} --no-select []`, upCall, upCall]);
  } finally {
    await all.close();
  }
});

it("a stack that cannot be read is left alone, and nothing of its state is shown", async () => {
  writeFileSync(join(pulumi.folder, "state.json"), "no state");
  const { code, err } = await upped("pulumi", "up");
  expect(code).toBe(1);
  expect(err).not.toContain("no state");
  expect(pulumi.calls()).toEqual([]);
});

it.each([
  ["fails in the middle of it", "cat state.json; echo 'error: lost' >&2; sleep 0; cat state.json; exit 1"],
  ["has no form that is known", "cat state.json"],
])("nothing of a state is shown where the export %s", async (_how, script) => {
  writeFileSync(join(pulumi.folder, "state.json"), `{"plaintext": "hunter-2-of-the-state"`);
  pulumi.exports(script);
  const { code, err, out } = await upped("pulumi", "up");
  expect(code).toBe(1);
  expect(err).not.toBe("");
  expect(err + out).not.toContain("hunter-2");
});

it("nothing that `stack ls` answers is shown where it is no JSON, and no stack is named", async () => {
  writeFileSync(join(pulumi.folder, "stacks.json"), "hunter-2-of-the-stack");
  const stacks = previewStacks({ pattern: "{name}", workDir: pulumi.folder });
  const asked = await stacks.pullRequests(of).catch(String);
  expect(asked).toBe("Error: pulumi stack ls failed: its answer has a form that is not known");
});

it("the stack of a preview is destroyed and removed, once more where only dead locks were in its way", async () => {
  pulumi.has(OWN);
  const lock =
    "error: the stack is currently locked by 1 lock(s).\\n x: created by a@b (pid 1) at 2020-01-01T00:00:00Z";
  pulumi.destroys(`if [ -f unlocked ]; then exit 0; else touch unlocked; printf '${lock}' >&2; exit 1; fi\n`);
  const said: string[] = [];
  const onOutput = (text: string): void => void said.push(text);
  const stacks = previewStacks({
    pattern: "acme/{name}",
    workDir: pulumi.folder,
    unlockAfterMs: 3_600_000,
    onOutput,
  });
  const stack = await stacks.find(preview);
  expect(stack?.refs).toEqual(["b".repeat(20)]);
  await stack?.remove();
  const destroy = `destroy --yes --skip-preview --remove --stack acme/${NAME} [acme/${NAME}]`;
  expect(pulumi.calls()).toEqual([destroy, `cancel --yes --stack acme/${NAME} []`, destroy]);
  expect(said.join("")).toContain("was locked by a@b since 2020-01-01");
});

it("a stack that another job has locked is left alone, and what the engine said is told", async () => {
  pulumi.has(OWN);
  const since = new Date().toISOString();
  pulumi.destroys(
    `printf 'error: the stack is currently locked by 1 lock(s).\\n x: created by a@b (pid 1) at ${since}' >&2; exit 1\n`,
  );
  const stacks = previewStacks({ pattern: "{name}", workDir: pulumi.folder, unlockAfterMs: 3_600_000 });
  const stack = await stacks.find(preview);
  await expect(stack?.remove()).rejects.toThrow("currently locked by 1 lock(s)");
  expect(pulumi.calls()).toHaveLength(1);
});

it("stacks are listed by their names, and none of another repository", async () => {
  const other = previewName("pr-", 8, { repository: `${REPOSITORY}-2`, parentRef: PARENT });
  const names = [NAME, other, "pr-9", "production", `acme/previews/${NAME.replace("7", "12")}`];
  writeFileSync(join(pulumi.folder, "stacks.json"), JSON.stringify(names.map((name) => ({ name }))));
  const stacks = previewStacks({ pattern: "{name}", workDir: pulumi.folder });
  expect(await stacks.pullRequests(of)).toEqual([7, 12]);
  expect(await previewStacks({ pattern: "acme/x-{name}", workDir: pulumi.folder }).pullRequests(of)).toEqual(
    [],
  );
});
