import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { listPreviews } from "../../tools/engine/preview-repository";
import type { ProcessResult } from "../../tools/engine/run-process";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { runnerAfterAKill, startPreviewRunners, type PreviewRunners } from "./preview-runners";

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
