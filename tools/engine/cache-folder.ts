import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type Attempt,
  companionNames,
  type Engine,
  ENGINE_VERSION,
  type Environment,
  failed,
  type Language,
  succeeded,
} from "./engine";
import { candidates, isExecutableFile } from "./path-lookup";

const PLATFORM = `${process.platform}-${process.arch}`;
const MARKER = "complete.json";

export function cacheRoot(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env["HOME"] ?? homedir();
  const defaults: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, "Library", "Caches"),
    win32: env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"),
  };
  const base = env["XDG_CACHE_HOME"] || (defaults[platform] ?? join(home, ".cache"));
  return join(base, "pulumi-management");
}

/** One version of the engine in the user's cache. It is complete or it is not there: see `publish`. */
export class CacheEntry {
  readonly parent: string;
  readonly folder: string;
  readonly binDir: string;
  readonly lockFile: string;

  constructor(root: string) {
    this.parent = join(root, "engine");
    this.folder = join(this.parent, ENGINE_VERSION);
    this.binDir = this.binDirOf(this.folder);
    this.lockFile = join(this.parent, `${ENGINE_VERSION}.lock`);
  }

  binDirOf(folder: string): string {
    return join(folder, "bin");
  }

  look(languages: readonly Language[]): Attempt<Engine> {
    if (!existsSync(this.folder)) return failed(`there is no engine in ${this.parent}`);
    if (!this.isComplete())
      return failed(`${this.folder} is incomplete, an earlier installation was interrupted`);
    const missing = ["pulumi", ...companionNames(languages)].filter(
      (name) => findIn(this.binDir, name) === undefined,
    );
    if (missing.length > 0) return failed(`${this.folder} lacks ${missing.join(", ")}`);
    const pulumi = findIn(this.binDir, "pulumi") ?? this.binDir;
    return succeeded({ pulumi, version: ENGINE_VERSION, binDir: this.binDir, source: "cache" });
  }

  /** A folder beside the entry to build in; with `seed` it starts from what the entry already has. */
  stage(options: { seed: boolean }): string {
    mkdirSync(this.parent, { recursive: true });
    const staging = mkdtempSync(join(this.parent, `.staging-${process.pid}-`));
    mkdirSync(join(staging, "bin"));
    if (options.seed && this.isComplete()) {
      for (const name of readdirSync(this.binDir))
        linkSync(join(this.binDir, name), join(staging, "bin", name));
    }
    return staging;
  }

  /** Moves a finished staging folder into place; every step is one rename, so nobody sees half of it. */
  publish(staging: string): void {
    if (this.isComplete()) {
      // Programs of this entry may be running: only what is missing is added.
      const present = new Set(readdirSync(this.binDir));
      const added = readdirSync(join(staging, "bin")).filter((name) => !present.has(name));
      for (const name of added) renameSync(join(staging, "bin", name), join(this.binDir, name));
      rmSync(staging, { recursive: true, force: true });
      return;
    }
    writeFileSync(join(staging, MARKER), JSON.stringify({ version: ENGINE_VERSION, platform: PLATFORM }));
    rmSync(this.folder, { recursive: true, force: true });
    renameSync(staging, this.folder);
  }

  /** What interrupted installations left behind; only the holder of the lock may call this. */
  removeLeftovers(): void {
    if (!existsSync(this.parent)) return;
    for (const name of readdirSync(this.parent).filter((entry) => entry.startsWith(".staging-"))) {
      rmSync(join(this.parent, name), { recursive: true, force: true });
    }
  }

  private isComplete(): boolean {
    try {
      const marker: unknown = JSON.parse(readFileSync(join(this.folder, MARKER), "utf8"));
      // A home folder can be shared by machines of different kinds.
      return (
        typeof marker === "object" && marker !== null && "platform" in marker && marker.platform === PLATFORM
      );
    } catch {
      return false;
    }
  }
}

export function findIn(folder: string, name: string): string | undefined {
  return candidates(name)
    .map((file) => join(folder, file))
    .find(isExecutableFile);
}
