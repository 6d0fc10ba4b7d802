import { chmodSync, lstatSync, mkdirSync, type Stats } from "node:fs";

/**
 * The user's own folder for what is run or believed unchecked, made where there is none: undefined where another user has it or may
 * write to it, or nobody can make it.
 */
export function makeOwnFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return isOwnFolder(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Whether nobody but the user may write to a folder that is there. */
export function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && isOwned(found) && (!hasModes() || (found.mode & 0o022) === 0);
}

/** Closes a folder that is there to everybody but the user; false where it is another user's. A link counts as what it is itself. */
export function closeFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (!isOwned(found)) return false;
  if (hasModes() && found.isDirectory() && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return true;
}

/** Whether what was found is the user's. */
export function isOwned({ uid }: Pick<Stats, "uid">): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Windows has neither owners nor modes here: its folders are in the user's profile. */
function hasModes(): boolean {
  return process.getuid !== undefined;
}
