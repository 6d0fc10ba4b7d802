import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { DATABASES_FOLDER } from "../../postgres/databases/database-folders";
import { RecordFile, tables } from "./record-file";

const FILE_NAME = "emulator.db";
/** Marks the file as an emulator's: "mgmt" in ASCII. */
const APPLICATION_ID = 0x6d676d74;
/** Raised when what is kept changes so that another version of the emulator would misread it. */
export const FORMAT_VERSION = 2;
/** SQLite's result codes. */
const BUSY = 5;
export const CORRUPT = 11;
export const NOT_A_DATABASE = 26;

/** A data folder that cannot be used; the message is all that the user needs to see. */
export class DataFolderError extends Error {}

/** Opens the file in `folder`, which is made when absent, and locks it against every other emulator. */
export function openRecordFile(folder: string): RecordFile {
  // Loaded here, as Node.js warns of it as an experiment.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const path = join(folder, FILE_NAME);
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // SQLite gives the files beside it the same mode.
    closeSync(openSync(path, "a", 0o600));
    database = new DatabaseSync(path);
    // The lock lasts as long as the process does, even one that is killed. A write survives that once it has returned.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    prepare(database, path);
    makePrivate(folder);
    return new RecordFile(database);
  } catch (error) {
    database?.close();
    throw error instanceof DataFolderError ? error : explained(error, folder, path);
  }
}

/** Tokens and passwords are in them, and a folder that a user made is open to others. */
function makePrivate(folder: string): void {
  const names = readdirSync(folder);
  // What holds other things as well is somebody else's to close.
  if (names.every((name) => name.startsWith(FILE_NAME) || name === DATABASES_FOLDER))
    chmodSync(folder, 0o700);
  for (const name of names) {
    if (name === DATABASES_FOLDER) chmodSync(join(folder, name), 0o700);
    else if (name.startsWith(FILE_NAME)) chmodSync(join(folder, name), 0o600);
  }
}

function prepare(database: DatabaseSync, path: string): void {
  const applicationId = numberFrom(database, "PRAGMA application_id");
  const isEmpty = numberFrom(database, "SELECT count(*) FROM sqlite_schema") === 0;
  if (isEmpty && applicationId === 0) {
    database.exec(
      `BEGIN; ${tables} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}; COMMIT`,
    );
    return;
  }
  const fault =
    applicationId === APPLICATION_ID
      ? faultOf(database, "use the older emulator, or an empty folder")
      : "is not an emulator's file";
  if (fault !== undefined) throw new DataFolderError(`${path} ${fault}`);
}

/** Why a file of one of the emulator's kinds cannot be read; undefined when it can. */
export function faultOf(database: DatabaseSync, adviceWhenOlder: string): string | undefined {
  const version = numberFrom(database, "PRAGMA user_version");
  if (version !== FORMAT_VERSION) {
    const advice = version > FORMAT_VERSION ? "use a newer emulator" : adviceWhenOlder;
    return `has format ${version}, and this emulator reads format ${FORMAT_VERSION}: ${advice}`;
  }
  const [fault] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
  return fault === "ok" ? undefined : `is damaged: ${String(fault)}`;
}

export function numberFrom(database: DatabaseSync, sql: string): number {
  const [value] = Object.values(database.prepare(sql).get() ?? {});
  return Number(value);
}

function explained(error: unknown, folder: string, path: string): DataFolderError {
  // Read by its fields: Node.js throws an `Error` of its own realm, and test runners have several.
  const { message = String(error), errcode } = error as { message?: string; errcode?: number };
  const cause = { cause: error };
  if (errcode === BUSY) return new DataFolderError(`${folder} is in use by another emulator`, cause);
  if (errcode === NOT_A_DATABASE) return new DataFolderError(`${path} is not an emulator's file`, cause);
  if (errcode === CORRUPT) return new DataFolderError(`${path} is damaged: ${message}`, cause);
  return new DataFolderError(`The data folder ${folder} cannot be used: ${message}`, cause);
}
