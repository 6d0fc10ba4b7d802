import { join } from "node:path";
import {
  type Attempt,
  ENGINE_VERSION,
  type Environment,
  failed,
  type Language,
  type Log,
  succeeded,
} from "./engine";
import { findIn } from "./cache-folder";
import { BuildProgress } from "./go-progress";
import { findPackageRoot } from "./package-root";
import { candidates, findExecutable } from "./path-lookup";
import { failureLine, type ProcessResult, runProcess } from "./run-process";

const PROGRESS_EVERY_MS = 15_000;
const LONGEST_BUILD_MS = 60 * 60_000;
const LONGEST_SILENCE_MS = 10 * 60_000;

interface GoProgram {
  name: string;
  /** Folder under `go/`, a module that pins this program and everything it is built from. */
  module: string;
  package: string;
  linkerFlags: string;
}

const CLI: GoProgram = {
  name: "pulumi",
  module: "cli",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  linkerFlags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`,
};

const LANGUAGES: Record<Language, GoProgram> = {
  // The last version published as a Go module; it speaks the protocol of the present engine.
  nodejs: {
    name: "pulumi-language-nodejs",
    module: "language-nodejs",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    linkerFlags: "-s -w",
  },
  yaml: {
    name: "pulumi-language-yaml",
    module: "language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    linkerFlags: "-s -w",
  },
};

/** Builds what `folder/bin` does not have yet, from the Go modules pinned beside this file. */
export async function buildWithGo(
  request: { env: Environment; log: Log; languages: readonly Language[] },
  folder: string,
): Promise<Attempt<undefined>> {
  const go = findExecutable("go", request.env);
  if (go === undefined) return failed("there is no go on PATH");
  const binDir = join(folder, "bin");
  for (const program of [CLI, ...request.languages.map((language) => LANGUAGES[language])]) {
    if (findIn(binDir, program.name) !== undefined) continue;
    const built = await build(go, program, { ...request, binDir });
    if (!built.ok) return built;
  }
  return succeeded(undefined);
}

async function build(
  go: string,
  program: GoProgram,
  request: { env: Environment; log: Log; binDir: string },
): Promise<Attempt<undefined>> {
  const progress = new BuildProgress(program);
  const ticker = setInterval(() => request.log(progress.describe()), PROGRESS_EVERY_MS);
  const run = (args: string[]): Promise<ProcessResult> =>
    runProcess(go, args, {
      cwd: join(findPackageRoot(), "tools", "engine", "go", program.module),
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

    const output = join(request.binDir, candidates(program.name)[0] ?? program.name);
    const built = await run([
      "build",
      "-v",
      "-trimpath",
      "-ldflags",
      program.linkerFlags,
      "-o",
      output,
      program.package,
    ]);
    if (built.exitCode !== 0) return failed(goFailure(program, built));
    request.log(`built ${program.name} in ${progress.elapsed()}`);
    return succeeded(undefined);
  } finally {
    clearInterval(ticker);
  }
}

function goEnvironment(env: Environment): Environment {
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
