import { execFileSync } from "node:child_process";
import { hasCode } from "./engine";
import { processParents, readStat, tryTo } from "./process-table";

/**
 * Kills a process with everything below it. A process group is not enough: the engine gives every
 * plugin a group of its own, and a plugin that outlives the engine would go on calling the service.
 */
export function killProcessTree(rootPid: number): void {
  if (process.platform === "win32") {
    tryTo(() => execFileSync("taskkill", ["/PID", String(rootPid), "/T", "/F"], { stdio: "ignore" }));
    return;
  }
  // Stopped processes start no children, so the list below is complete when the killing begins.
  const stopped = new Set<number>();
  for (
    let found = [rootPid];
    found.length > 0;
    found = descendants(rootPid).filter((pid) => !stopped.has(pid))
  ) {
    for (const pid of found) {
      stopped.add(pid);
      tryTo(() => process.kill(pid, "SIGSTOP"));
    }
  }
  for (const pid of stopped) tryTo(() => process.kill(pid, "SIGKILL"));
}

/** Every process below this one, nearest first. */
export function descendants(rootPid: number): number[] {
  const parents = processParents();
  const found = [rootPid];
  for (const parent of found) {
    for (const [pid, parentPid] of parents) if (parentPid === parent) found.push(pid);
  }
  return found.slice(1);
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !hasEnded(pid);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Where nobody collects orphans, as in a container without an init process, the ended ones stay visible. */
function hasEnded(pid: number): boolean {
  return readStat(pid)?.state === "Z";
}
