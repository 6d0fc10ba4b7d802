import type { CallRecord } from "../call-log";
import { DataFolderError } from "./data-folder-error";
import type { World } from "../world";
import { addNewFields, recordsOf, rememberedFrom, type Kept, type Remembered } from "./kept-records";
import { openRecordFile } from "./open-record-file";
import type { Changes, PackedRecord, RecordFile } from "./record-file";

/** A folder that keeps an emulator over a restart, and over the sudden death of its process. */
export class DataFolder {
  /** What was kept when the folder was opened; undefined in a new one. */
  readonly remembered: Remembered | undefined;
  readonly rememberedCalls: CallRecord[];
  private saved: Map<string, PackedRecord>;
  private savedState: object | undefined;
  private savedCalls: { readonly list: readonly CallRecord[]; readonly count: number } | undefined;

  private constructor(private readonly file: RecordFile) {
    const records = file.records();
    this.remembered = rememberedFrom(records);
    this.rememberedCalls = file.calls();
    this.saved = new Map(records.map((record) => [idOf(record), record]));
    file.forgetUnusedBytes();
  }

  static open(folder: string): DataFolder {
    const file = openRecordFile(folder);
    try {
      return new DataFolder(file);
    } catch (error) {
      file.close();
      // As in `openRecordFile`.
      const { message = String(error) } = error as { message?: string };
      throw new DataFolderError(`The data in ${folder} is damaged: ${message}`, { cause: error });
    }
  }

  /** Writes what has changed since the last time; once it returns, even a kill does not undo it. */
  save(kept: Kept): void {
    const { state } = kept.world;
    const startsAnew = this.savedState !== undefined && this.savedState !== state;
    const before = startsAnew ? new Map<string, PackedRecord>() : this.saved;
    const now = new Map<string, PackedRecord>();
    for (const { collection, key, value } of recordsOf(kept)) {
      const record = { collection, key, packed: this.file.pack(value) };
      now.set(idOf(record), record);
    }
    const calls = this.newCalls(kept);
    const changes: Changes = {
      startsAnew,
      written: [...now].filter(([id, { packed }]) => before.get(id)?.packed !== packed).map(last),
      removed: [...before].filter(([id]) => !now.has(id)).map(last),
      ...calls,
    };
    const isChanged = startsAnew || calls.forgetsCalls || changes.written.length > 0;
    if (isChanged || changes.removed.length > 0 || calls.calls.length > 0) this.file.write(changes);
    this.saved = now;
    this.savedState = state;
    const list = kept.log.all();
    this.savedCalls = { list, count: list.length };
  }

  /** Gives what an older emulator kept the fields that were added since. */
  addNewFields(world: World): void {
    addNewFields(world);
  }

  close(): void {
    this.file.close();
  }

  /** The log only grows at its end, or begins anew with another list. */
  private newCalls({ log }: Kept): Pick<Changes, "forgetsCalls" | "calls"> {
    const list = log.all();
    if (this.savedCalls === undefined) {
      return { forgetsCalls: false, calls: list.slice(this.rememberedCalls.length) };
    }
    const forgetsCalls = this.savedCalls.list !== list;
    return { forgetsCalls, calls: list.slice(forgetsCalls ? 0 : this.savedCalls.count) };
  }
}

function idOf({ collection, key }: PackedRecord): string {
  return `${collection} ${key}`;
}

function last<T>([, value]: readonly [string, T]): T {
  return value;
}
