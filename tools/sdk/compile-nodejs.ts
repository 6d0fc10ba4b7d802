import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess } from "../engine/run-process";

const LONGEST_RUN_MS = 5 * 60_000;

/** Compiles a generated SDK with the compiler of this repository and returns the folder that is the npm package. */
export async function compileNodejsSdk(folder: string): Promise<string> {
  const compiler = require.resolve("typescript/bin/tsc");
  const result = await runProcess(process.execPath, [compiler, "-p", folder], { timeoutMs: LONGEST_RUN_MS });
  if (result.exitCode !== 0)
    throw new Error(`The nodejs SDK does not compile:\n${result.lastLines.join("\n")}`);
  const packageFolder = join(folder, "bin");
  copyFileSync(join(folder, "package.json"), join(packageFolder, "package.json"));
  return packageFolder;
}
