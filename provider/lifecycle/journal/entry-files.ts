import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../attempt";
import { entrySchema, type Entry } from "./entry";

const SUFFIX = ".json";
const DAY_MS = 24 * 60 * 60_000;

/** The entries of one stack as they outlive the process. Every method throws what the file system throws. */
export interface EntryFiles {
  /** All entries by their names; half-written ones are none. */
  load(): Map<string, Entry>;
  read(name: string): Entry | undefined;
  /** Writes the whole entry or, where the process dies meanwhile, nothing. */
  write(name: string, entry: Entry): void;
  remove(name: string): void;
}

/** One file for each entry, in a folder for each stack: a run pays for what its own stack left behind, and no more. */
export function entryFiles(directory: string): EntryFiles {
  const read = (name: string): Entry | undefined =>
    attempt(() => entrySchema.parse(JSON.parse(readFileSync(join(directory, name), "utf8"))));
  return {
    load: () => {
      const entries = new Map<string, Entry>();
      for (const name of namesIn(directory)) {
        const entry = name.endsWith(SUFFIX) ? read(name) : undefined;
        if (entry === undefined) removeWreck(join(directory, name));
        else entries.set(name, entry);
      }
      return entries;
    },
    read,
    write: (name, entry) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const draft = join(directory, `${name}.draft`);
      try {
        writeFileSync(draft, JSON.stringify(entry), { mode: 0o600 });
        renameSync(draft, join(directory, name));
      } catch (error) {
        rmSync(draft, { force: true });
        throw error;
      }
    },
    remove: (name) => rmSync(join(directory, name), { force: true }),
  };
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // Told by its member: errors of Node's modules are of another realm's class inside jest.
    if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** What a killed process left half-written; another process may be writing now. */
function removeWreck(file: string): void {
  try {
    if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file, { force: true });
  } catch {
    // Its writer was faster.
  }
}

/** The name of a new entry's file. */
export function entryName(token: string, count: number): string {
  return `${token}-${count}${SUFFIX}`;
}
