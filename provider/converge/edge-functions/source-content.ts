import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { edgeFunctionProblems } from "./problems";
import { readable, SourceFault } from "./source-fault";

const LARGEST_SOURCE_BYTES = 20 * 1024 * 1024;

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
    this.grow(content.byteLength, property);
    this.files.set(path, content);
  }

  load(folder: string, path: string, property: string): void {
    const file = join(folder, path);
    const content = readable(property, file, () => {
      const found = statSync(file);
      if (!found.isFile()) throw new SourceFault(property, `${file} is not a file.`);
      this.grow(found.size, property);
      return readFileSync(file);
    });
    this.files.set(path, content);
  }

  private grow(bytes: number, property: string): void {
    this.bytes += bytes;
    if (this.bytes <= LARGEST_SOURCE_BYTES) return;
    const { message, remedy } = edgeFunctionProblems.sourceTooLarge;
    throw new SourceFault(property, message({ advice: property === "files" ? "" : ` ${remedy}.` }));
  }
}
