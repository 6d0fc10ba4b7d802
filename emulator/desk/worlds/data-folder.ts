import type { CallRecord } from "../../service/world/call-record";
import type { StateStore } from "../../service/world/state-store";
import type { WorldState } from "../../service/world/state";
import type { World } from "../../service/world/world";
import {
  addNewFields,
  recordsOf,
  restoredFrom,
  markClean,
  tracked,
  type DurableParts,
  type RestoredParts,
} from "./stored-records";
import { DataFolderError, openRecordFile } from "./open-record-file";
import type { Changes, PackedRecord, RecordFile } from "./record-file";

/** A folder that keeps an emulator over a restart, and over the sudden death of its process. */
export class DataFolder {
  /** What was kept when the folder was opened; undefined in a new one. */
  readonly restored: RestoredParts | undefined;
  readonly restoredCalls: CallRecord[];
  private saved: Map<string, PackedRecord>;
  private isAllDirty = true;
  private savedState: object | undefined;
  /** How many calls had ended, and how many of them were forgotten on purpose, when they were saved last. */
  private savedCalls: { readonly logged: number; readonly cleared: number };

  private constructor(private readonly file: RecordFile) {
    const records = file.records();
    this.restored = restoredFrom(records);
    this.restoredCalls = file.calls();
    this.savedCalls = { logged: this.restoredCalls.length, cleared: 0 };
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

  storeOf(kept: DurableParts): StateStore {
    return { save: () => this.save(kept), markAllDirty: () => (this.isAllDirty = true) };
  }

  /** A state of which every change is noticed. */
  tracked(state: WorldState): WorldState {
    return tracked(state);
  }

  /** Gives what an older emulator kept the fields that were added since. */
  addNewFields(world: World): void {
    addNewFields(world);
  }

  close(): void {
    this.file.close();
  }

  /** Once it returns, even a kill does not undo what it has written. */
  private save(kept: DurableParts): void {
    const { state } = kept.world;
    const startsAnew = this.savedState !== undefined && this.savedState !== state;
    if (startsAnew) this.saved = new Map();
    const comparesAll = startsAnew || this.isAllDirty;
    const { written, removed } = this.compare(kept, comparesAll);
    const { forgetsCalls, calls, keptCalls } = this.newCalls(kept);
    if (startsAnew || forgetsCalls || written.length + removed.length + calls.length > 0) {
      this.file.write({ startsAnew, written, removed, forgetsCalls, calls, keptCalls });
    }
    for (const record of removed) this.saved.delete(idOf(record));
    for (const record of written) this.saved.set(idOf(record), record);
    this.isAllDirty = false;
    markClean(state);
    this.savedState = state;
    const { logged, cleared } = kept.log;
    this.savedCalls = { logged, cleared };
  }

  private compare(kept: DurableParts, comparesAll: boolean): Pick<Changes, "written" | "removed"> {
    const written: PackedRecord[] = [];
    const removed = new Map(comparesAll ? this.saved : []);
    for (const record of recordsOf(kept, !comparesAll)) {
      const id = idOf(record);
      const before = this.saved.get(id);
      if ("isRemoved" in record) {
        if (before !== undefined) removed.set(id, before);
        continue;
      }
      removed.delete(id);
      const packed = this.file.pack(record.value);
      if (before?.packed !== packed) written.push({ collection: record.collection, key: record.key, packed });
    }
    return { written, removed: [...removed.values()] };
  }

  private newCalls({ log }: DurableParts): Pick<Changes, "forgetsCalls" | "calls" | "keptCalls"> {
    const { logged, cleared } = this.savedCalls;
    return {
      forgetsCalls: log.cleared !== cleared,
      calls: log.after(logged),
      keptCalls: log.isIncomplete ? log.size : undefined,
    };
  }
}

function idOf({ collection, key }: Pick<PackedRecord, "collection" | "key">): string {
  return `${collection} ${key}`;
}
