import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { copyCluster } from "./copy-cluster";

/**
 * A folder that takes seconds to make. The first is kept for every later start in the user's cache, or in a temporary folder
 * where there is none. `name` changes with what is in it.
 */
export async function cachedFolder(
  name: string,
  temporary: () => string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const cached = join(cacheFolder(), name);
  if (existsSync(cached)) return cached;
  const made = join(temporary(), `.${name}`);
  rmSync(made, { recursive: true, force: true });
  await make(made);
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

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache"), "management-emulator");
}
