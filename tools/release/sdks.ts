import { stripVTControlCharacters } from "node:util";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { create } from "tar";
import { ENGINE_VERSION, type Engine } from "../engine/engine";
import { goEnvironment } from "../engine/go-command";
import { findExecutable } from "../engine/path-lookup";
import { providePython } from "../engine/python-environment";
import { runProcess } from "../engine/run-process";
import { allPrograms } from "../schema/examples/programs";
import { languageSections } from "../schema/language-sections";
import { compileNodejsSdk, generateSdk, SdkGenerationError, type SdkLanguage } from "../sdk/generate-sdk";
import { dependenciesIn, type ListedSdk } from "./sdk-bill";
import { wrapCSharp, wrapJava, writePom } from "./example-projects";

/** The SDK of one language in a release. */
export interface ReleasedSdk extends ListedSdk {
  /** What it was compiled with, or why it was not. */
  readonly outcome: string;
  readonly isCompiled: boolean;
}

export interface SdkRelease {
  /** The folder of the release. */
  readonly folder: string;
  /** Where SDKs are generated and compiled; inside the repository, whose packages the one in TypeScript finds. */
  readonly workFolder: string;
  readonly schemaFile: string;
  readonly version: string;
  readonly engine: Engine;
}

/** What the files and the bill of materials are named after. */
export const SDK_NAME = "pulumi-management-sdk";

const LONGEST_RUN_MS = 20 * 60_000;

/** The files of an SDK, with what compiled them or what this machine lacks for that. */
type Made = { readonly files: readonly string[] } & (
  { readonly compiled: string } | { readonly lacks: string }
);

/** Compiles the SDK in a folder and makes files of the release of it; throws what does not compile. */
type Maker = (sdk: string, release: SdkRelease) => Promise<Made>;

const MAKERS: Readonly<Record<SdkLanguage, { readonly name: string; readonly make: Maker }>> = {
  nodejs: { name: "TypeScript", make: packNodejs },
  python: { name: "Python", make: buildPython },
  go: { name: "Go", make: buildGo },
  dotnet: { name: ".NET", make: buildDotnet },
  java: { name: "Java", make: buildJava },
};

/** Generates the SDK of each language from the schema, and compiles those whose toolchain is on this machine. */
export async function writeSdks(release: SdkRelease): Promise<ReleasedSdk[]> {
  const { workFolder, schemaFile, engine } = release;
  // The marks are for a page that lets its reader choose a language; an SDK has one.
  const marked = readFileSync(schemaFile, "utf8");
  mkdirSync(workFolder, { recursive: true });
  const sdkSchema = join(workFolder, "schema.json");
  writeFileSync(sdkSchema, marked.replaceAll(/<!--(?:Start|End) PulumiCodeChooser -->(?:\\n)?/g, ""));
  const sdks: ReleasedSdk[] = [];
  for (const language of Object.keys(MAKERS) as SdkLanguage[]) {
    const { name, make } = MAKERS[language];
    const out = join(workFolder, language);
    try {
      await generateSdk({ schemaFile: sdkSchema, language, out, engine });
    } catch (error) {
      if (!(error instanceof SdkGenerationError)) throw error;
      const outcome = `not generated: ${error.reason}`;
      sdks.push({ language: name, files: [], dependencies: {}, outcome, isCompiled: false });
      continue;
    }
    const made = await make(out, release);
    const isCompiled = "compiled" in made;
    const outcome = isCompiled ? `compiled with ${made.compiled}` : `not compiled: ${made.lacks}`;
    const dependencies = dependenciesIn(out, language);
    sdks.push({ language: name, files: made.files, dependencies, outcome, isCompiled });
  }
  return sdks;
}

/** Runs a step in the folder of an SDK; throws what it says when it fails. */
async function step(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const { exitCode, stdout, lastLines } = await runProcess(command, args, {
    timeoutMs: LONGEST_RUN_MS,
    ...options,
  });
  if (exitCode !== 0)
    throw new Error(`${command} ${args[0]} failed in ${options.cwd}:\n${lastLines.join("\n")}`);
  return stdout.trim();
}

async function packNodejs(sdk: string, { folder, version }: SdkRelease): Promise<Made> {
  const compiled = await compileNodejsSdk(sdk);
  cpSync(join(sdk, "README.md"), join(compiled, "README.md"));
  await step("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: compiled });
  return { files: [`${languageSections.nodejs.packageName}-${version}.tgz`], compiled: "TypeScript" };
}

async function buildPython(sdk: string, { folder, version }: SdkRelease): Promise<Made> {
  const { python } = await providePython();
  const build =
    "import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_sdist(out); b.build_wheel(out)";
  // The archives have times, of which this is the earliest that a wheel can have.
  await step(python, ["-c", build, folder], {
    cwd: sdk,
    env: { ...process.env, SOURCE_DATE_EPOCH: "315532800" },
  });
  await step(python, ["-m", "compileall", "-q", "-f", languageSections.python.packageName], { cwd: sdk });
  const { packageName } = languageSections.python;
  const files = [`${packageName}-${version}.tar.gz`, `${packageName}-${version}-py3-none-any.whl`];
  return { files, compiled: await step(python, ["--version"], { cwd: sdk }) };
}

async function buildGo(sdk: string, release: SdkRelease): Promise<Made> {
  const moduleFile = join(sdk, "go.mod");
  const SDK = "github.com/pulumi/pulumi/sdk/v3";
  const module = readFileSync(moduleFile, "utf8");
  // What the generator names is older than what the generated code needs.
  writeFileSync(moduleFile, module.replace(new RegExp(`${SDK} v\\S+`), `${SDK} v${ENGINE_VERSION}`));
  const go = findExecutable("go", process.env);
  if (go === undefined) return { files: await archive(sdk, "go", release), lacks: "there is no go on PATH" };
  const env = { ...goEnvironment(process.env), GOFLAGS: "-mod=mod" };
  await step(go, ["mod", "tidy"], { cwd: sdk, env });
  await step(go, ["build", "-trimpath", "./..."], { cwd: sdk, env });
  const [, , version] = (await step(go, ["version"], { cwd: sdk })).split(" ");
  return { files: await archive(sdk, "go", release), compiled: (version ?? "go").replace("go", "Go ") };
}

async function buildDotnet(sdk: string, release: SdkRelease): Promise<Made> {
  const files = await archive(sdk, "dotnet", release);
  const dotnet = findExecutable("dotnet", process.env);
  if (dotnet === undefined) return { files, lacks: "there is no dotnet on PATH" };
  const examples = wrapCSharp(allPrograms(), join(sdk, "..", "dotnet-examples"), sdk);
  await step(dotnet, ["build", "--configuration", "Release", "--output", join(sdk, "..", "dotnet-built")], {
    cwd: examples,
  });
  const packages = filesBelow(sdk).filter((path) => path.endsWith(".nupkg"));
  for (const path of packages) cpSync(join(sdk, path), join(release.folder, basename(path)));
  return {
    files: [...files, ...packages.map((path) => basename(path))],
    compiled: `.NET ${await step(dotnet, ["--version"], { cwd: sdk })}, with every example`,
  };
}

async function buildJava(sdk: string, release: SdkRelease): Promise<Made> {
  writePom(sdk, { artifact: JAR_NAME, version: release.version });
  const files = await archive(sdk, "java", release);
  const maven = findExecutable("mvn", process.env);
  if (maven === undefined) return { files, lacks: "there is no mvn on PATH" };
  const jar = await compileJava(sdk, { maven, version: release.version, examples: allPrograms() });
  const name = `${JAR_NAME}-${release.version}.jar`;
  cpSync(jar, join(release.folder, name));
  const [version = "Maven"] = (await step(maven, ["--version"], { cwd: sdk })).split("\n");
  return {
    files: [...files, name],
    compiled: `${stripVTControlCharacters(version)}, with every example`,
  };
}

const JAR_NAME = `${SDK_NAME}-java`;

/** Compiles the sources of a Java SDK with the examples beside them, and returns the path of its jar. */
export async function compileJava(
  sdk: string,
  {
    maven,
    version,
    examples,
  }: { maven: string; version: string; examples: Readonly<Record<string, { readonly java: string }>> },
): Promise<string> {
  writePom(sdk, { artifact: JAR_NAME, version });
  wrapJava(examples, sdk);
  // Tests are compiled and not run.
  await step(maven, ["--batch-mode", "--quiet", "-DskipTests", "package"], { cwd: sdk });
  return join(sdk, "target", `${JAR_NAME}-${version}.jar`);
}

/** The sources of an SDK as one archive, whose name it answers with. */
async function archive(sdk: string, language: string, { folder, version }: SdkRelease): Promise<string[]> {
  const name = `${SDK_NAME}-${language}-v${version}.tar.gz`;
  // Equal input makes an equal archive: no owners, no times, a fixed order.
  const fixed = { portable: true, mtime: new Date(0), gzip: true };
  await create({ ...fixed, cwd: sdk, file: join(folder, name) }, readdirSync(sdk).toSorted());
  return [name];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}
