import {
  closeSync,
  constants,
  copyFileSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The databases template1 and template0: nobody can connect to them, so that no server ever writes their files. */
const NEVER_WRITTEN = [join("base", "1"), join("base", "4")];
const LOG = "pg_wal";
const CHUNK_BYTES = 256 * 1024;

/**
 * Copies the folder of a database server that is not running. Of some 40 MB it writes what can differ: the template
 * databases are shared, and the zeros at the end of the log take no room.
 */
export function copyCluster(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  // A folder may be listed after what is in it, and is made once: there are a thousand files.
  const made = new Set([to]);
  const makeFolder = (folder: string): void => {
    if (made.has(folder)) return;
    mkdirSync(folder, { recursive: true });
    made.add(folder);
  };
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const folder = entry.parentPath.slice(from.length + 1);
    const [source, target] = [join(from, folder, entry.name), join(to, folder, entry.name)];
    if (entry.isDirectory()) makeFolder(target);
    else {
      makeFolder(dirname(target));
      if (NEVER_WRITTEN.includes(folder)) share(source, target);
      else if (folder === LOG) copyWithoutZeros(source, target);
      else copyFileSync(source, target);
    }
  }
}

/** Two names for one file; a copy where the folders lie on different disks, or the disk knows no second names. */
function share(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

function copyWithoutZeros(source: string, target: string): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const zeros = Buffer.alloc(CHUNK_BYTES);
  const input = openSync(source, "r");
  const output = openSync(target, "w", 0o600);
  try {
    let position = 0;
    for (;;) {
      const length = readSync(input, chunk, 0, CHUNK_BYTES, position);
      if (length === 0) break;
      if (chunk.compare(zeros, 0, length, 0, length) !== 0) writeSync(output, chunk, 0, length, position);
      position += length;
    }
    ftruncateSync(output, position);
  } finally {
    closeSync(input);
    closeSync(output);
  }
}
