import { rmSync } from "node:fs";
import { CacheEntry, cacheRoot, findIn } from "./cache-folder";
import {
  type Attempt,
  companionNames,
  type Engine,
  ENGINE_SET,
  ENGINE_VERSION,
  type EngineSource,
  type Environment,
  failed,
  type Language,
  type Log,
  errorMessage,
  succeeded,
} from "./engine";
import { buildWithGo } from "./go-build";
import { runInstaller } from "./installer";
import { withLock } from "./lock";
import { lookUpOnPath } from "./path-lookup";

export interface ProvisionRequest {
  env: Environment;
  languages: readonly Language[];
  log: Log;
}

/** The ways of getting an engine; replaceable one by one. A filler puts the programs into `folder/bin`. */
export interface ProvisionSteps {
  lookUpOnPath: (request: ProvisionRequest) => Promise<Attempt<Engine>>;
  runInstaller: (request: ProvisionRequest, folder: string) => Promise<Attempt<undefined>>;
  buildWithGo: (request: ProvisionRequest, folder: string) => Promise<Attempt<undefined>>;
}

export interface ProvisionOptions extends Partial<ProvisionRequest> {
  steps?: Partial<ProvisionSteps>;
}

/** Finds, installs or builds the engine: PATH, the user's cache, the official installer, Go modules. */
export async function provisionEngine(options: ProvisionOptions = {}): Promise<Engine> {
  const { env = process.env, languages = ["nodejs"], log = () => undefined } = options;
  const steps: ProvisionSteps = { lookUpOnPath, runInstaller, buildWithGo, ...options.steps };
  const request: ProvisionRequest = { env, languages, log };
  const tried: string[] = [];
  const note = (way: string, reason: string): void => {
    tried.push(`${way}: ${reason}`);
    log(`${way}: ${reason}`);
  };

  const onPath = await steps.lookUpOnPath(request);
  if (onPath.ok) return announce(onPath.value, log);
  note("PATH", onPath.reason);

  const entry = new CacheEntry(cacheRoot(env), { kind: "engine", version: ENGINE_SET });
  const cached = lookInCache(entry, languages);
  if (cached.ok) return announce(cached.value, log);
  note("cache", cached.reason);

  try {
    return await withLock(entry.lockFile, { log, purpose: "installing the engine" }, async () => {
      // The process that held the lock may have done all of it.
      const meanwhile = lookInCache(entry, languages);
      if (meanwhile.ok) return announce(meanwhile.value, log);
      entry.removeLeftovers();

      const ways = [
        { source: "installer", name: "official installer", run: steps.runInstaller },
        { source: "go", name: "Go", run: steps.buildWithGo },
      ] as const;
      // The installer brings every host: an engine that lacks one was built, and building the host is quicker.
      const isBuilt = entry.lack(["pulumi"]) === undefined;
      for (const { source, name, run } of isBuilt ? ways.toReversed() : ways) {
        const filled = await fill(entry, languages, source, (folder) => run(request, folder));
        if (filled.ok) return announce(filled.value, log);
        note(name, filled.reason);
      }
      throw new EngineUnavailableError(tried);
    });
  } catch (error) {
    if (error instanceof EngineUnavailableError) throw error;
    note("cache folder", errorMessage(error));
    throw new EngineUnavailableError(tried);
  }
}

export class EngineUnavailableError extends Error {
  constructor(readonly tried: readonly string[]) {
    super(
      [
        "No Pulumi engine could be found, installed or built. Tried:",
        ...tried.map((line) => `  - ${line}`),
        "Do one of these, then run the command again:",
        `  - install Pulumi ${ENGINE_VERSION} or later as its official instructions say, with pulumi on PATH`,
        "  - install Go 1.25 or later, with go on PATH: the engine is then built from Go modules",
        "  - let this machine reach the network, so that the official installer can download",
      ].join("\n"),
    );
    this.name = "EngineUnavailableError";
  }
}

/** Lets one way fill a folder, and moves that into the cache only when everything needed is in it. */
async function fill(
  entry: CacheEntry,
  languages: readonly Language[],
  source: EngineSource,
  filler: (folder: string) => Promise<Attempt<undefined>>,
): Promise<Attempt<Engine>> {
  const staging = entry.stage({ seed: source === "go" });
  try {
    const filled = await filler(staging);
    if (!filled.ok) return filled;
    entry.publish(staging);
    const found = lookInCache(entry, languages);
    return found.ok ? { ok: true, value: { ...found.value, source } } : found;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function lookInCache(entry: CacheEntry, languages: readonly Language[]): Attempt<Engine> {
  const lack = entry.lack(["pulumi", ...companionNames(languages)]);
  if (lack !== undefined) return failed(lack);
  const pulumi = findIn(entry.binDir, "pulumi") ?? entry.binDir;
  return succeeded({ pulumi, version: ENGINE_VERSION, binDir: entry.binDir, source: "cache" });
}

function announce(engine: Engine, log: Log): Engine {
  log(`Pulumi ${engine.version} from ${DESCRIPTIONS[engine.source]}: ${engine.binDir}`);
  return engine;
}

const DESCRIPTIONS: Record<EngineSource, string> = {
  path: "PATH",
  cache: "the user's cache",
  installer: "the official installer",
  go: "Go modules",
};
