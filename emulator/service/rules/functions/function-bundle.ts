import type { z } from "zod";
import type { FilePart } from "../../../../spec/operation";
import type { functionDeployBody } from "../../../../spec/operations/functions";
import { MultipartBytes } from "../../answers/multipart-bytes";
import { sha256Hex } from "../../world/derived-bytes";
import type { ProjectRecord } from "../../world/records/project";
import type { Bundle } from "../../world/records/functions";
import { missingModules } from "./module-graph";
import { Refusal } from "../../answers/refusal";

type DeployMetadata = z.output<typeof functionDeployBody>["metadata"];

export interface BuiltBundle {
  readonly bundle: Bundle;
  readonly sha256: string;
}

/** Bundles what was uploaded; what entrypoint and import map name, and what modules import, must be among the files. */
export function buildBundle(parts: readonly FilePart[], metadata: DeployMetadata): BuiltBundle {
  const files = new Map(parts.map(({ name, content }) => [normalizedPath(name), content]));
  if (files.size === 0) throw new Refusal(400, "file: Required");
  requireFile(files, "entrypoint_path", metadata.entrypoint_path);
  const importMapPath = namedPath(metadata.import_map_path);
  if (importMapPath !== null) requireFile(files, "import_map_path", importMapPath);
  requireModules(files, normalizedPath(metadata.entrypoint_path), importMapPath);
  const bundle: Bundle = {
    files,
    entrypointPath: metadata.entrypoint_path,
    importMapPath,
    staticPatterns: metadata.static_patterns ?? [],
    uploaded: null,
  };
  return { bundle, sha256: sha256Hex(bytesOf(bundle)) };
}

/** A function's code that was sent in one piece: a bundle made elsewhere, or the text of its only file. */
export function asBundle(code: string | Uint8Array): BuiltBundle {
  const uploaded = typeof code === "string" ? new TextEncoder().encode(code) : Uint8Array.from(code);
  const bundle: Bundle = {
    files: new Map(),
    entrypointPath: null,
    importMapPath: null,
    staticPatterns: [],
    uploaded,
  };
  return { bundle, sha256: sha256Hex(uploaded) };
}

/** The bundle as one piece: its SHA-256 is the checksum under which the project keeps it, unless the caller gave one. */
export function bytesOf(bundle: Bundle): Uint8Array<ArrayBuffer> {
  if (bundle.uploaded !== null) return Uint8Array.from(bundle.uploaded);
  const { files, entrypointPath, importMapPath, staticPatterns } = bundle;
  return tarOf(
    files,
    JSON.stringify({ entrypointPath, importMapPath, staticPatterns: staticPatterns.toSorted() }),
  );
}

/**
 * The bundle as the parts that it was uploaded in, each file under its path (service, Edge functions). What came in one piece
 * is a file of its own: the emulator does not look into it.
 */
export function partsOf(bundle: Bundle, sha256: string): MultipartBytes {
  const entrypoint = normalizedPath(bundle.entrypointPath ?? "index.ts");
  const files = bundle.uploaded === null ? bundle.files : new Map([[entrypoint, bundle.uploaded]]);
  return new MultipartBytes(
    { deno2_entrypoint_path: entrypoint },
    [...files].map(([name, content]) => ({ name, content })),
    `formdata-${sha256Hex(sha256).slice(0, 32)}`,
  );
}

/** The path of a file; an empty one means that there is none (service, Edge functions). */
export function namedPath(path: string | undefined): string | null {
  return path === undefined || path === "" ? null : path;
}

/** The bundle that a function runs; none for one that was only described, in a bulk update. */
export function bundleOf({ bundles }: ProjectRecord, ezbrSha256: string | null): Bundle | undefined {
  return ezbrSha256 === null ? undefined : bundles.get(ezbrSha256);
}

function requireFile(files: ReadonlyMap<string, Uint8Array>, field: string, path: string): void {
  if (files.has(normalizedPath(path))) return;
  const present = [...files.keys()].sort().join(", ");
  throw new Refusal(400, `metadata.${field}: ${path} is not among the uploaded files: ${present}`);
}

/** Unknown: the words of this refusal, and whether imports by a call are looked at, which are not here. */
function requireModules(
  files: ReadonlyMap<string, Uint8Array>,
  entrypoint: string,
  importMapPath: string | null,
): void {
  const [first] = missingModules(files, entrypoint, importMapPath && normalizedPath(importMapPath));
  if (first === undefined) return;
  const { module, specifier } = first;
  throw new Refusal(
    400,
    `Failed to bundle the function: ${module} imports "${specifier}", which is not found`,
  );
}

/** A path without what it may begin with before its first name. */
export function normalizedPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, "");
}

/**
 * A tar archive (POSIX.1-2001) of files, the same bytes whatever their order. `comment` says what else belongs to them;
 * programs that unpack the archive pass over it.
 */
function tarOf(files: ReadonlyMap<string, Uint8Array>, comment: string): Uint8Array<ArrayBuffer> {
  const sorted = [...files].sort(([left], [right]) => (left < right ? -1 : 1));
  const blocks = [
    ...entry("comment", "g", paxRecord("comment", comment)),
    ...sorted.flatMap(([path, content]) => [...longPath(path), ...entry(path, "0", content)]),
    new Uint8Array(2 * BLOCK),
  ];
  return new Uint8Array(Buffer.concat(blocks));
}

const BLOCK = 512;
const NAME_BYTES = 100;

/** A path that does not fit into a header precedes it in a header of its own. */
function longPath(path: string): Uint8Array[] {
  const fits = Buffer.byteLength(path) === path.length && path.length <= NAME_BYTES;
  return fits ? [] : entry("path", "x", paxRecord("path", path));
}

/** One header and its content, each filled up to whole blocks. */
function entry(name: string, type: "0" | "g" | "x", content: Uint8Array): Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, NAME_BYTES, "utf8");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${content.byteLength.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const filling = (BLOCK - (content.byteLength % BLOCK)) % BLOCK;
  return [header, content, new Uint8Array(filling)];
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (String(length).length + bytes !== length) length = bytes + String(length).length;
  return Buffer.from(`${length}${rest}`);
}
