import { MOST_BYTES } from "../../../../define/regular-files";
import { tooLarge } from "./source-fault";

/** The files of one function by their paths relative to its source folder, up to a size that can be uploaded. */
export class SourceContent {
  private readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  private bytes = 0;

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** Sorted, so that neither hash nor upload depends on the order in which a file system lists. */
  paths(): string[] {
    return [...this.files.keys()].sort();
  }

  bytesOf(path: string): Uint8Array<ArrayBuffer> {
    return this.files.get(path) ?? new Uint8Array();
  }

  textOf(path: string): string {
    return Buffer.from(this.bytesOf(path)).toString("utf8");
  }

  /** `property` is the input that a user must correct when the file does not fit. */
  add(path: string, content: Uint8Array<ArrayBuffer>, property: string): void {
    this.bytes += content.byteLength;
    if (this.bytes > MOST_BYTES) throw tooLarge(property);
    this.files.set(path, content);
  }
}
