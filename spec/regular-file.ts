import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, type Stats } from "node:fs";

/** A folder; or a FIFO, a socket or a device, of which a read may never end. */
class IrregularFileError extends Error {
  constructor(
    path: string,
    readonly code: string,
  ) {
    super(`${path} is ${code}`);
  }
}

/** Throws where there is something else, or nothing. */
export function requireRegularFile(path: string): void {
  requireRegular(statSync(path), path);
}

/** The text of a file that a person or another program named; links are followed, nothing but a regular file is read. */
export function readTextFile(path: string): string {
  requireRegularFile(path);
  // Something else may be in its place by now: opening it must not wait for a writer.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    requireRegular(fstatSync(descriptor), path);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function requireRegular(found: Stats, path: string): void {
  if (found.isDirectory()) throw new IrregularFileError(path, "a folder, not a file");
  if (!found.isFile()) throw new IrregularFileError(path, "not a regular file");
}
