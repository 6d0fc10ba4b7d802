import { createHash } from "node:crypto";
import type { z } from "zod";
import type { FilePart } from "../../spec/operation";
import type { functionDeployBody } from "../../spec/operations/functions";
import { Refusal } from "../handler";
import type { Bundle } from "./records/sub-resources";

type Metadata = z.output<typeof functionDeployBody>["metadata"];

export interface BuiltBundle {
  readonly bundle: Bundle;
  readonly sha256: string;
}

/** Bundles what was uploaded; what the entrypoint and the import map name must be among the files. */
export function buildBundle(parts: readonly FilePart[], metadata: Metadata): BuiltBundle {
  const files = new Map(parts.map(({ name, content }) => [normalizedPath(name), content]));
  if (files.size === 0) throw new Refusal(400, "No file was uploaded");
  requireFile(files, "entrypoint_path", metadata.entrypoint_path);
  if (metadata.import_map_path !== undefined) requireFile(files, "import_map_path", metadata.import_map_path);
  const staticPatterns = metadata.static_patterns ?? [];
  return { bundle: { files, staticPatterns }, sha256: checksum(files, metadata) };
}

function requireFile(files: ReadonlyMap<string, Uint8Array>, field: string, path: string): void {
  if (files.has(normalizedPath(path))) return;
  const present = [...files.keys()].sort().join(", ");
  throw new Refusal(400, `${field} ${path} is not among the uploaded files: ${present}`);
}

function normalizedPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, "");
}

/** Of all files and of what else decides what runs, whatever their order. */
function checksum(files: ReadonlyMap<string, Uint8Array>, metadata: Metadata): string {
  const hash = createHash("sha256");
  for (const [path, content] of [...files].sort(([left], [right]) => (left < right ? -1 : 1))) {
    hash.update(`${path}\0${content.byteLength}\0`).update(content);
  }
  const { entrypoint_path: entrypoint, import_map_path: importMap, static_patterns: patterns } = metadata;
  return hash
    .update(JSON.stringify([entrypoint, importMap ?? null, [...(patterns ?? [])].sort()]))
    .digest("hex");
}
