import { enableCompileCache, flushCompileCache } from "node:module";

// On import, before anything else is loaded: a later start then need not compile what an earlier one did.
enableCompileCache();

/** Writes the cache now: a process that is killed would not. */
export function saveCompileCache(): void {
  flushCompileCache();
}
