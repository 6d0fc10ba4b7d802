import { cpSync, mkdirSync, mkdtempSync, rmSync, readFileSync, symlinkSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, dirname } from "node:path";
import {
  type Attempt,
  type Engine,
  type Environment,
  failed,
  type Log,
  succeeded,
  ENGINE_VERSION,
} from "../engine/engine";
import { engineEnvironment } from "../engine/environment";
import { type ProcessResult, runProcess } from "../engine/run-process";
import { createHash } from "node:crypto";
import { CacheEntry, cacheRoot, findIn } from "../engine/cache-folder";
import { cached } from "../engine/cached";
import { buildGoProgram } from "../engine/go-program";
import { findPackageRoot } from "../engine/package-root";

export const SDK_LANGUAGES = ["nodejs", "python", "go", "dotnet", "java"] as const;
export type SdkLanguage = (typeof SDK_LANGUAGES)[number];

interface Generator {
  readonly name: string;
  readonly moduleFolder: string;
}

const GENERATOR: Generator = { name: "generate-sdk", moduleFolder: "tools/sdk/go" };

/** Pulumi's generators that are published as Go modules. That for .NET is of an older version; there is none for Java. */
const GENERATORS: Readonly<Record<SdkLanguage, Generator | undefined>> = {
  nodejs: GENERATOR,
  python: GENERATOR,
  go: GENERATOR,
  dotnet: { name: "generate-dotnet-sdk", moduleFolder: "tools/sdk/go-dotnet" },
  java: undefined,
};

/** Path of the generator over Pulumi's own code generation, built from Go modules when it is not in the cache. */
async function provideGenerator(
  { name, moduleFolder }: Generator,
  request: { env: Environment; log: Log },
): Promise<Attempt<string>> {
  const hash = createHash("sha256");
  for (const file of ["main.go", "go.mod", "go.sum"])
    hash.update(readFileSync(join(findPackageRoot(), moduleFolder, file)));
  const version = `${ENGINE_VERSION}-${hash.digest("hex").slice(0, 12)}`;
  const entry = new CacheEntry(cacheRoot(request.env), { kind: name, version });
  const built = await cached(entry, {
    names: [name],
    purpose: "building the SDK generator",
    log: request.log,
    fill: (folder) =>
      buildGoProgram(
        { name, moduleFolder, package: name, linkerFlags: "-s -w" },
        { ...request, binDir: entry.binDirOf(folder) },
      ),
  });
  return built.ok ? succeeded(findIn(entry.binDir, name) ?? join(entry.binDir, name)) : built;
}

export interface SdkRequest {
  /** A package's schema, as JSON. */
  schemaFile: string;
  language: SdkLanguage;
  /** The folder to write; what is in it before is removed. */
  out: string;
  engine: Engine;
  /** Says where the cache folder and go are; the process's own when not given. */
  env?: Environment;
  log?: Log;
}

/** How the SDK was made: by the engine's own language host, or by the generator of the same version. */
export type SdkSource = "engine" | "generator";

const LONGEST_RUN_MS = 5 * 60_000;

/** Hosts of an older generation answer the first, a host that is not installed gives the second. */
const NO_GENERATING_HOST = /method GeneratePackage not implemented|no language plugin '[^']*' found/;

/** The schema has faults, or nothing on this machine can generate this language. */
export class SdkGenerationError extends Error {
  constructor(
    language: SdkLanguage,
    readonly reason: string,
  ) {
    super(`The ${language} SDK could not be generated: ${reason}`);
    this.name = "SdkGenerationError";
  }
}

/** Writes a language's SDK from the schema with Pulumi's own generator. */
export async function generateSdk(request: SdkRequest): Promise<SdkSource> {
  const { language, log = () => undefined } = request;
  const scratch = mkdtempSync(join(tmpdir(), "management-sdk-"));
  try {
    const byEngine = await generateWithEngine(request, scratch);
    if (byEngine !== undefined && !byEngine.ok) throw new SdkGenerationError(language, byEngine.reason);
    const source: SdkSource = byEngine === undefined ? "generator" : "engine";
    if (source === "generator") {
      const generated = await generateWithProgram(request, join(scratch, language));
      if (!generated.ok) throw new SdkGenerationError(language, generated.reason);
    }
    rmSync(request.out, { recursive: true, force: true });
    mkdirSync(request.out, { recursive: true });
    cpSync(join(scratch, language), request.out, { recursive: true });
    // Its generator downloads the icon of the package, and keeps whatever answers at the address.
    if (language === "dotnet")
      copyFileSync(join(findPackageRoot(), "docs", "logo.png"), join(request.out, "logo.png"));
    log(`${language}: ${request.out}, made by ${SOURCES[source]}`);
    return source;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const SOURCES: Record<SdkSource, string> = {
  engine: "pulumi package gen-sdk",
  generator: "the generator built from Go modules, since the engine has no host that generates",
};

/** Undefined when this engine has no host that could. */
async function generateWithEngine(
  { engine, schemaFile, language }: SdkRequest,
  scratch: string,
): Promise<Attempt<undefined> | undefined> {
  const folders = { home: join(scratch, "home"), backend: join(scratch, "backend") };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const result = await runProcess(
    engine.pulumi,
    ["package", "gen-sdk", resolve(schemaFile), "--language", language, "--out", scratch],
    { cwd: scratch, env: engineEnvironment(engine, folders, {}), timeoutMs: LONGEST_RUN_MS },
  );
  const said = result.lastLines.join("\n");
  if (result.exitCode !== 0 && NO_GENERATING_HOST.test(said)) return undefined;
  // A warning is about something that the generated code lacks.
  return result.exitCode === 0 && !/^warning:/m.test(said) ? succeeded(undefined) : failure(result);
}

async function generateWithProgram(
  { schemaFile, language, env = process.env, log = () => undefined }: SdkRequest,
  out: string,
): Promise<Attempt<undefined>> {
  const program = GENERATORS[language];
  if (program === undefined)
    return failed(
      `its generator comes with Pulumi's own release only. Install Pulumi ${ENGINE_VERSION} or later as its official instructions say, with pulumi on PATH`,
    );
  const generator = await provideGenerator(program, { env, log });
  if (!generator.ok)
    return failed(
      `${generator.reason}. Install Go 1.25 or later, with go on PATH, or a Pulumi whose hosts generate SDKs`,
    );
  rmSync(out, { recursive: true, force: true });
  const result = await runProcess(generator.value, [language, schemaFile, out], {
    timeoutMs: LONGEST_RUN_MS,
  });
  return result.exitCode === 0 ? succeeded(undefined) : failure(result);
}

function failure(result: ProcessResult): { ok: false; reason: string } {
  if (result.timedOut) return failed("the generator stopped answering and was ended");
  return failed(result.lastLines.join("\n") || `it ended with code ${result.exitCode} and said nothing`);
}

/** Makes a compiled SDK resolvable by its package name from `folder` and below; returns the link. */
export function linkNodejsSdk(packageFolder: string, folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest))
    throw new Error(`${packageFolder} has a package.json without a name`);
  const link = join(folder, "node_modules", String(manifest.name));
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(packageFolder, link, process.platform === "win32" ? "junction" : "dir");
  return link;
}

/** Compiles a generated SDK with the compiler of this repository and returns the folder that is the npm package. */
export async function compileNodejsSdk(folder: string): Promise<string> {
  const compiler = require.resolve("typescript/bin/tsc");
  const result = await runProcess(process.execPath, [compiler, "-p", folder], { timeoutMs: LONGEST_RUN_MS });
  if (result.exitCode !== 0)
    throw new Error(`The nodejs SDK does not compile:\n${result.lastLines.join("\n")}`);
  const packageFolder = join(folder, "bin");
  copyFileSync(join(folder, "package.json"), join(packageFolder, "package.json"));
  return packageFolder;
}
