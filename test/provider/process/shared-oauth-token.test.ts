import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { startEmulator, type Emulator } from "../../../emulator";
import { waitUntil } from "../../kit/wait-until";

const PROCESSES = 6;

let folder: string;
let script: string;
let emulator: Emulator;
let env: NodeJS.ProcessEnv;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "management-oauth-"));
  script = join(folder, "api-process.js");
  const entry = join(__dirname, "api-process.ts");
  await build({ entryPoints: [entry], outfile: script, bundle: true, platform: "node", logLevel: "warning" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  emulator = await startEmulator();
  // Its refresh tokens work once.
  const { clientId, clientSecret, refreshToken } = emulator.control.createOAuthApp({
    scopes: ["organizations:read"],
  });
  env = {
    PATH: process.env["PATH"],
    XDG_STATE_HOME: mkdtempSync(join(folder, "home-")),
    MANAGEMENT_BASE_URL: emulator.url,
    MANAGEMENT_CLIENT_ID: clientId,
    MANAGEMENT_CLIENT_SECRET: clientSecret,
    MANAGEMENT_REFRESH_TOKEN: refreshToken,
  };
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await emulator.close();
});

interface ApiProcess {
  /** Begins a call. */
  call(): void;
  /** The next line that it says. */
  line(): Promise<string>;
  kill(): Promise<void>;
}

async function startProcess(): Promise<ApiProcess> {
  const child = spawn(process.execPath, [script], { env, stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await lines.next();
    return next.done === true ? "ended" : next.value;
  };
  expect(await line()).toBe("ready");
  return {
    call: () => void child.stdin.write("call\n"),
    line,
    kill: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function startProcesses(): Promise<ApiProcess[]> {
  return Promise.all(Array.from({ length: PROCESSES }, () => startProcess()));
}

/** All at once; what each of them says. */
async function callAll(processes: readonly ApiProcess[]): Promise<string[]> {
  for (const one of processes) one.call();
  return Promise.all(processes.map((one) => one.line()));
}

const SUCCESSES = Array.from({ length: PROCESSES }, () => "found: 2");

function exchanges(): number {
  return emulator.control.countCalls({ operation: "exchangeToken" });
}

function expireAccessTokens(): void {
  emulator.control.edit(({ oauth }) => {
    for (const token of oauth.accessTokens.values()) token.expiresAt = 0;
  });
}

const stateFolder = (): string => join(env["XDG_STATE_HOME"] ?? "", "pulumi-management", "oauth");

function lockFolder(): string | undefined {
  const name = readdirSync(stateFolder()).find((each) => each.endsWith(".lock"));
  return name === undefined ? undefined : join(stateFolder(), name);
}

it("one of many processes exchanges, and the others take what it got, at first and whenever that expires", async () => {
  const processes = await startProcesses();
  expect(await callAll(processes)).toEqual(SUCCESSES);
  expect(exchanges()).toBe(1);
  for (const round of [2, 3, 4]) {
    expireAccessTokens();
    expect(await callAll(processes)).toEqual(SUCCESSES);
    expect(exchanges()).toBe(round);
  }
  expect(readdirSync(stateFolder())).toHaveLength(1);
});

it("a later process needs no exchange while the access token lives, which no file holds in clear", async () => {
  const [first, later] = await Promise.all([startProcess(), startProcess()]);
  expect(await callAll([first])).toEqual(["found: 2"]);
  expect(await callAll([later])).toEqual(["found: 2"]);
  expect(exchanges()).toBe(1);
  const texts = readdirSync(stateFolder()).map((name) => readFileSync(join(stateFolder(), name), "utf8"));
  const issued = [...emulator.world.state.oauth.accessTokens.keys()];
  expect(issued).toHaveLength(1);
  for (const token of issued) expect(texts.join("\n")).not.toContain(token);
});

it("a process that is killed within its exchange holds up nobody for long, and nobody has to sign in again", async () => {
  emulator.control.addFault({ operation: "exchangeToken", hold: "before" });
  const killed = await startProcess();
  killed.call();
  await waitUntil("the exchange is held", () => emulator.control.pendingFaults().length === 0);
  await killed.kill();
  const lock = lockFolder();
  if (lock === undefined) throw new Error("the killed process held no lock");
  // As long ago as a living one would have told that it lives.
  const longAgo = new Date(Date.now() - 11_000);
  utimesSync(lock, longAgo, longAgo);

  const before = exchanges();
  expect(await callAll(await startProcesses())).toEqual(SUCCESSES);
  expect(exchanges() - before).toBe(1);
  expect(lockFolder()).toBeUndefined();
});

it("without a folder to write, a process works as before, and says what that means", async () => {
  writeFileSync(join(env["XDG_STATE_HOME"] ?? "", "pulumi-management"), "in the way");
  const alone = await startProcess();
  expect(await callAll([alone])).toEqual([
    expect.stringContaining("warning: The service issued a new refresh token"),
  ]);
  expect(await alone.line()).toBe("found: 2");
});
