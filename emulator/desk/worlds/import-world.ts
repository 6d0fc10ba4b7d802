import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DATABASES_FOLDER } from "../../postgres/databases/database-folders";
import { openRecordFile } from "./open-record-file";
import type { CallRecord } from "../../service/world/call-record";
import { partialPath } from "./partial-path";
import type { StoredRecord } from "./record-file";
import { WorldFile, WorldFileError } from "./world-file";

/** Makes a new data folder of an exported world: it is there when it is whole, and otherwise all is as it was. */
export function importWorld(file: string, dataFolder: string): void {
  const target = resolve(dataFolder);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new WorldFileError(`${dataFolder} is not empty: import the world into a new folder`);
  }
  const world = WorldFile.open(file);
  const partial = partialPath(target);
  try {
    // All of it is read before anything is placed.
    const content = { stored: world.stored(), calls: world.calls() };
    fillFolder(partial, world, content);
    // Not every system renames over an empty folder.
    if (existsSync(target)) rmdirSync(target);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (error instanceof WorldFileError) throw error;
    const { message = String(error) } = error as { message?: string };
    throw new WorldFileError(`The world cannot be imported into ${dataFolder}: ${message}`, { cause: error });
  } finally {
    world.close();
  }
}

function fillFolder(
  folder: string,
  world: WorldFile,
  { stored, calls }: { readonly stored: readonly StoredRecord[]; readonly calls: readonly CallRecord[] },
): void {
  const file = openRecordFile(folder);
  try {
    const written = stored.map(({ collection, key, value }) => ({
      collection,
      key,
      packed: file.pack(value),
    }));
    file.write({ startsAnew: true, written, removed: [], forgetsCalls: false, calls, keptCalls: undefined });
  } finally {
    file.close();
  }
  if (world.refs.length === 0) return;
  const databases = join(folder, DATABASES_FOLDER);
  mkdirSync(databases, { mode: 0o700 });
  for (const ref of world.refs) world.fill(ref, join(databases, ref));
}
