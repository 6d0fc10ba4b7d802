import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { DYNAMIC_PROVIDER } from "./engine";
import type { ModuleFile } from "./module-file";
import { candidates } from "./path-lookup";

/** The program that serves dynamic providers, as the engine's own release ships it; what is built from Go modules lacks it. */
export const LAUNCHER: ModuleFile = {
  module: "github.com/pulumi/pulumi/sdk/v3",
  path: `nodejs/dist/${DYNAMIC_PROVIDER}${process.platform === "win32" ? ".cmd" : ""}`,
};

/** Only in the launcher that earlier versions of this package wrote, which ended with its engine as no user's does. */
const MARK_OF_OURS = "const engine = process.ppid";

export function isLauncherOfOurs(file: string): boolean {
  // Programs are large: only what may be the launcher is read.
  return candidates(DYNAMIC_PROVIDER).includes(basename(file)) && contains(file, MARK_OF_OURS);
}

function contains(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(text);
  } catch {
    return false;
  }
}
