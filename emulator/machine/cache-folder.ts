import { homedir } from "node:os";
import { join } from "node:path";
import { makeOwnFolder } from "../../provider/core/own-folder";

/** The emulator's folder in the user's cache, from which code and databases are taken; undefined where another user could have put them there. */
export function cacheFolder(): string | undefined {
  const base = cacheBase();
  return base === undefined ? undefined : makeOwnFolder(join(base, "management-emulator"));
}

function cacheBase(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  try {
    return XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), ".cache");
  } catch {
    // The user of a container may have no home.
    return undefined;
  }
}
