import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { tryOrUndefined } from "../lifecycle/try-or-undefined";
import { stateFolder } from "../process/state-folder";

/** By then a plugin that serves a step has loaded what it needs; the engine may end it without a chance to write. */
const FLUSH_AFTER_MS = 1000;

const folder = ownFolder();
if (folder !== undefined) {
  enableCompileCache(folder);
  setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be compiled before the cache is enabled
require("./main");

/**
 * The user's own folder for compiled code, which Node.js runs unchecked: undefined where another user could write to it, or
 * nobody can.
 */
function ownFolder(): string | undefined {
  const state = stateFolder();
  if (state === undefined) return undefined;
  const path = join(state, "compile-cache");
  return tryOrUndefined(() => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const found = lstatSync(path);
    // Windows has neither owners nor modes here; the folder is in the user's profile.
    const isOwn =
      process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
    return isOwn && found.isDirectory() ? path : undefined;
  });
}
