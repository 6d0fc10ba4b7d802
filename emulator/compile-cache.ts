import * as nodeModule from "node:module";

// On import, before anything else is loaded: a later start then need not compile what an earlier one did.
if ("enableCompileCache" in nodeModule) nodeModule.enableCompileCache();

/** Writes the cache now: a process that is killed would not. Node.js has it from 22.10 on. */
export function keepCompiled(): void {
  if ("flushCompileCache" in nodeModule) nodeModule.flushCompileCache();
}
