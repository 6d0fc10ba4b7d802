import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { z } from "zod";
import { closeFolder, isOwned } from "../core/own-folder";
import { defineProblem } from "../client/errors/problem";
import { tryOrUndefined } from "../../spec/try-or-undefined";

const DAY_MS = 24 * 60 * 60_000;

/** What can go wrong with what the provider keeps beside the state. */
export const stateProblems = {
  foreignFolder: defineProblem({
    says: "The folder {folder} belongs to another user, who could decide which objects this run takes for its own. Nothing was sent. {remedy}",
    means:
      "The provider keeps its ledger in your user's state folder, and another user has made that folder.",
    remedy: "Set XDG_STATE_HOME to a folder that belongs to you",
  }),
};

/** JSON files of one folder, readable by the user alone. Every method throws what the file system throws. */
export interface DurableFiles<T> {
  /** All by their names; half-written ones are none. */
  load(): Map<string, T>;
  /** Undefined where it is not there, or is none of these. */
  read(name: string): T | undefined;
  /** Writes the whole file or, where the process dies meanwhile, nothing. Once it has returned, a loss of power takes nothing back. */
  write(name: string, content: T): void;
  remove(name: string): void;
  /** For what others put beside the files. */
  makeFolder(): void;
}

/** `content` reads what `JSON.stringify` makes of it. */
export function openDurableFiles<T>(folder: string, content: z.ZodType<T>): DurableFiles<T> {
  const read = (name: string): T | undefined =>
    tryOrUndefined(() => content.parse(JSON.parse(readOwn(join(folder, name)))));
  const makeFolder = (): void => {
    requireOwn(folder);
    makeFolders(folder);
  };
  return {
    load: () => {
      const files = new Map<string, T>();
      for (const name of listNames(folder)) {
        const found = name.endsWith(".json") ? read(name) : undefined;
        if (found === undefined) removeWreck(join(folder, name));
        else files.set(name, found);
      }
      return files;
    },
    read,
    write: (name, value) => {
      makeFolder();
      const draft = join(folder, `${name}.${randomUUID()}.draft`);
      try {
        writeFileSync(draft, JSON.stringify(value), { mode: 0o600, flush: true });
        renameSync(draft, join(folder, name));
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
      syncFolder(folder);
    },
    remove: (name) => rmSync(join(folder, name), { force: true }),
    makeFolder,
  };
}

/** What the product itself makes in the folder for state that the user names. */
const PRODUCT_FOLDER = "pulumi-management";

/** A folder of state that another user has: what is in it cannot be believed. */
export class ForeignFolderError extends Error {}

/** Closes a folder, and those of the product's own that it is in, to everybody else. Throws where one is another user's. */
export function requireOwn(folder: string): void {
  for (const each of listOwnParts(folder)) {
    if (closeFolder(each)) continue;
    throw new ForeignFolderError(stateProblems.foreignFolder.message({ folder: each }));
  }
}

function listOwnParts(folder: string): string[] {
  const parts = [folder];
  for (let at = folder; basename(at) !== PRODUCT_FOLDER; parts.push(at)) {
    if (dirname(at) === at) return [folder];
    at = dirname(at);
  }
  return parts;
}

/** Another user may have put a file there before the folder was closed. */
function readOwn(path: string): string {
  const file = openSync(path, "r");
  try {
    if (!isOwned(fstatSync(file))) throw new Error(`${path} is another user's`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** A new folder is there after a loss of power if the one that it is in was written. */
function makeFolders(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

/** Not every file system can: Windows opens no folder, and writes their entries by itself. */
function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!["EACCES", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"].includes(errorCode(error))) throw error;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** By its member: errors of Node's modules are of another realm's class inside jest. */
function errorCode(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** What a killed process left half-written; another process may be writing now. */
function removeWreck(file: string): void {
  try {
    if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file, { force: true });
  } catch {
    // Its writer was faster.
  }
}
