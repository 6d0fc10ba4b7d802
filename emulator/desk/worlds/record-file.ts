import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CallRecord } from "../../service/world/call-record";
import { ByteStore, pack, unpack } from "./pack";

/** One value that is kept: of which collection, and under which key. */
export interface StoredRecord {
  readonly collection: string;
  readonly key: string;
  readonly value: unknown;
}

/** The same as text, which is equal when the values are. */
export interface PackedRecord {
  readonly collection: string;
  readonly key: string;
  readonly packed: string;
}

export interface Changes {
  /** Whether all records of before are thrown away first. */
  readonly startsAnew: boolean;
  readonly written: readonly PackedRecord[];
  readonly removed: readonly PackedRecord[];
  /** Whether all calls of before are thrown away first. */
  readonly forgetsCalls: boolean;
  readonly calls: readonly CallRecord[];
  /** How many of the newest calls are kept; undefined for all. */
  readonly keptCalls: number | undefined;
}

export const tables = `
  CREATE TABLE records (
    position INTEGER PRIMARY KEY, collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    UNIQUE (collection, key)
  );
  CREATE TABLE bytes (id TEXT PRIMARY KEY, content BLOB NOT NULL);
  CREATE TABLE calls (sequence INTEGER PRIMARY KEY, value TEXT NOT NULL);
`;

/** The records in a database file, each packed; every write is one transaction. */
export class RecordFile {
  private readonly bytes: ByteStore;
  private readonly putRecord: StatementSync;
  private readonly deleteRecord: StatementSync;
  private readonly putCall: StatementSync;
  private readonly deleteOldCalls: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.putRecord = database.prepare(
      "INSERT INTO records (collection, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    );
    this.deleteRecord = database.prepare("DELETE FROM records WHERE collection = ? AND key = ?");
    this.putCall = database.prepare("INSERT OR REPLACE INTO calls (sequence, value) VALUES (?, ?)");
    this.deleteOldCalls = database.prepare(
      "DELETE FROM calls WHERE sequence <= (SELECT max(sequence) FROM calls) - ?",
    );
    const putBytes = database.prepare("INSERT OR IGNORE INTO bytes (id, content) VALUES (?, ?)");
    const getBytes = database.prepare("SELECT content FROM bytes WHERE id = ?");
    this.bytes = new ByteStore(
      // On its own, before the record that needs it: a record never lacks its bytes.
      (id, content) => void putBytes.run(id, content),
      (id) => {
        // The column's type is the table's.
        const row = getBytes.get(id) as { content: Uint8Array } | undefined;
        if (row === undefined) throw new Error(`the bytes ${id} are missing`);
        return Uint8Array.from(row.content);
      },
    );
  }

  pack(value: unknown): string {
    return pack(value, this.bytes);
  }

  /** In the order in which they were first written. */
  records(): (StoredRecord & PackedRecord)[] {
    const rows = this.database
      .prepare("SELECT collection, key, value AS packed FROM records ORDER BY position")
      .all();
    // The columns' types are the table's.
    return (rows as unknown as PackedRecord[]).map((record) => {
      try {
        return { ...record, value: unpack(record.packed, this.bytes) };
      } catch (error) {
        throw new Error(`${record.collection} ${record.key} cannot be read`, { cause: error });
      }
    });
  }

  /** In the order in which they came in. */
  calls(): CallRecord[] {
    const rows = this.database.prepare("SELECT value FROM calls ORDER BY sequence").all();
    // As above; what was written is a call record.
    return (rows as { value: string }[]).map(({ value }) => JSON.parse(value) as CallRecord);
  }

  write({ startsAnew, written, removed, forgetsCalls, calls, keptCalls }: Changes): void {
    this.inTransaction(() => {
      if (startsAnew) this.database.exec("DELETE FROM records");
      for (const { collection, key } of removed) this.deleteRecord.run(collection, key);
      for (const { collection, key, packed } of written) this.putRecord.run(collection, key, packed);
      if (forgetsCalls) this.database.exec("DELETE FROM calls");
      for (const call of calls) this.putCall.run(call.sequence, JSON.stringify(call));
      if (keptCalls !== undefined) this.deleteOldCalls.run(keptCalls);
    });
  }

  /** Throws away the bytes that none of the records holds: to be called after `records`. */
  forgetUnusedBytes(): void {
    const remove = this.database.prepare("DELETE FROM bytes WHERE id = ?");
    // As above.
    for (const { id } of this.database.prepare("SELECT id FROM bytes").all() as { id: string }[]) {
      if (!this.bytes.isUsed(id)) remove.run(id);
    }
  }

  close(): void {
    this.database.close();
  }

  private inTransaction(work: () => void): void {
    this.database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.database.exec("COMMIT");
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Some faults have ended the transaction already. */
  private rollBack(): void {
    try {
      this.database.exec("ROLLBACK");
    } catch {
      return;
    }
  }
}
