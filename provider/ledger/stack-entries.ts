import { quoteText } from "../../spec/shown-text";
import { describeSent, hasExpired, type Entry } from "./entry";
import type { DurableFiles } from "./durable-files";
import type { ObjectKey } from "./identity";

/** What the entries of a stack are kept with. */
export interface Keeping {
  /** Undefined where there is no folder for them: they live as long as the process. */
  readonly files: DurableFiles<Entry> | undefined;
  readonly nowMs: number;
  readonly warn: (message: string) => void;
  /** Called when the file system refuses; it must not throw. */
  readonly onRefused: (error: unknown) => void;
}

/** The entries of one stack, read once in a process and kept true by what the process itself writes. */
export class StackEntries {
  readonly #keeping: Keeping;
  readonly #entries: Map<string, Entry>;
  readonly #namesByObject = new Map<string, Set<string>>();

  constructor(keeping: Keeping) {
    this.#keeping = keeping;
    this.#entries = new Map();
    for (const [name, entry] of this.#guarded((files) => files.load()) ?? []) {
      if (hasExpired(entry, keeping.nowMs)) this.#tellExpired(name, entry);
      else this.#remember(name, entry);
    }
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  all(): [name: string, entry: Entry][] {
    return [...this.#entries];
  }

  about(object: ObjectKey): [name: string, entry: Entry][] {
    return [...(this.#namesByObject.get(formatObjectKey(object)) ?? [])].flatMap((name) => {
      const entry = this.#entries.get(name);
      return entry === undefined ? [] : [[name, entry] as [string, Entry]];
    });
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** As another process has it by now; undefined when that has removed it. */
  again(name: string): Entry | undefined {
    if (this.#keeping.files === undefined) return this.#entries.get(name);
    const entry = this.#guarded((files) => files.read(name));
    this.#forget(name);
    if (entry !== undefined) this.#remember(name, entry);
    return entry;
  }

  /** Remembers it for this process alone. */
  note(name: string, entry: Entry): void {
    this.#forget(name);
    this.#remember(name, entry);
  }

  /** What cannot be kept whole is not kept at all: an older version of it could match another object later. */
  put(name: string, entry: Entry): void {
    this.note(name, entry);
    const isKept = this.#guarded((files) => {
      files.write(name, entry);
      return true;
    });
    if (isKept !== true) this.#guarded((files) => files.remove(name));
  }

  remove(name: string): void {
    this.#forget(name);
    this.#guarded((files) => files.remove(name));
  }

  #remember(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    const key = objectOf(entry);
    if (key === undefined) return;
    this.#namesByObject.set(key, (this.#namesByObject.get(key) ?? new Set()).add(name));
  }

  #forget(name: string): void {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    const key = entry && objectOf(entry);
    if (key !== undefined) this.#namesByObject.get(key)?.delete(name);
  }

  #tellExpired(name: string, entry: Entry): void {
    const what = describeSent(entry);
    const began = new Date(entry.beganAtMs).toISOString();
    const found = entry.id ?? "<identifier>";
    this.#keeping.warn(
      `a run that was interrupted at ${began} may have created the ${what} for ${entry.owner}, unknown to Pulumi. ` +
        "The provider can no longer distinguish it from objects of others. Look for it on the service. If it exists and is yours, add " +
        `\`adoptId: ${quoteText(found)}\` to the resource. If it is not yours, leave it as it is.`,
    );
    this.#guarded((files) => files.remove(name));
  }

  #guarded<T>(work: (files: DurableFiles<Entry>) => T): T | undefined {
    const { files, onRefused } = this.#keeping;
    if (files === undefined) return undefined;
    try {
      return work(files);
    } catch (error) {
      onRefused(error);
      return undefined;
    }
  }
}

function objectOf({ type, scope, id }: Entry): string | undefined {
  return id === undefined ? undefined : formatObjectKey({ type, scope, id });
}

function formatObjectKey({ type, scope, id }: ObjectKey): string {
  return [type, scope, id].join("\n");
}
