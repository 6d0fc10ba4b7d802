import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { cacheFolder } from "./machine/cache-folder";

// On import, before anything else is loaded: a later start then need not compile what an earlier one did. Node's own default
// is a folder that any user of the machine can make first.
const folder = cacheFolder();
if (folder !== undefined) enableCompileCache(join(folder, "compile-cache"));

/** Writes the cache now: a process that is killed would not. */
export function saveCompileCache(): void {
  if (folder !== undefined) flushCompileCache();
}
