import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { sha256Hex } from "../rules/derived-bytes";

/** Most files are alike in all databases, and kept once. A folder has no content. */
export const archiveTables = `
  CREATE TABLE files (name TEXT NOT NULL, path TEXT NOT NULL, content TEXT, PRIMARY KEY (name, path));
  CREATE TABLE contents (id TEXT PRIMARY KEY, compressed BLOB NOT NULL);
`;

const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** Logs are much larger than what is written in them. */
const SPARSE_FROM_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Says which process of this machine has a database open. */
const LOCK = "management.pid";

/** The folders of databases within a file, each under a name. */
export class FileArchive {
  private readonly putFile: StatementSync;
  private readonly hasContent: StatementSync;
  private readonly putContent: StatementSync;
  private readonly getContent: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.putFile = database.prepare("INSERT INTO files (name, path, content) VALUES (?, ?, ?)");
    this.hasContent = database.prepare("SELECT 1 FROM contents WHERE id = ?");
    this.putContent = database.prepare("INSERT INTO contents (id, compressed) VALUES (?, ?)");
    this.getContent = database.prepare("SELECT compressed FROM contents WHERE id = ?");
  }

  names(): string[] {
    const rows = this.database.prepare("SELECT DISTINCT name FROM files ORDER BY name").all();
    // The columns' types are the tables', here and below.
    return (rows as { name: string }[]).map(({ name }) => name);
  }

  add(name: string, folder: string): void {
    this.database.exec("BEGIN");
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.name === LOCK) continue;
      const path = join(entry.parentPath, entry.name);
      const content = entry.isDirectory() ? null : this.keep(readFileSync(path));
      this.putFile.run(name, relative(folder, path).split(sep).join("/"), content);
    }
    this.database.exec("COMMIT");
  }

  /** Writes what `add` has read into a folder, which it makes. */
  extract(name: string, folder: string): void {
    const files = this.database.prepare("SELECT path, content FROM files WHERE name = ? ORDER BY path");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { path, content } of files.all(name) as { path: string; content: string | null }[]) {
      // The file may come from elsewhere, and writes nothing outside the folder.
      const steps = path.split("/");
      if (steps.some((step) => !/^[\w.-]+$/.test(step) || /^\.+$/.test(step))) {
        throw new Error(`it names a file ${path}`);
      }
      const target = join(folder, ...steps);
      if (content === null) mkdirSync(target, { recursive: true, mode: 0o700 });
      else {
        mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
        writeSparse(target, this.content(content));
      }
    }
  }

  text(name: string, path: string): string {
    const row = this.database
      .prepare("SELECT content FROM files WHERE name = ? AND path = ?")
      .get(name, path) as { content: string } | undefined;
    return row === undefined ? "" : this.content(row.content).toString("utf8");
  }

  private keep(bytes: Buffer): string {
    const id = sha256Hex(bytes);
    if (this.hasContent.get(id) === undefined) this.putContent.run(id, zstdCompressSync(bytes, COMPRESSION));
    return id;
  }

  private content(id: string): Buffer {
    const row = this.getContent.get(id) as { compressed: Uint8Array } | undefined;
    if (row === undefined) throw new Error(`the content ${id} is missing`);
    return zstdDecompressSync(row.compressed);
  }
}

/** Zeros take no room on the disk, and no time. */
function writeSparse(path: string, bytes: Buffer): void {
  if (bytes.byteLength < SPARSE_FROM_BYTES) return writeFileSync(path, bytes, { mode: 0o600 });
  const zeros = Buffer.alloc(CHUNK_BYTES);
  const file = openSync(path, "w", 0o600);
  try {
    for (let position = 0; position < bytes.byteLength; position += CHUNK_BYTES) {
      const chunk = bytes.subarray(position, position + CHUNK_BYTES);
      if (!chunk.equals(zeros.subarray(0, chunk.byteLength)))
        writeSync(file, chunk, 0, chunk.byteLength, position);
    }
    ftruncateSync(file, bytes.byteLength);
  } finally {
    closeSync(file);
  }
}
