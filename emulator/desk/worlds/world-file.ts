import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { CallRecord } from "../../service/world/call-record";
import type { Databases } from "../../postgres/databases/databases";
import { FileArchive, REFERENCE, archiveTables } from "./file-archive";
import { CORRUPT, FORMAT_VERSION, NOT_A_DATABASE, faultOf, numberFrom } from "./open-record-file";
import { partialPath } from "./partial-path";
import { type PackedRecord, RecordFile, type StoredRecord, tables } from "./record-file";
import type { World } from "../../service/world/world";
import {
  addNewFields,
  type DurableParts,
  EXPORTED,
  recordsOf,
  type RestoredParts,
  restoredFrom,
} from "./stored-records";
import { requireRegularFile } from "../../../spec/regular-file";

/** Marks the file as an exported world: "mgmw" in ASCII. */
const APPLICATION_ID = 0x6d676d77;
/** Of the servers that run the databases, and can open their files. */
export const POSTGRES_VERSION = "18";

/** A file that cannot be written as an exported world, or read as one; the message is all that the user needs to see. */
export class WorldFileError extends Error {}

function writeRecords(file: RecordFile, kept: DurableParts): void {
  const { world, log } = kept;
  const written: PackedRecord[] = [];
  for (const record of [...recordsOf(kept, false), { ...EXPORTED, value: world.clock.now() }]) {
    if ("isRemoved" in record) continue;
    const { collection, key, value } = record;
    written.push({ collection, key, packed: file.pack(value) });
  }
  file.write({
    startsAnew: true,
    written,
    removed: [],
    forgetsCalls: false,
    calls: log.list(),
    keptCalls: undefined,
  });
}

/** An exported world, which stays as it is. */
export class WorldFile {
  private constructor(
    readonly path: string,
    private readonly database: DatabaseSync,
    private readonly records: RecordFile,
    private readonly archive: FileArchive,
  ) {}

  /**
   * Writes all that outlives an emulator into one file, as it is after all that was answered so far. The file has its name only
   * once it is whole.
   */
  static async write(path: string, kept: DurableParts, databases: Databases): Promise<void> {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const target = resolve(path);
    const partial = partialPath(target);
    let database: DatabaseSync | undefined;
    try {
      // Tokens and passwords are in it.
      closeSync(openSync(partial, "wx", 0o600));
      database = new DatabaseSync(partial);
      database.exec(
        `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; ${tables} ${archiveTables}
         PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}; COMMIT`,
      );
      const archive = new FileArchive(database);
      // Both at one moment: what is asked of the databases from now on comes after their visit.
      const visited = databases.visit((ref, folder) => archive.add(ref, folder));
      writeRecords(new RecordFile(database), kept);
      await visited;
      database.close();
      database = undefined;
      flush(partial);
      renameSync(partial, target);
    } catch (error) {
      database?.close();
      rmSync(partial, { force: true });
      const { message = String(error) } = error as { message?: string };
      throw new WorldFileError(`The world cannot be exported to ${path}: ${message}`, { cause: error });
    }
  }

  static open(path: string): WorldFile {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    let database: DatabaseSync | undefined;
    try {
      requireRegularFile(path);
      database = new DatabaseSync(path, { readOnly: true });
      const isWorld = numberFrom(database, "PRAGMA application_id") === APPLICATION_ID;
      const fault = isWorld
        ? faultOf(database, "use the emulator that exported it")
        : "is not an exported world";
      if (fault !== undefined) throw new WorldFileError(`${path} ${fault}`);
      const file = new WorldFile(path, database, new RecordFile(database), new FileArchive(database));
      file.requireWhole();
      file.requirePostgres();
      return file;
    } catch (error) {
      database?.close();
      throw error instanceof WorldFileError ? error : explained(error, path);
    }
  }

  /** The emulator as it was, anew with each call. */
  restored(): RestoredParts {
    return this.read().restored;
  }

  stored(): readonly StoredRecord[] {
    return this.read().stored;
  }

  /** Gives what an older emulator exported the fields that were added since. */
  addNewFields(world: World): void {
    addNewFields(world);
  }

  calls(): CallRecord[] {
    return this.records.calls();
  }

  /** The projects that have a database here. */
  get refs(): readonly string[] {
    return this.archive.names();
  }

  /** Writes the files of a database into a folder, which it makes. */
  fill(ref: string, folder: string): void {
    try {
      this.archive.extract(ref, folder);
    } catch (error) {
      throw explained(error, this.path);
    }
  }

  close(): void {
    this.database.close();
  }

  private read(): { readonly stored: readonly StoredRecord[]; readonly restored: RestoredParts } {
    try {
      const stored = this.records.records();
      const restored = restoredFrom(stored);
      if (restored === undefined) throw new WorldFileError(`${this.path} is damaged: it has no records`);
      for (const ref of [...restored.usedRefs, ...restored.state.projects.keys()]) {
        if (!REFERENCE.test(ref))
          throw damaged(new Error(`it names a project ${JSON.stringify(ref)}`), this.path);
      }
      return { stored, restored };
    } catch (error) {
      throw explained(error, this.path);
    }
  }

  private requireWhole(): void {
    try {
      this.archive.check();
    } catch (error) {
      throw damaged(error, this.path);
    }
  }

  private requirePostgres(): void {
    for (const ref of this.refs) {
      const version = this.archive.text(ref, "PG_VERSION").trim();
      if (version === POSTGRES_VERSION) continue;
      throw new WorldFileError(
        `${this.path} has databases of Postgres ${version}, and this emulator runs Postgres ${POSTGRES_VERSION}: ` +
          "use the emulator that exported it",
      );
    }
  }
}

function damaged(error: unknown, path: string): WorldFileError {
  const { message = String(error) } = error as { message?: string };
  return new WorldFileError(`${path} is damaged: ${message}`, { cause: error });
}

function explained(error: unknown, path: string): WorldFileError {
  if (error instanceof WorldFileError) return error;
  // As in `openRecordFile`.
  const { message = String(error), errcode } = error as { message?: string; errcode?: number };
  const cause = { cause: error };
  if (errcode === NOT_A_DATABASE) return new WorldFileError(`${path} is not an exported world`, cause);
  if (errcode === CORRUPT) return new WorldFileError(`${path} is damaged: ${message}`, cause);
  return new WorldFileError(`The world ${path} cannot be read: ${message}`, cause);
}

function flush(path: string): void {
  // The umask may have been changed by the program that runs the emulator.
  chmodSync(path, 0o600);
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
