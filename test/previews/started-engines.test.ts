import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../previews/engine-command";
import { isOfKilledEngine, recordStartedEngine } from "../../previews/started-engines";
import { findDeadLocks, type StackLock } from "../../previews/unlocking";

const environment = { ...process.env };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "management-engines-"));
  process.env["XDG_STATE_HOME"] = folder;
});
afterEach(() => {
  process.env = { ...environment };
  rmSync(folder, { recursive: true, force: true });
});

const records = (): string[] => readdirSync(join(folder, "pulumi-management", "engines"));
const lockOf = (pid: number, more: Partial<StackLock> = {}): StackLock => ({
  ...{ user: "runner", host: hostname(), pid, since: new Date().toISOString() },
  ...more,
});

/** A process that a command here started, and that was killed. */
async function killed(): Promise<number> {
  const script = `process.stdout.write(String(process.pid)); setTimeout(() => process.kill(process.pid, "SIGKILL"), 10)`;
  const { stdout } = await runCommand([process.execPath, "-e", script], { workDir: folder });
  return Number(stdout);
}

it("the lock of a process that was killed is a dead one, once it has settled", async () => {
  const pid = await killed();
  expect(records()).toEqual([`${pid}.json`]);
  const { user, host, since } = lockOf(pid);
  const said = `error: the stack is currently locked by 1 lock(s).\n x: created by ${user}@${host} (pid ${pid}) at ${since}\n`;
  let settled = 0;
  const settle = (): Promise<void> => Promise.resolve(void (settled += 1));
  expect(await findDeadLocks(said, { settle })).toBe(
    `${user}@${host} since ${since}, by a process of this machine that was killed`,
  );
  expect(settled).toBe(1);
});

it("what ends by itself is forgotten, whatever its code", async () => {
  for (const code of [0, 3])
    await runCommand([process.execPath, "-e", `process.exit(${code})`], { workDir: folder });
  expect(records()).toEqual([]);
});

it.each<[string, (pid: number) => StackLock]>([
  ["of another machine", (pid) => lockOf(pid, { host: "another" })],
  ["of a process that nothing here started", (pid) => lockOf(pid + 1)],
  ["that is older than the process", (pid) => lockOf(pid, { since: new Date(0).toISOString() })],
  ["whose time cannot be read", (pid) => lockOf(pid, { since: "never" })],
])("a lock %s is none", async (_what, lock) => {
  expect(isOfKilledEngine(lock(await killed()))).toBe(false);
});

it("a lock is none where the record is of another boot or container, or cannot be read", async () => {
  const pid = await killed();
  const file = join(folder, "pulumi-management", "engines", `${pid}.json`);
  const record = JSON.parse(readFileSync(file, "utf8")) as object;
  for (const text of [JSON.stringify({ ...record, machine: "another" }), "{", "null"]) {
    writeFileSync(file, text);
    expect(isOfKilledEngine(lockOf(pid))).toBe(false);
  }
});

it("a lock of a process that is alive is none", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" });
  try {
    recordStartedEngine(child.pid);
    expect(isOfKilledEngine(lockOf(child.pid ?? 0))).toBe(false);
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  expect(isOfKilledEngine(lockOf(child.pid ?? 0))).toBe(true);
});
