import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { resolve } from "node:path";

const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** Windows has no such flag. */
const O_NOFOLLOW = process.platform === "win32" ? 0 : constants.O_NOFOLLOW;

/**
 * Writes a file that nobody but its user can read, in place of the former one as a whole: neither its mode nor a link counts.
 * What is no file, as `/dev/stdout`, is written to as it is.
 */
export function writeOwnFile(file: string, text: string): void {
  if (isDevice(file)) return writeFileSync(file, text);
  const fresh = `${file}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Appends to a file that nobody but its user can read. It follows no link, and writes to no file of another user. */
export function appendOwnFile(file: string, text: string): void {
  if (isDevice(file)) return writeFileSync(file, text, { flag: "a" });
  const opened = openSync(file, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    const { uid, mode } = fstatSync(opened);
    if (process.getuid !== undefined) {
      if (uid !== process.getuid()) throw new Error("it belongs to another user");
      if ((mode & 0o077) !== 0) fchmodSync(opened, 0o600);
    }
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

/** A pipe, a terminal, or one of the links by which a process names its own streams. */
function isDevice(file: string): boolean {
  if (/^\/(?:dev\/(?:std(?:in|out|err)$|fd\/)|proc\/)/.test(resolve(file))) return true;
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
