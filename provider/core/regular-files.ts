import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readdirSync } from "node:fs";
import { readFileSync, realpathSync, statSync, type Dirent, type Stats } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/** Of each file, and of all files of a function together. */
export const MOST_BYTES = 20 * 1024 * 1024;

/** A file or folder that is not read; `why` goes on with a sentence about it, as "does not exist". */
export class UnreadableFile extends Error {
  constructor(
    path: string,
    readonly why: string,
  ) {
    super(`${path} ${why}.`);
  }
}

export class LargeFile extends UnreadableFile {}

/** Reads a regular file whose real path lies in one of the folders, themselves real paths. Nothing else is opened. */
export function readFileWithin(path: string, folders: readonly string[]): Buffer<ArrayBuffer> {
  const real = resolveRealPath(path);
  if (!folders.some((folder) => isInside(folder, real))) {
    const how = real === path ? "lies" : `leads to ${real},`;
    throw new UnreadableFile(path, `${how} outside of ${folders.join(" and ")}`);
  }
  return failIfUnreadable(path, () => readThrough(path, real));
}

/** Reads a file that a program names: a link to it must stay within its folder or the repository. */
export function readNamedFile(file: string): Buffer<ArrayBuffer> {
  const path = resolve(file);
  const folder = resolveRealPath(dirname(path));
  return readFileWithin(path, [folder, findRepository(folder)]);
}

/** The real path of a folder. */
export function resolveRealFolder(path: string): string {
  const real = resolveRealPath(path);
  if (!lstatSync(real).isDirectory()) throw new UnreadableFile(path, "is not a folder");
  return real;
}

export function readEntries(folder: string): Dirent[] {
  return failIfUnreadable(folder, () => readdirSync(folder, { withFileTypes: true }));
}

/** The real path of the git work tree that holds a folder, or the program's folder where there is none. */
export function findRepository(realFolder: string): string {
  return findWorkTree(realFolder) ?? resolveRealPath(resolve("."));
}

export function findWorkTree(realFolder: string): string | undefined {
  for (let at = realFolder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** What is at a path, behind links too; undefined where nothing can be seen. */
export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export function resolveRealPath(path: string): string {
  return failIfUnreadable(path, () => realpathSync.native(path));
}

export function isInside(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Another process may put something else in its place: what is read is what was opened. */
function readThrough(path: string, real: string): Buffer<ArrayBuffer> {
  const found = lstatSync(real);
  if (found.isDirectory()) throw new UnreadableFile(path, "is a folder, not a file");
  if (!found.isFile()) throw new UnreadableFile(path, "is not a regular file");
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const opened = fstatSync(descriptor);
    if (!opened.isFile() || opened.ino !== found.ino || opened.dev !== found.dev)
      throw new UnreadableFile(path, "was replaced while it was being read");
    if (opened.size > MOST_BYTES) throw new LargeFile(path, "is larger than 20 MiB");
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function failIfUnreadable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new UnreadableFile(path, "does not exist");
    if (code === "ENOTDIR") throw new UnreadableFile(path, "is not a folder");
    throw new UnreadableFile(path, `cannot be read (${String(error)})`);
  }
}
