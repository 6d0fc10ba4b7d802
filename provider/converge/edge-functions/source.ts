import { statSync } from "node:fs";
import { posix, resolve } from "node:path";
import { SourceContent } from "./source-content";
import { readable, SourceFault } from "./source-fault";
import { listSource } from "./source-files";
import { followImports } from "./source-graph";

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
}

/** Reads the whole source, import graph included; throws a `SourceFault` for what cannot be deployed. */
export function readSource(inputs: SourceInputs): Source {
  const folder = inputs.sourceDir === undefined ? undefined : resolve(inputs.sourceDir);
  const content = folder === undefined ? inlineFiles(inputs.files ?? {}) : filesBelow(folder);
  const entrypoint = placeOf(content, folder, "entrypointPath", inputs.entrypointPath ?? DEFAULT_ENTRYPOINT);
  const importMap =
    inputs.importMapPath === undefined
      ? DEFAULT_IMPORT_MAPS.find((path) => content.has(path))
      : placeOf(content, folder, "importMapPath", inputs.importMapPath);
  const staticPatterns = inputs.staticPatterns && [...new Set(inputs.staticPatterns)].sort();
  for (const pattern of staticPatterns ?? []) refuseOutside("staticPatterns", pattern);
  if (folder !== undefined) followImports(content, folder, importMap);
  return { content, entrypoint, importMap, staticPatterns, folder };
}

/** The path of a file that an input names, which is part of the source even where an ignore file excludes it. */
function placeOf(content: SourceContent, folder: string | undefined, property: string, path: string): string {
  const place = posix.normalize(path);
  if (content.has(place)) return place;
  if (posix.isAbsolute(place))
    throw new SourceFault(property, `"${path}" must be relative, as in "index.ts".`);
  if (folder === undefined) throw new SourceFault(property, `There is no file "${path}" among \`files\`.`);
  content.load(folder, place, property);
  return place;
}

function refuseOutside(property: string, pattern: string): void {
  if (posix.isAbsolute(pattern) || posix.normalize(pattern).startsWith("../"))
    throw new SourceFault(property, `"${pattern}" leads outside the source: move the files into it.`);
}

function filesBelow(folder: string): SourceContent {
  const content = new SourceContent();
  const paths = readable("sourceDir", folder, () => {
    if (!statSync(folder).isDirectory()) throw new SourceFault("sourceDir", `${folder} is not a folder.`);
    return listSource(folder);
  });
  for (const path of paths) content.load(folder, path, "sourceDir");
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
