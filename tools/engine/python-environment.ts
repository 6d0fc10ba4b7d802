import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CacheEntry, cacheRoot, findIn } from "./cache-folder";
import { cached } from "./cached";
import { type Attempt, ENGINE_VERSION, type Environment, failed, type Log, succeeded } from "./engine";
import { findPackageRoot } from "./package-root";
import { findExecutable } from "./path-lookup";
import { failureLine, runProcess } from "./run-process";

const PROGRAMS = process.platform === "win32" ? "Scripts" : "bin";
const LONGEST_STEP_MS = 10 * 60_000;

export interface PythonEnvironment {
  python: string;
  /** Folder to put first on PATH. */
  binDir: string;
}

/** What is installed into a virtual environment, and under which name it is kept. */
export interface PythonPackages {
  /** Names the environment among the others in the user's cache. */
  readonly kind: string;
  /** What is installed, for whoever waits: "Pulumi's Python SDK". */
  readonly what: string;
  /** Who needs it: "Python programs". */
  readonly purpose: string;
  /** A requirements file with every version pinned. */
  readonly requirements: string;
}

export class PythonUnavailableError extends Error {
  constructor({ purpose }: PythonPackages, reason: string) {
    super(
      [
        `No Python environment could be made: ${reason}.`,
        `${purpose} need Python 3.10 or later with its \`venv\` module, python3 being on PATH, and the package`,
        "index that pip is configured for, when they are run for the first time. Provide these and run the command again.",
      ].join("\n"),
    );
    this.name = "PythonUnavailableError";
  }
}

/** The virtual environment with Pulumi's SDK and a type checker. */
export function providePython(request: { env?: Environment; log?: Log } = {}): Promise<PythonEnvironment> {
  const requirements = join(findPackageRoot(), "tools", "engine", "python", "requirements.txt");
  const what = "Pulumi's Python SDK";
  return provideEnvironment({ kind: "python", what, purpose: "Python programs", requirements }, request);
}

/** A virtual environment in the user's cache, made when it is not there. */
export async function provideEnvironment(
  packages: PythonPackages,
  request: { env?: Environment; log?: Log } = {},
): Promise<PythonEnvironment> {
  const { env = process.env, log = () => undefined } = request;
  const digest = createHash("sha256").update(readFileSync(packages.requirements)).digest("hex").slice(0, 12);
  const { kind } = packages;
  const version = `${ENGINE_VERSION}-${digest}`;
  const entry = new CacheEntry(cacheRoot(env), { kind, version, programs: PROGRAMS });
  const made = await cached(entry, {
    names: ["python"],
    purpose: "making a Python environment",
    log,
    fill: (folder) => makeEnvironment(folder, { env, log, packages }),
  });
  if (!made.ok) throw new PythonUnavailableError(packages, made.reason);
  return { python: findIn(entry.binDir, "python") ?? entry.binDir, binDir: entry.binDir };
}

/** An environment in which `python` is the virtual one, as after activating it. */
export function withPython(env: Environment, python: PythonEnvironment): Environment {
  return { ...env, PATH: [python.binDir, env["PATH"] ?? ""].join(delimiter), PYTHONHOME: undefined };
}

async function makeEnvironment(
  folder: string,
  request: { env: Environment; log: Log; packages: PythonPackages },
): Promise<Attempt<undefined>> {
  const found = findExecutable("python3", request.env) ?? findExecutable("python", request.env);
  if (found === undefined) return failed("there is neither python3 nor python on PATH");
  const { what, requirements } = request.packages;
  const programs = join(folder, PROGRAMS);
  const python = join(programs, "python");
  const steps = [
    { name: "making a virtual environment", command: found, args: ["-m", "venv", folder] },
    {
      name: `installing ${what}`,
      command: python,
      args: ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-r", requirements],
    },
  ];
  for (const { name, command, args } of steps) {
    request.log(`${name} (${command})`);
    const result = await runProcess(command, args, {
      env: { ...request.env, PYTHONHOME: undefined },
      timeoutMs: LONGEST_STEP_MS,
    });
    if (result.timedOut) return failed(`${name} was stopped after ${LONGEST_STEP_MS / 60_000} minutes`);
    if (result.exitCode !== 0) return failed(`${name} failed: ${failureLine(result)}`);
  }
  // They name the folder that they were made in, which is about to be renamed; `python -m` does without.
  for (const script of readdirSync(programs).filter((name) => !name.startsWith("python"))) {
    rmSync(join(programs, script), { force: true });
  }
  return succeeded(undefined);
}
