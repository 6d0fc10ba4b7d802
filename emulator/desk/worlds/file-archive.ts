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
import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { formatRelativePath } from "../../../spec/relative-path";
import { sha256Hex } from "../../service/world/derived-bytes";

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

/** Postgres splits what is larger. */
const LARGEST_FILE_BYTES = 1024 ** 3;
/** A database that holds nothing takes some forty megabytes. */
const LARGEST_ARCHIVE_BYTES = 16 * 1024 ** 3;

/** What a project is known by (service, Projects). */
export const REFERENCE = /^[a-z]{20}$/;

const ZSTD_MAGIC = 0xfd2fb528;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];

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
      this.putFile.run(name, formatRelativePath(folder, path), content);
    }
    this.database.exec("COMMIT");
  }

  /** Throws what is wrong with the whole of it, before any of it is placed: names, contents, and how large they become. */
  check(): void {
    for (const name of this.names()) {
      if (!REFERENCE.test(name)) throw new Error(`it names a database ${JSON.stringify(name)}`);
    }
    const sizes = new Map<string, number>();
    let unpackedBytes = 0;
    for (const { path, content } of this.database.prepare("SELECT path, content FROM files").all() as {
      path: string;
      content: string | null;
    }[]) {
      stepsOf(path);
      if (content === null) continue;
      const size = sizes.get(content) ?? this.sizeOf(content);
      if (size > LARGEST_FILE_BYTES)
        throw new Error(`its file ${path} is larger than ${LARGEST_FILE_BYTES} bytes`);
      sizes.set(content, size);
      unpackedBytes += size;
      if (unpackedBytes > LARGEST_ARCHIVE_BYTES) {
        throw new Error(`its databases are larger than ${LARGEST_ARCHIVE_BYTES} bytes`);
      }
    }
  }

  /** Writes what `add` has read into a folder, which it makes. */
  extract(name: string, folder: string): void {
    const files = this.database.prepare("SELECT path, content FROM files WHERE name = ? ORDER BY path");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { path, content } of files.all(name) as { path: string; content: string | null }[]) {
      const target = join(folder, ...stepsOf(path));
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
    return zstdDecompressSync(row.compressed, {
      maxOutputLength: Math.max(1, unpackedBytesOf(row.compressed)),
    });
  }

  private sizeOf(id: string): number {
    const row = this.getContent.get(id) as { compressed: Uint8Array } | undefined;
    if (row === undefined) throw new Error(`the content ${id} is missing`);
    return unpackedBytesOf(row.compressed);
  }
}

/** What the head of a frame says of its content (RFC 8878, 3.1.1.1); nothing longer is unpacked. */
function unpackedBytesOf(frame: Uint8Array): number {
  const head = Buffer.alloc(18);
  head.set(frame.subarray(0, 18));
  if (head.readUInt32LE(0) !== ZSTD_MAGIC) throw new Error("a content is not compressed as it should be");
  const descriptor = head.readUInt8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + (DICTIONARY_ID_BYTES[descriptor & 3] ?? 0);
  switch (descriptor >> 6) {
    case 0:
      if (isSingleSegment) return head.readUInt8(at);
      throw new Error("a content does not say how large it is");
    case 1:
      return head.readUInt16LE(at) + 256;
    case 2:
      return head.readUInt32LE(at);
    default:
      return Number(head.readBigUInt64LE(at));
  }
}

/** The file may come from elsewhere, and writes nothing outside of the folder. */
function stepsOf(path: string): string[] {
  const steps = path.split("/");
  if (steps.some((step) => !/^[\w.-]+$/.test(step) || /^\.+$/.test(step))) {
    throw new Error(`it names a file ${JSON.stringify(path)}`);
  }
  return steps;
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
