import { accessSync, constants, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder for small files that are written and removed by the thousands: in memory where the machine has a disk there. */
export function temporaryFolder(prefix: string): string {
  return mkdtempSync(join(isWritable("/dev/shm") ? "/dev/shm" : tmpdir(), prefix));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
