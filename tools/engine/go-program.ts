import { join } from "node:path";
import { type Attempt, failed, succeeded } from "./engine";
import { goCommand, type GoBuildRequest } from "./go-command";
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

/** Reads what `go list` and `go build -v` print, and says in one line how far they are. */
export class BuildProgress {
  private readonly startedAtMs: number;
  private downloads = 0;
  private compiled = 0;
  private total: number | undefined;
  private linking = false;

  constructor(
    private readonly program: { name: string; package: string },
    private readonly now: () => number = Date.now,
  ) {
    this.startedAtMs = now();
  }

  startCompiling(total: number): void {
    this.total = total;
  }

  read(line: string): void {
    if (line.startsWith("go: downloading ")) this.downloads += 1;
    else if (this.total !== undefined && !line.includes(" ")) {
      this.compiled += 1;
      this.linking = line === this.program.package;
    }
  }

  describe(): string {
    return `  ${this.program.name}: ${this.stage()}, ${this.elapsed()}`;
  }

  elapsed(): string {
    const seconds = Math.round((this.now() - this.startedAtMs) / 1000);
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }

  private stage(): string {
    if (this.total === undefined) return `${this.downloads} modules downloaded`;
    if (this.linking) return "linking";
    return `${this.compiled} of ${this.total} packages compiled`;
  }
}
