import { createHash } from "node:crypto";
import { basename, dirname, posix } from "node:path";
import type { FilePart } from "../../../../../spec/operation";
import type { Source } from "./source";
import { sha256 } from "../../../../define/sha256";

/** What a deploy sends of a source. */
export interface Upload {
  readonly files: FilePart[];
  readonly entrypoint: string;
  readonly importMap: string | undefined;
  readonly staticPatterns: string[] | undefined;
}

/** Equal for sources of equal content, wherever their folders lie. */
export function hashSource({ content, entrypoint, importMap, staticPatterns }: Source): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([entrypoint, importMap, staticPatterns]));
  for (const path of content.paths()) {
    const digest = sha256(content.bytesOf(path));
    hash.update(`\0${path}\0${digest}`);
  }
  return hash.digest("hex");
}

/** The source below one root, so that relative imports work, those of files outside the folder included. */
export function toUpload(source: Source): Upload {
  const prefix = pathFromRoot(source);
  const placed = (path: string): string => posix.join(prefix, path);
  return {
    files: source.content.paths().map((path) => ({
      name: placed(path),
      content: source.content.bytesOf(path),
    })),
    entrypoint: placed(source.entrypoint),
    importMap: source.importMap === undefined ? undefined : placed(source.importMap),
    staticPatterns: source.staticPatterns?.map(placed),
  };
}

/** The source folder's path from the nearest folder that holds every file of the source, and every way to one. */
function pathFromRoot({ content, folder, climbs }: Source): string {
  const levels = content.paths().map((path) => (/^(?:\.\.\/)*/.exec(path)?.[0] ?? "").length / "../".length);
  let prefix = "";
  let at = folder ?? "";
  for (let level = Math.max(climbs, ...levels); level > 0; level -= 1) {
    prefix = posix.join(basename(at), prefix);
    at = dirname(at);
  }
  return prefix;
}
