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
import { isOwnFolder } from "../../provider/core/own-folder";
import type { Environment } from "./engine";
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

export interface CacheKey {
  kind: string;
  version: string;
  /** The folder with its programs; `bin` by default. */
  programs?: string;
}

/** One version of something in the user's cache. It is complete or it is not there: see `publish`. */
export class CacheEntry {
  readonly parent: string;
  readonly folder: string;
  readonly binDir: string;
  /** What is locked while the entry is filled; the lock lies beside it. */
  readonly lockFile: string;

  constructor(
    private readonly root: string,
    private readonly key: CacheKey,
  ) {
    this.parent = join(root, key.kind);
    this.folder = join(this.parent, key.version);
    this.binDir = this.binDirOf(this.folder);
    this.lockFile = join(this.parent, `.${key.version}`);
  }

  binDirOf(folder: string): string {
    return join(folder, this.key.programs ?? "bin");
  }

  /** Why the entry cannot be used for these programs; undefined when it can. */
  lack(names: readonly string[]): string | undefined {
    if (!existsSync(this.folder)) return `there is no ${this.key.kind} in ${this.parent}`;
    if (!this.isComplete())
      return `${this.folder} is incomplete, as an earlier installation was interrupted, or another user may write to it`;
    const missing = names.filter((name) => findIn(this.binDir, name) === undefined);
    return missing.length > 0 ? `${this.folder} lacks ${missing.join(", ")}` : undefined;
  }

  /** A folder beside the entry to build in; with `seed` it starts from what the entry already has. */
  stage(options: { seed: boolean }): string {
    mkdirSync(this.parent, { recursive: true });
    const staging = mkdtempSync(join(this.parent, `.staging-${process.pid}-`));
    mkdirSync(this.binDirOf(staging));
    if (options.seed && this.isComplete()) {
      for (const name of readdirSync(this.binDir))
        linkSync(join(this.binDir, name), join(this.binDirOf(staging), name));
    }
    return staging;
  }

  /** Moves a finished staging folder into place; every step is one rename, so nobody sees half of it. */
  publish(staging: string): void {
    if (this.isComplete()) {
      // Programs of this entry may be running: only what is missing is added.
      const present = new Set(readdirSync(this.binDir));
      const added = readdirSync(this.binDirOf(staging)).filter((name) => !present.has(name));
      for (const name of added) renameSync(join(this.binDirOf(staging), name), join(this.binDir, name));
      rmSync(staging, { recursive: true, force: true });
      return;
    }
    writeFileSync(join(staging, MARKER), JSON.stringify({ version: this.key.version, platform: PLATFORM }));
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
      // What another user could have put there is run unchecked.
      if (![this.root, this.parent, this.folder].every(isOwnFolder)) return false;
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
