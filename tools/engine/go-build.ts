import { existsSync, chmodSync, copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type Attempt,
  DYNAMIC_PROVIDER,
  ENGINE_VERSION,
  type Environment,
  type Language,
  type Log,
  PYTHON_EXECUTOR,
  succeeded,
  failed,
  errorMessage,
} from "./engine";
import { findIn } from "./cache-folder";
import { buildGoProgram, type GoProgram } from "./go-program";
import { goCommand, type GoBuildRequest } from "./go-command";
import { failureLine } from "./run-process";

/** A program of the engine, and a file of another module that is looked for beside it. */
type EngineProgram = GoProgram & { companion?: ModuleFile };

/** The program that serves dynamic providers, as the engine's own release ships it; what is built from Go modules lacks it. */
const LAUNCHER: ModuleFile = {
  module: "github.com/pulumi/pulumi/sdk/v3",
  path: `nodejs/dist/${DYNAMIC_PROVIDER}${process.platform === "win32" ? ".cmd" : ""}`,
};

const CLI: EngineProgram = {
  name: "pulumi",
  moduleFolder: "tools/engine/go/cli",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  linkerFlags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${ENGINE_VERSION}`,
  companion: LAUNCHER,
};

const LANGUAGES: Record<Language, EngineProgram> = {
  // Of this and of Python's, the last version published as a Go module; it speaks the present engine's protocol, and does not
  // generate SDKs: `pulumi package add` is tried with YAML, and the SDKs by `tools/sdk`.
  nodejs: {
    name: "pulumi-language-nodejs",
    moduleFolder: "tools/engine/go/language-nodejs",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    linkerFlags: "-s -w",
  },
  python: {
    name: "pulumi-language-python",
    moduleFolder: "tools/engine/go/language-python",
    package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    linkerFlags: "-s -w",
    companion: { module: "github.com/pulumi/pulumi/sdk/v3", path: `python/cmd/${PYTHON_EXECUTOR}` },
  },
  yaml: {
    name: "pulumi-language-yaml",
    moduleFolder: "tools/engine/go/language-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    linkerFlags: "-s -w",
  },
};

/** Builds what `folder/bin` does not have yet, from the Go modules pinned beside this file. */
export async function buildWithGo(
  request: { env: Environment; log: Log; languages: readonly Language[] },
  folder: string,
): Promise<Attempt<undefined>> {
  const binDir = join(folder, "bin");
  for (const { companion, ...program } of [
    CLI,
    ...request.languages.map((language) => LANGUAGES[language]),
  ]) {
    if (findIn(binDir, program.name) === undefined) {
      const built = await buildGoProgram(program, { ...request, binDir });
      if (!built.ok) return built;
    }
    if (companion !== undefined && !existsSync(join(binDir, basename(companion.path)))) {
      const copied = await copyModuleFile(companion, program.moduleFolder, { ...request, binDir });
      if (!copied.ok) return copied;
    }
  }
  return succeeded(undefined);
}

/** A file that a Go module carries beside its source. */
interface ModuleFile {
  module: string;
  /** Inside the module; its last part is the name of the copy. */
  path: string;
}

/** Copies a file out of a module into `binDir`, in the version that the module in `moduleFolder` pins. */
async function copyModuleFile(
  file: ModuleFile,
  moduleFolder: string,
  request: GoBuildRequest,
): Promise<Attempt<undefined>> {
  const go = goCommand(moduleFolder, request.env);
  if (!go.ok) return go;
  // Go's cache may have been cleaned since the engine was built.
  const fetched = await go.value(["mod", "download", file.module]);
  if (fetched.exitCode !== 0) return failed(`fetching ${file.module} failed: ${failureLine(fetched)}`);
  const module = await go.value(["list", "-m", "-f", "{{.Dir}}", file.module]);
  if (module.exitCode !== 0) return failed(`finding ${file.module} failed: ${failureLine(module)}`);
  const target = join(request.binDir, basename(file.path));
  try {
    copyFileSync(join(module.stdout.trim(), file.path), target);
    // Go's module cache is read-only, and copies keep that.
    chmodSync(target, 0o755);
    request.log(`copied ${basename(file.path)} from ${file.module}`);
    return succeeded(undefined);
  } catch (error) {
    return failed(`copying ${file.path} failed: ${errorMessage(error)}`);
  }
}
