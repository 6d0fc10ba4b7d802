import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { useFakePulumi } from "../previews/fake-pulumi";
import { waitUntil } from "../kit/wait-until";

// A job that is cancelled: what it runs is told once, awaited, and not left behind. In processes of their own, which get signals.

const CLI = join(findPackageRoot(), "dist/previews/cli.js");

jest.setTimeout(60_000);

const pulumi = useFakePulumi();

/** As the engine: the first interrupt begins its end, which takes a while; a second one would end it at once. */
const ENGINE = `
  const fs = require("node:fs");
  process.on("SIGINT", () => {
    fs.appendFileSync("interrupts", "x");
    setTimeout(() => { fs.writeFileSync("ended", ""); process.exit(1); }, 300);
  });
  process.on("SIGTERM", () => fs.appendFileSync("interrupts", "t"));
  fs.writeFileSync("begun", String(process.pid));
  setInterval(() => undefined, 1000);
`;
const ARGS = [
  ...["run", "--project", "p".repeat(20), "--repository", "https://forge.example.com/acme/shop"],
  ...["--number", "7", "--git-branch", "feature/search", "--", process.execPath, "engine.js"],
];

async function appeared(name: string, isOver: () => boolean = () => false): Promise<void> {
  await waitUntil(`there is ${name}`, () => {
    const exists = existsSync(join(pulumi.folder, name));
    if (!exists && isOver()) throw new Error(`it ended before there was ${name}`);
    return exists;
  });
}

const interrupts = (): string => readFileSync(join(pulumi.folder, "interrupts"), "utf8");

async function started(command: string, args: readonly string[]) {
  writeFileSync(join(pulumi.folder, "engine.js"), ENGINE);
  const options = { cwd: pulumi.folder, detached: true, stdio: "ignore", env: { ...process.env } } as const;
  const child = spawn(command, args, options);
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  await appeared("begun", () => child.exitCode !== null || child.signalCode !== null);
  return { pid: child.pid ?? 0, ended };
}

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s is passed on and what it ends is awaited", async (signal, code) => {
  const { pid, ended } = await started(process.execPath, [CLI, ...ARGS]);
  process.kill(pid, signal);
  expect(await ended).toEqual([code, null]);
  expect(existsSync(join(pulumi.folder, "ended"))).toBe(true);
  expect(interrupts()).toBe("x");
});

it("reaches what a step of a workflow runs by `exec`", async () => {
  writeFileSync(join(pulumi.folder, "step.sh"), 'true\nexec "$@"\n');
  const { pid, ended } = await started("bash", [
    "-eo",
    "pipefail",
    "step.sh",
    process.execPath,
    CLI,
    ...ARGS,
  ]);
  process.kill(pid, "SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(interrupts()).toBe("x");
});

it("is told to what it runs once, however often and to whom a forge sends it", async () => {
  const { pid, ended } = await started(process.execPath, [CLI, ...ARGS]);
  process.kill(-pid, "SIGINT");
  await appeared("interrupts");
  process.kill(-pid, "SIGTERM");
  process.kill(pid, "SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(interrupts()).toBe("x");
});

it("leaves nothing running where what started it was killed, as npx is", async () => {
  const { pid, ended } = await started("sh", ["-c", `"$0" "$@"; true`, process.execPath, CLI, ...ARGS]);
  process.kill(pid, "SIGKILL");
  await ended;
  await appeared("ended");
  expect(interrupts()).toBe("x");
});
