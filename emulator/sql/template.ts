import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { copyCluster } from "./copy-cluster";
import type { Instance } from "./instance";
import { newDatabase } from "./new-database";

/**
 * The folder of a new project's database. Making one takes seconds and copying it does not, so the first is kept for every
 * later start in the user's cache, or in a temporary folder where there is none.
 */
export async function templateFolder(
  temporary: () => string,
  start: (folder: string) => Promise<Instance>,
): Promise<string> {
  const cached = join(cacheFolder(), `new-project-${contentHash()}`);
  if (existsSync(cached)) return cached;
  const made = join(temporary(), ".new-project");
  rmSync(made, { recursive: true, force: true });
  const instance = await start(made);
  try {
    await instance.exec(newDatabase);
  } finally {
    await instance.close();
  }
  keep(made, cached);
  return existsSync(cached) ? cached : made;
}

/** Under its name only when it is whole, as other processes take it from there. */
function keep(made: string, cached: string): void {
  try {
    mkdirSync(dirname(cached), { recursive: true });
    const staged = mkdtempSync(`${cached}.`);
    try {
      copyCluster(made, staged);
      renameSync(staged, cached);
    } finally {
      rmSync(staged, { recursive: true, force: true });
    }
  } catch {
    // Without a cache, or when another process was first, this one's own serves as well.
  }
}

/** Changes with what a new database holds and with the Postgres that made it. */
function contentHash(): string {
  const manifest = join(dirname(require.resolve("@electric-sql/pglite")), "..", "package.json");
  return createHash("sha256").update(newDatabase).update(readFileSync(manifest)).digest("hex").slice(0, 16);
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "management-emulator");
}
