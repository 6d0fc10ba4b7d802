import { quoteText } from "../../spec/shown-text";
import { describeSent, hasExpired, type LedgerRecord } from "./ledger-record";
import type { DurableFiles } from "./durable-files";
import { formatObjectKey, type ObjectKey } from "./claim";

/** What the records of a stack are kept with. */
export interface StackRecordsOptions {
  /** Undefined where there is no folder for them: they live as long as the process. */
  readonly files: DurableFiles<LedgerRecord> | undefined;
  readonly nowMs: number;
  readonly warn: (message: string) => void;
  /** Called when the file system refuses; it must not throw. */
  readonly onRefused: (error: unknown) => void;
}

/** The records of one stack, read once in a process and kept true by what the process itself writes. */
export class StackRecords {
  readonly #options: StackRecordsOptions;
  readonly #records: Map<string, LedgerRecord>;
  readonly #namesByObject = new Map<string, Set<string>>();

  constructor(options: StackRecordsOptions) {
    this.#options = options;
    this.#records = new Map();
    for (const [name, record] of this.#guarded((files) => files.load()) ?? []) {
      if (hasExpired(record, options.nowMs)) this.#tellExpired(name, record);
      else this.#remember(name, record);
    }
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  listAll(): [name: string, record: LedgerRecord][] {
    return [...this.#records];
  }

  listAbout(object: ObjectKey): [name: string, record: LedgerRecord][] {
    return [...(this.#namesByObject.get(formatObjectKey(object)) ?? [])].flatMap((name) => {
      const record = this.#records.get(name);
      return record === undefined ? [] : [[name, record] as [string, LedgerRecord]];
    });
  }

  get(name: string): LedgerRecord | undefined {
    return this.#records.get(name);
  }

  /** As another process has it by now; undefined when that has removed it. */
  reread(name: string): LedgerRecord | undefined {
    if (this.#options.files === undefined) return this.#records.get(name);
    const record = this.#guarded((files) => files.read(name));
    this.#forget(name);
    if (record !== undefined) this.#remember(name, record);
    return record;
  }

  /** Remembers it for this process alone. */
  holdInMemory(name: string, record: LedgerRecord): void {
    this.#forget(name);
    this.#remember(name, record);
  }

  /** What cannot be kept whole is not kept at all: an older version of it could match another object later. */
  write(name: string, record: LedgerRecord): void {
    this.holdInMemory(name, record);
    const isKept = this.#guarded((files) => {
      files.write(name, record);
      return true;
    });
    if (isKept !== true) this.#guarded((files) => files.remove(name));
  }

  remove(name: string): void {
    this.#forget(name);
    this.#guarded((files) => files.remove(name));
  }

  #remember(name: string, record: LedgerRecord): void {
    this.#records.set(name, record);
    const key = formatRecordObject(record);
    if (key === undefined) return;
    this.#namesByObject.set(key, (this.#namesByObject.get(key) ?? new Set()).add(name));
  }

  #forget(name: string): void {
    const record = this.#records.get(name);
    this.#records.delete(name);
    const key = record && formatRecordObject(record);
    if (key !== undefined) this.#namesByObject.get(key)?.delete(name);
  }

  #tellExpired(name: string, record: LedgerRecord): void {
    const what = describeSent(record);
    const began = new Date(record.beganAtMs).toISOString();
    const found = record.id ?? "<identifier>";
    this.#options.warn(
      `a run that was interrupted at ${began} may have created the ${what} for ${record.owner}, unknown to Pulumi. ` +
        "The provider can no longer distinguish it from objects of others. Look for it on the service. If it exists and is yours, add " +
        `\`adoptId: ${quoteText(found)}\` to the resource. If it is not yours, leave it as it is.`,
    );
    this.#guarded((files) => files.remove(name));
  }

  #guarded<T>(work: (files: DurableFiles<LedgerRecord>) => T): T | undefined {
    const { files, onRefused } = this.#options;
    if (files === undefined) return undefined;
    try {
      return work(files);
    } catch (error) {
      onRefused(error);
      return undefined;
    }
  }
}

function formatRecordObject({ type, scope, id }: LedgerRecord): string | undefined {
  return id === undefined ? undefined : formatObjectKey({ type, scope, id });
}
