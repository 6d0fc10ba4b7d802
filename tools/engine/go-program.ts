import { join } from "node:path";
import { type Attempt, failed, succeeded } from "./engine";
import { goCommand, type GoBuildRequest } from "./go-command";
import { BuildProgress } from "./go-progress";
import { candidates } from "./path-lookup";
import { failureLine, type ProcessResult } from "./run-process";

const PROGRESS_EVERY_MS = 15_000;

export interface GoProgram {
  name: string;
  /** Folder in this repository, a module that pins this program and everything it is built from. */
  moduleFolder: string;
  package: string;
  linkerFlags: string;
}

/** Builds a program from pinned Go modules into `binDir`. */
export async function buildGoProgram(
  program: GoProgram,
  request: GoBuildRequest,
): Promise<Attempt<undefined>> {
  const go = goCommand(program.moduleFolder, request.env);
  if (!go.ok) return go;
  const progress = new BuildProgress(program);
  const ticker = setInterval(() => request.log(progress.describe()), PROGRESS_EVERY_MS);
  const run = (args: string[]): Promise<ProcessResult> => go.value(args, (line) => progress.read(line));
  try {
    request.log(`building ${program.name} from Go modules`);
    const listed = await run(["list", "-deps", program.package]);
    if (listed.exitCode !== 0) return failed(goFailure(program, listed));
    progress.startCompiling(listed.stdout.split("\n").length - 1);

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

function goFailure(program: GoProgram, result: ProcessResult): string {
  if (result.timedOut) return `building ${program.name} stopped making progress and was ended`;
  return `building ${program.name} failed: ${failureLine(result)}`;
}
