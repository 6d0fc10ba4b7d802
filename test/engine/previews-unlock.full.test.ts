import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { addRunRecords } from "../../previews/run-records";
import { listPreviews, REPOSITORY } from "../../tools/engine/preview-repository";
import type { ProcessResult } from "../../tools/engine/run-process";
import { PACE } from "../../tools/engine/emulated-program";
import { waitUntil } from "../kit/wait-until";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startForge } from "./workflows/forge-stub";
import { runnerAfterAKill, startPreviewRunners, type PreviewRunners } from "./preview-runners";
import { HELD } from "./stack";

// A runner that died has left its lock. The jobs take it away once it is older than any of them lasts.

const UNLOCK = ["--stack-pattern", "{name}", "--unlock-after-minutes", "90"];
const MINUTE_MS = 60_000;

let folder: string;
let all: PreviewRunners;
beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "management-states-"));
  all = await startPreviewRunners(pathToFileURL(folder).href);
});
afterEach(async () => {
  await all.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const branches = (): string[] => listPreviews(all.emulator, all.project);
const locks = (): string[] =>
  readdirSync(join(folder, ".pulumi", "locks"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, ".pulumi", "locks", name));

/** As if everybody had slept: the time that the CLI wrote into its lock is earlier by this. */
function ageLocks(minutes: number): void {
  expect(locks()).toHaveLength(1);
  for (const file of locks()) {
    const lock = JSON.parse(readFileSync(file, "utf8")) as { timestamp: string };
    const timestamp = new Date(Date.parse(lock.timestamp) - minutes * MINUTE_MS).toISOString();
    writeFileSync(file, JSON.stringify({ ...lock, timestamp }));
  }
}

function expectSuccess({ exitCode, lastLines }: ProcessResult): void {
  expect({ exitCode, said: exitCode === 0 ? [] : lastLines }).toEqual({ exitCode: 0, said: [] });
}

it("`run` leaves a young lock, takes an old one away, and goes on with the branch of the runner that died", async () => {
  const runner = await runnerAfterAKill(all);
  const up = (): Promise<ProcessResult> =>
    runner.previews("run", ...all.about, ...UNLOCK, "--", "pulumi", ...runner.upArgs);
  const refused = await up();
  expect(refused.exitCode).not.toBe(0);
  expect(refused.lastLines.join("\n")).toContain("the stack is currently locked by 1 lock(s)");
  ageLocks(80);
  expect((await up()).exitCode).not.toBe(0);
  expect(locks()).toHaveLength(1);

  ageLocks(11);
  expectSuccess(await up());
  expect(all.emulator.control.countCalls({ operation: "createBranch", status: 201 })).toBe(0);
  expect(branches()).toEqual([all.name]);
  expect(locks()).toEqual([]);
});

it("`remove` leaves a young lock and the branch, and takes an old one away with both", async () => {
  const runner = await runnerAfterAKill(all);
  const remove = (): Promise<ProcessResult> => runner.previews("remove", ...all.about, ...UNLOCK);
  const refused = await remove();
  expect(refused.exitCode).toBe(1);
  expect(refused.lastLines.join("\n")).toContain("the stack is currently locked by 1 lock(s)");
  expect([branches(), locks().length]).toEqual([[all.name], 1]);

  ageLocks(91);
  expectSuccess(await remove());
  expect([branches(), locks()]).toEqual([[], []]);
});

it("`run` goes on at once where the engine alone was killed on this machine, as for want of memory", async () => {
  const runner = await all.runner();
  expect((await runner.onStack("stack", "init")).exitCode).toBe(0);
  const run = (): Promise<ProcessResult> =>
    runner.previews("run", ...all.about, "--stack-pattern", "{name}", "--", "pulumi", ...runner.upArgs);
  const { control } = all.emulator;
  control.setPace(HELD);
  const killed = run();
  await waitUntil(
    "the branch is begun",
    () => control.countCalls({ operation: "createBranch", status: 201 }) > 0,
  );
  const [lock = ""] = locks();
  const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(readFileSync(lock, "utf8")));
  process.kill(pid, "SIGKILL");
  expect((await killed).exitCode).not.toBe(0);
  expect(locks()).toEqual([lock]);

  control.setPace(PACE);
  control.clearCalls();
  // A runner of its own knows nothing of that engine.
  const other = await all.runner();
  const refused = await other.previews(
    ...["run", ...all.about, "--stack-pattern", "{name}", "--", "pulumi", ...other.upArgs],
  );
  expect(refused.lastLines.join("\n")).toContain("the stack is currently locked by 1 lock(s)");
  expect(locks()).toEqual([lock]);

  expectSuccess(await run());
  expect(control.countCalls({ operation: "createBranch", status: 201 })).toBe(0);
  expect([branches(), locks()]).toEqual([[all.name], []]);
});

it("`run` takes a young lock away where the forge says that the recorded run is over, on this machine and in its time", async () => {
  const forge = await startForge("acme/shop");
  try {
    const runner = await runnerAfterAKill(all);
    ageLocks(20);
    const now = Date.now();
    const record = { id: "800", attempt: 1, host: hostname(), sinceMs: now - 21 * MINUTE_MS };
    const body = `<!-- management-previews -->\n${addRunRecords("### Preview", [record])}`;
    forge.pulls.set(7, {
      ...{ number: 7, branch: "feature/search", from: "acme/shop", state: "open", commit: "c1" },
    });
    forge.comments.push({
      ...{ id: 1, pull: 7, user: { login: "github-actions[bot]" }, author: { id: 40 }, body },
    });
    const env = {
      ...{ GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: "acme/shop", GITHUB_RUN_ID: "900" },
      ...{ GITHUB_SERVER_URL: new URL(REPOSITORY).origin, GITHUB_RUN_ATTEMPT: "1" },
      GITHUB_TOKEN: forge.mint({ "pull-requests": "write", actions: "read" }),
    };
    const up = (): Promise<ProcessResult> =>
      runner.previewsWith(
        env,
        ...["run", ...all.about, ...UNLOCK, "--unlock-ended-runs", "--", "pulumi", ...runner.upArgs],
      );
    forge.runs.set("800", { status: "in_progress", startedMs: now - 22 * MINUTE_MS });
    expect((await up()).exitCode).not.toBe(0);
    expect(locks()).toHaveLength(1);
    forge.runs.set("800", {
      ...{ status: "completed", startedMs: now - 22 * MINUTE_MS, endedMs: now - 11 * MINUTE_MS },
    });
    expectSuccess(await up());
    expect([branches(), locks()]).toEqual([[all.name], []]);
  } finally {
    await forge.close();
  }
});
