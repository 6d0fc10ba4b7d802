import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "../../../tools/engine/engine";

/** Runs a file of lines as both forges do, up to the first that fails. */
export function runLines(
  file: string,
  options: { readonly cwd: string; readonly env: Environment },
): Promise<{ code: number; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let log = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (log += String(data)));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, log }));
  });
}

/** A commit or a branch in an empty folder. */
export async function checkOut(remote: string, ref: string, folder: string): Promise<void> {
  const git = (...args: string[]) => promisify(execFile)("git", args, { cwd: folder });
  await git("init", "--quiet");
  await git("fetch", "--quiet", "--depth", "1", remote, ref);
  await git("checkout", "--quiet", "FETCH_HEAD");
}
