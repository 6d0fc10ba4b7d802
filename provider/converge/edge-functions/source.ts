import { posix } from "node:path";
import { SourceContent } from "./source-content";
import { readable, SourceFault } from "./source-fault";
import { SourceFolder } from "./source-files";
import { followImports } from "./source-graph";
import { parseImportMap } from "./source-imports";

export const DEFAULT_ENTRYPOINT = "index.ts";
const DEFAULT_IMPORT_MAPS = ["deno.json", "deno.jsonc", "import_map.json"];

/** The inputs that say what a function consists of. */
export interface SourceInputs {
  readonly sourceDir?: string | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly entrypointPath?: string | undefined;
  readonly importMapPath?: string | undefined;
  readonly staticPatterns?: readonly string[] | undefined;
}

/** All that is uploaded. Paths are relative to the source folder, with `/`; imports from outside begin with `../`. */
export interface Source {
  readonly content: SourceContent;
  readonly entrypoint: string;
  readonly importMap: string | undefined;
  readonly staticPatterns: readonly string[] | undefined;
  /** The source folder's absolute path, which gives files outside of it a place; undefined for inline files. */
  readonly folder: string | undefined;
  /** What of the folder, and of what its modules import, is not sent although no ignore file excludes it; sorted. */
  readonly leftOut: readonly string[];
}

/** Reads the whole source, import graph included; throws a `SourceFault` for what cannot be deployed. */
export function readSource(inputs: SourceInputs): Source {
  const { sourceDir, files = {} } = inputs;
  const leftOut = new Set<string>();
  const tell = (path: string): void => void leftOut.add(path);
  const folder =
    sourceDir === undefined ? undefined : readable("sourceDir", () => new SourceFolder(sourceDir));
  const content = folder === undefined ? inlineFiles(files) : filesOf(folder, tell);
  const entrypoint = placeOf(content, folder, "entrypointPath", inputs.entrypointPath ?? DEFAULT_ENTRYPOINT);
  const importMap =
    inputs.importMapPath === undefined
      ? DEFAULT_IMPORT_MAPS.find((path) => content.has(path))
      : importMapAt(content, folder, inputs.importMapPath);
  const staticPatterns = inputs.staticPatterns && [...new Set(inputs.staticPatterns)].sort();
  const patterns = staticPatterns && patternsIn(staticPatterns);
  for (const path of patterns?.named ?? []) placeOf(content, folder, "staticPatterns", path);
  if (folder !== undefined) followImports({ content, folder, leftOut: tell }, importMap);
  patterns?.requireMatches(content.paths());
  const stayed = [...leftOut].filter((path) => !content.has(path)).sort();
  return { content, entrypoint, importMap, staticPatterns, folder: folder?.path, leftOut: stayed };
}

/** The path of a file that an input names, which is part of the source even where a rule or an ignore file leaves it out. */
function placeOf(
  content: SourceContent,
  folder: SourceFolder | undefined,
  property: "entrypointPath" | "importMapPath" | "staticPatterns",
  path: string,
): string {
  const place = posix.normalize(path);
  if (content.has(place)) return place;
  if (posix.isAbsolute(place))
    throw new SourceFault(property, `"${path}" must be relative, as in "index.ts".`);
  if (folder === undefined) throw new SourceFault(property, `There is no file "${path}" among \`files\`.`);
  // Static files are of the folder: where they were outside of it, the service could not find them by their patterns.
  const isStatic = property === "staticPatterns";
  content.add(
    place,
    readable(property, () => (isStatic ? folder.read(place) : folder.readNamed(place))),
    property,
  );
  return place;
}

/** The import map that the program names: one that is none would have no effect. */
function importMapAt(content: SourceContent, folder: SourceFolder | undefined, path: string): string {
  const place = placeOf(content, folder, "importMapPath", path);
  if (parseImportMap(place, content.textOf(place)) !== undefined) return place;
  throw new SourceFault("importMapPath", `"${path}" is not an import map: it must be a JSON object.`);
}

/** Loaded on first use: few functions have static files. */
function patternsIn(patterns: readonly string[]) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  const { readPatterns } = require("./static-patterns") as typeof import("./static-patterns");
  return readPatterns(patterns);
}

function filesOf(folder: SourceFolder, leftOut: (path: string) => void): SourceContent {
  const content = new SourceContent();
  readable("sourceDir", () => {
    folder.visit({ file: (path, bytes) => content.add(path, bytes, "sourceDir"), leftOut });
  });
  return content;
}

function inlineFiles(files: Readonly<Record<string, string>>): SourceContent {
  const content = new SourceContent();
  for (const [path, text] of Object.entries(files)) {
    if (path !== posix.normalize(path) || /^\/|^\.\.?(?:\/|$)|\\|\/$/.test(path)) {
      const property = `files[${JSON.stringify(path)}]`;
      throw new SourceFault(property, 'A path must be plain and relative, with "/", as in "lib/text.ts".');
    }
    content.add(path, Buffer.from(text, "utf8"), "files");
  }
  return content;
}
