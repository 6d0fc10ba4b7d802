import { chmodSync, copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Attempt, type Environment, failed, type Log, reasonOf, succeeded } from "./engine";
import { BuildProgress } from "./go-progress";
import { findPackageRoot } from "./package-root";
import { candidates, findExecutable } from "./path-lookup";
import { failureLine, type ProcessResult, runProcess } from "./run-process";

const PROGRESS_EVERY_MS = 15_000;
const LONGEST_BUILD_MS = 60 * 60_000;
const LONGEST_SILENCE_MS = 10 * 60_000;

export interface GoProgram {
  name: string;
  /** Folder in this repository, a module that pins this program and everything it is built from. */
  moduleFolder: string;
  package: string;
  linkerFlags: string;
  /** A file of another module that the program looks for beside itself. */
  companion?: { module: string; path: string };
}

export interface GoBuildRequest {
  env: Environment;
  log: Log;
  binDir: string;
}

export const NO_GO = "there is no go on PATH";

/** Builds a program from pinned Go modules into `binDir`. */
export async function buildGoProgram(
  program: GoProgram,
  request: GoBuildRequest,
): Promise<Attempt<undefined>> {
  const go = findExecutable("go", request.env);
  if (go === undefined) return failed(NO_GO);
  const progress = new BuildProgress(program);
  const ticker = setInterval(() => request.log(progress.describe()), PROGRESS_EVERY_MS);
  const run = (args: string[]): Promise<ProcessResult> =>
    runProcess(go, args, {
      cwd: join(findPackageRoot(), program.moduleFolder),
      env: goEnvironment(request.env),
      timeoutMs: LONGEST_BUILD_MS,
      idleTimeoutMs: LONGEST_SILENCE_MS,
      onLine: (line) => progress.read(line),
    });
  try {
    request.log(`building ${program.name} from Go modules`);
    const listed = await run(["list", "-deps", program.package]);
    if (listed.exitCode !== 0) return failed(goFailure(program, listed));
    progress.startCompiling(listed.stdout.split("\n").length - 1);

    if (program.companion !== undefined) {
      const copied = await copyCompanion(program.companion, request.binDir, run);
      if (!copied.ok) return copied;
    }
    const output = join(request.binDir, candidates(program.name)[0] ?? program.name);
    const flags = ["-v", "-trimpath", "-ldflags", program.linkerFlags, "-o", output];
    const built = await run(["build", ...flags, program.package]);
    if (built.exitCode !== 0) return failed(goFailure(program, built));
    request.log(`built ${program.name} in ${progress.elapsed()}`);
    return succeeded(undefined);
  } finally {
    clearInterval(ticker);
  }
}

async function copyCompanion(
  companion: { module: string; path: string },
  binDir: string,
  run: (args: string[]) => Promise<ProcessResult>,
): Promise<Attempt<undefined>> {
  const module = await run(["list", "-m", "-f", "{{.Dir}}", companion.module]);
  if (module.exitCode !== 0) return failed(`finding ${companion.module} failed: ${failureLine(module)}`);
  const target = join(binDir, basename(companion.path));
  try {
    copyFileSync(join(module.stdout.trim(), companion.path), target);
    // Go's module cache is read-only, and copies keep that.
    chmodSync(target, 0o755);
    return succeeded(undefined);
  } catch (error) {
    return failed(`copying ${companion.path} failed: ${reasonOf(error)}`);
  }
}

export function goEnvironment(env: Environment): Environment {
  return {
    ...env,
    GO111MODULE: "on",
    // Exactly what go.mod and go.sum say, whatever the user's workspace or flags are.
    GOWORK: "off",
    GOFLAGS: `${env["GOFLAGS"] ?? ""} -mod=readonly`.trim(),
    // No C compiler needed, and the result does not depend on the machine's libraries.
    CGO_ENABLED: "0",
  };
}

function goFailure(program: GoProgram, result: ProcessResult): string {
  if (result.timedOut) return `building ${program.name} stopped making progress and was ended`;
  return `building ${program.name} failed: ${failureLine(result)}`;
}
