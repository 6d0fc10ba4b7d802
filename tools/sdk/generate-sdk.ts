import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Attempt, type Engine, type Environment, failed, type Log, succeeded } from "../engine/engine";
import { engineEnvironment } from "../engine/environment";
import { type ProcessResult, runProcess } from "../engine/run-process";
import { provideGenerator } from "./generator";

export const SDK_LANGUAGES = ["nodejs", "python", "go"] as const;
export type SdkLanguage = (typeof SDK_LANGUAGES)[number];

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
  constructor(language: SdkLanguage, reason: string) {
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
  const generator = await provideGenerator({ env, log });
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
