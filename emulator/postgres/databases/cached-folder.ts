import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOwnFolder } from "../../../provider/core/own-folder";
import { cacheFolder } from "../../machine/cache-folder";
import { copyCluster } from "./copy-cluster";

/**
 * A folder that takes seconds to make. The first is kept for every later start in the user's cache, or in a temporary folder
 * where the user has none alone. `name` changes with what is in it.
 */
export async function cachedFolder(
  name: string,
  temporary: () => string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const cache = cacheFolder();
  const cached = cache === undefined ? undefined : join(cache, name);
  if (cached !== undefined && isOwnFolder(cached)) return cached;
  const made = join(temporary(), `.${name}`);
  rmSync(made, { recursive: true, force: true });
  await make(made);
  if (cached === undefined) return made;
  keep(made, cached);
  return isOwnFolder(cached) ? cached : made;
}

/** Under its name only when it is whole, as other processes take it from there. */
function keep(made: string, cached: string): void {
  try {
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
