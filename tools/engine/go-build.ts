import { existsSync } from "node:fs";
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
} from "./engine";
import { findIn } from "./cache-folder";
import { buildGoProgram, type GoProgram } from "./go-program";
import { copyModuleFile, type ModuleFile } from "./module-file";

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
  // Of this and of Python's, the last version published as a Go module; it speaks the present engine's protocol.
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
