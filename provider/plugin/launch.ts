import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { makeOwnFolder } from "../core/own-folder";
import { findStateFolder } from "../core/state-folder";

/** By then a plugin that serves a step has loaded what it needs; the engine may end it without a chance to write. */
const FLUSH_AFTER_MS = 1000;

const state = findStateFolder();
const folder = state === undefined ? undefined : makeOwnFolder(join(state, "compile-cache"));
if (folder !== undefined) {
  enableCompileCache(folder);
  setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
}

// oxlint-disable-next-line typescript/no-require-imports -- an import would be compiled before the cache is enabled
require("./main");
