import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "../../tools/engine/lock";
import { waitUntil } from "../kit/wait-until";

let folder: string;
let file: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  file = join(folder, "cache", "engine");
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const locked = <T>(action: () => Promise<T>): Promise<T> =>
  withLock(file, { log: (line) => lines.push(line), purpose: "building", progressEveryMs: 1 }, action);
const isLocked = (): boolean => existsSync(`${file}.lock`);

test("the lock is there during the action and gone after it, after a failure too", async () => {
  expect(await locked(() => Promise.resolve(isLocked()))).toBe(true);
  await expect(locked(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(isLocked()).toBe(false);
});

test("a second action waits for the first and says for what", async () => {
  const order: string[] = [];
  let finishFirst = (): void => undefined;
  const isFinished = new Promise<void>((resolve) => (finishFirst = resolve));
  let first: Promise<unknown> | undefined;
  await new Promise<void>((isRunning) => {
    first = locked(() => {
      isRunning();
      return isFinished;
    }).then(() => order.push("first"));
  });
  lines = [];
  const second = locked(() => Promise.resolve()).then(() => order.push("second"));

  await waitUntil("the second one tells that it waits", () => lines.length > 0);
  finishFirst();
  await Promise.all([first, second]);

  expect(order).toEqual(["first", "second"]);
  expect(lines[0]).toBe("waiting for another process, which is building");
});

test("the lock of a process that was killed is taken over", async () => {
  mkdirSync(`${file}.lock`, { recursive: true });
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(`${file}.lock`, longAgo, longAgo);

  expect(await locked(() => Promise.resolve("done"))).toBe("done");
  expect(isLocked()).toBe(false);
});

test("the folder of the lock is made, and where it cannot be made that is an error", async () => {
  writeFileSync(join(folder, "cache"), "a file");
  await expect(locked(() => Promise.resolve())).rejects.toThrow(/EEXIST|ENOTDIR/);
});
