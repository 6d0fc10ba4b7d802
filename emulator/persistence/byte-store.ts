import { sha256Hex } from "../rules/derived-bytes";

/** Bytes that are kept apart from the records which hold them, by their SHA-256. */
export class ByteStore {
  /** Bytes in the state are replaced, never changed: the same object has the same content. */
  private readonly idByObject = new WeakMap<Uint8Array, string>();
  private readonly used = new Set<string>();

  constructor(
    private readonly write: (id: string, bytes: Uint8Array) => void,
    private readonly read: (id: string) => Uint8Array,
  ) {}

  put(bytes: Uint8Array): string {
    const known = this.idByObject.get(bytes);
    if (known !== undefined) return known;
    const id = sha256Hex(bytes);
    this.write(id, bytes);
    return this.remember(id, bytes);
  }

  get(id: string): Uint8Array {
    const bytes = this.read(id);
    this.remember(id, bytes);
    return bytes;
  }

  /** Whether a value that was read or written so far holds these bytes. */
  isUsed(id: string): boolean {
    return this.used.has(id);
  }

  private remember(id: string, bytes: Uint8Array): string {
    this.idByObject.set(bytes, id);
    this.used.add(id);
    return id;
  }
}
