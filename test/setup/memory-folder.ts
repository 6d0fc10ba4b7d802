import { mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** The file system in memory that Linux programs share. */
const SHARED_MEMORY = "/dev/shm";
const PREFIX = "management-tests-";
const NEEDED_BYTES = 2 ** 31;

/**
 * A folder in memory for this process, which goes when it ends; undefined where there is no room for one. A database is a
 * thousand files that live for a second: on a disk, their copying and removing takes several times as long as in memory.
 */
export function makeMemoryFolder({ root = SHARED_MEMORY, neededBytes = NEEDED_BYTES } = {}):
  string | undefined {
  try {
    removeLeftovers(root);
    const { bavail, bsize } = statfsSync(root);
    if (bavail * bsize < neededBytes) return undefined;
    const folder = join(root, `${PREFIX}${process.pid}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
}

/** What a process that was killed left in memory. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
