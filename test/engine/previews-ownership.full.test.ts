import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PACE } from "../../tools/engine/emulated-program";
import { makeParentProject, previewNamed, listPreviews } from "../../tools/engine/preview-repository";
import { killProcessTree } from "../../tools/engine/process-tree";
import type { ProcessResult } from "../../tools/engine/run-process";
import { startFakeForge, type FakeForge } from "../previews/fake-forge";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { CLI, startPreviewRunners, type PreviewRunner, type PreviewRunners } from "./preview-runners";
import { HELD, settleProjects } from "./stack";
import { waitUntil } from "../kit/wait-until";

// What a job may remove, and what is left when one is stopped; with two repositories on one state backend.

const OTHER = "https://forge.example.com/acme/other";
const HOURS_MS = 3 * 3_600_000;

let folder: string;
let all: PreviewRunners;
let forge: FakeForge;
beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "management-states-"));
  all = await startPreviewRunners(pathToFileURL(folder).href);
  forge = await startFakeForge();
  // Of `acme/shop`, whose pull request 7 is closed.
  forge.pulls.set(7, { state: "closed", gitBranch: "feature/search" });
});
afterEach(async () => {
  await forge.close();
  await all.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const branches = (project = all.project): string[] => listPreviews(all.emulator, project);

function locks(): string[] {
  const root = join(folder, ".pulumi", "locks");
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(root, name));
}

function ageAll(): void {
  for (const file of locks()) {
    const lock = JSON.parse(readFileSync(file, "utf8")) as { timestamp: string };
    const timestamp = new Date(Date.parse(lock.timestamp) - HOURS_MS).toISOString();
    writeFileSync(file, JSON.stringify({ ...lock, timestamp }));
  }
  all.emulator.control.edit(({ branches: records }) => {
    for (const branch of records.values()) branch.createdAt -= HOURS_MS;
  });
}

function said({ exitCode, lastLines }: ProcessResult): { exitCode: number; text: string } {
  return { exitCode, text: lastLines.join("\n") };
}

const UP = ["--", "pulumi"];
const BY_STACK = ["--stack-pattern", "{name}", "--unlock-after-minutes", "90"];

/** The sweep of a job of the repository. */
function sweep(runner: PreviewRunner, project = all.project): Promise<ProcessResult> {
  Object.assign(runner.workspace.env, forge.env);
  return runner.previews("sweep", "--project", project, "--yes", ...BY_STACK);
}

/** Begins a command of `management-previews`, and waits for a call of the service. */
async function begun(runner: PreviewRunner, operation: "createBranch" | "deleteBranch", ...args: string[]) {
  const { control } = all.emulator;
  control.clearCalls();
  control.setPace(HELD);
  const child = spawn(process.execPath, [CLI, ...args], {
    ...{ cwd: runner.projectDir, env: runner.workspace.env, stdio: "ignore" },
  });
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  await waitUntil(`${operation} is called`, () => {
    const isCalled = control.countCalls({ operation }) > 0;
    if (!isCalled && child.exitCode !== null)
      throw new Error(`it ended with ${child.exitCode} before ${operation}`);
    return isCalled;
  });
  return { pid: child.pid ?? 0, ended };
}

it("two repositories with one state backend do not touch each other's previews, and a stack of another project is refused", async () => {
  const runner = await all.runner();
  expect((await runner.up()).exitCode).toBe(0);
  const second = makeParentProject(all.emulator);
  settleProjects(all.emulator);

  // The other repository's job of its own merge request 7, and its removal.
  const about = [
    "--project",
    second,
    "--repository",
    OTHER,
    "--number",
    "7",
    "--git-branch",
    "feature/search",
  ];
  const config = {
    parentProjectRef: second,
    repository: OTHER,
    pullRequest: "7",
    gitBranch: "feature/search",
  };
  const theirs = previewNamed(second, 7, OTHER);
  expect((await runner.workspace.run(["stack", "select", "--create", theirs])).exitCode).toBe(0);
  const flags = Object.entries(config).flatMap(([key, value]) => ["--config", `${key}=${value}`]);
  const up = await runner.previews("run", ...about, ...UP, "up", "--yes", "--skip-preview", ...flags);
  expect(said(up)).toMatchObject({ exitCode: 0 });
  expect([branches(), branches(second)]).toEqual([[all.name], [theirs]]);
  expect(said(await runner.previews("remove", ...about, ...BY_STACK))).toMatchObject({ exitCode: 0 });
  expect([branches(), branches(second)]).toEqual([[all.name], []]);

  // As where both had given their stacks one name: this repository's stack is in the place of the other's.
  expect((await runner.workspace.run(["stack", "rename", "--stack", all.name, theirs])).exitCode).toBe(0);
  const why = `it was created from ${all.project}, not from ${second}`;
  for (const refused of [
    await runner.previews("run", ...about, ...UP, "up", "--yes", "--skip-preview", ...flags),
    await runner.previews("remove", ...about, ...BY_STACK),
  ]) {
    expect(said(refused)).toEqual({ exitCode: 1, text: expect.stringContaining(why) as unknown });
  }
  forge.pulls.set(7, { state: "closed", gitBranch: "feature/search" });
  Object.assign(forge.env, { GITHUB_REPOSITORY: "acme/other" });
  const swept = await sweep(runner, second);
  expect(swept.stdout).toMatch(/only a stack +pull request 7 is closed +not the preview: /);
  expect(branches()).toEqual([all.name]);
});

it("`remove` and `sweep` leave a branch that `up` refuses as somebody else's", async () => {
  const runner = await all.runner();
  const body = { branch_name: all.name, git_branch: "feature/of-somebody" };
  all.emulator.control.call("createBranch", { ref: all.project, body });
  const why =
    'it was created from the Git branch "feature/of-somebody", not from the Git branch "feature/search"';
  const up = await runner.up();
  expect([up.exitCode === 0, up.stdout + up.stderr]).toEqual([false, expect.stringContaining(why)]);
  const removed = await runner.previews("remove", ...all.about, ...BY_STACK);
  expect(said(removed)).toEqual({ exitCode: 1, text: expect.stringContaining(why) as unknown });
  ageAll();
  expect((await sweep(runner)).stdout).toContain(`not the preview: `);
  expect(branches()).toEqual([all.name]);
});

it("the sweep removes what a killed `remove` left, and only once the forge says that the pull request is closed", async () => {
  const first = await all.runner();
  expect((await first.up()).exitCode).toBe(0);
  const killed = await begun(first, "deleteBranch", "remove", ...all.about, ...BY_STACK);
  killProcessTree(killed.pid);
  await killed.ended;
  await first.workspace.kill();
  all.emulator.control.setPace(PACE);
  ageAll();
  expect(locks()).toHaveLength(1);

  const second = await all.runner();
  for (const pull of [{ status: 404 }, { status: 403 }, { state: "open" as const }]) {
    forge.pulls.set(7, pull);
    await sweep(second);
    expect(locks()).toHaveLength(1);
  }
  forge.pulls.set(7, { state: "closed", gitBranch: "feature/search" });
  expect(said(await sweep(second))).toMatchObject({ exitCode: 0 });
  expect([branches(), locks()]).toEqual([[], []]);
  const { stdout } = await second.workspace.run(["stack", "ls", "--json"]);
  expect(JSON.parse(stdout)).toEqual([]);
});

it("a `run` and a `remove` that are cancelled leave no lock, and the next run goes on", async () => {
  const runner = await all.runner();
  expect((await runner.workspace.run(["stack", "select", "--create", all.name])).exitCode).toBe(0);
  const up = await begun(runner, "createBranch", "run", ...all.about, ...UP, ...runner.upArgs);
  process.kill(up.pid, "SIGTERM");
  expect(await up.ended).toEqual([143, null]);
  expect(locks()).toEqual([]);
  all.emulator.control.setPace(PACE);
  settleProjects(all.emulator);
  expect((await runner.up()).exitCode).toBe(0);
  expect(branches()).toEqual([all.name]);

  const removal = await begun(runner, "deleteBranch", "remove", ...all.about, ...BY_STACK);
  process.kill(removal.pid, "SIGINT");
  expect(await removal.ended).toEqual([130, null]);
  expect(locks()).toEqual([]);
  all.emulator.control.setPace(PACE);
  expect(said(await runner.previews("remove", ...all.about, ...BY_STACK))).toMatchObject({ exitCode: 0 });
  expect([branches(), locks()]).toEqual([[], []]);
});
