import { homedir } from "node:os";
import { join } from "node:path";
import { tryOrUndefined } from "../../spec/try-or-undefined";

/** The folder for state that outlives a run: `XDG_STATE_HOME`, else the platform's own; undefined where the user has no home. */
export function findStateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string | undefined {
  if (env["XDG_STATE_HOME"]) return join(env["XDG_STATE_HOME"], "pulumi-management");
  const home = findHome(env);
  if (platform === "win32") {
    const local = env["LOCALAPPDATA"] || home;
    return local === undefined ? undefined : join(local, "pulumi-management", "state");
  }
  if (home === undefined) return undefined;
  return platform === "darwin"
    ? join(home, "Library", "Application Support", "pulumi-management")
    : join(home, ".local", "state", "pulumi-management");
}

/** A container's user may have neither a `HOME` nor an entry among the machine's users. */
export function findHome(env: NodeJS.ProcessEnv): string | undefined {
  return tryOrUndefined(() => env["HOME"] || homedir());
}
