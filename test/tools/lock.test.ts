import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "../../tools/engine/lock";

let folder: string;
let file: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  file = join(folder, "engine.lock");
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const locked = <T>(action: () => Promise<T>): Promise<T> =>
  withLock(file, { log: (line) => lines.push(line), purpose: "building", pollMs: 1 }, action);

test("the lock is there during the action and gone after it, after a failure too", async () => {
  expect(await locked(() => Promise.resolve(existsSync(file)))).toBe(true);
  await expect(locked(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(existsSync(file)).toBe(false);
});

test("a second action waits for the first and says for whom", async () => {
  let finishFirst = (): void => undefined;
  const order: string[] = [];
  const first = locked(() => new Promise<void>((resolve) => (finishFirst = resolve))).then(() =>
    order.push("first"),
  );
  const second = locked(() => Promise.resolve()).then(() => order.push("second"));

  await new Promise((resolve) => setTimeout(resolve, 10));
  finishFirst();
  await Promise.all([first, second]);

  expect(order).toEqual(["first", "second"]);
  expect(lines[0]).toContain(`waiting for process ${process.pid}, which is building`);
});

test("the lock of a process that is gone is taken over", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(file, JSON.stringify({ pid, host: hostname() }));

  await locked(() => Promise.resolve());

  expect(lines[0]).toContain("taking over the lock of a process that is gone");
});

test.each([
  ["of another machine", JSON.stringify({ pid: process.pid, host: "elsewhere" })],
  ["that was never written to the end", '{"pid":'],
])("a lock %s is taken over once its heartbeat has stopped", async (_case, content) => {
  writeFileSync(file, content);
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(file, longAgo, longAgo);

  await locked(() => Promise.resolve());

  expect(lines[0]).toContain("taking over");
});
