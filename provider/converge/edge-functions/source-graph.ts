import { statSync } from "node:fs";
import { join, relative } from "node:path";
import type { SourceContent } from "./source-content";
import { withSlashes } from "./source-files";
import { isModule, parseImportMap, resolveImport, type ImportMap } from "./source-imports";
import { importsOf } from "./source-specifiers";

/**
 * Adds every file that a module of the source imports from outside the folder, or from an ignored place in it. What an
 * import names but does not exist is left to the service's own error.
 */
export function followImports(content: SourceContent, folder: string, importMap: string | undefined): void {
  const canonical = (path: string): string => withSlashes(relative(folder, join(folder, path)));
  const maps = importMapsFrom(content, folder, importMap);
  const modules = content.paths().filter(isModule);
  // The list grows while it is walked: an added module has imports of its own.
  for (const module of modules) {
    for (const specifier of importsOf(content.textOf(module))) {
      const target = resolveImport(specifier, module, maps, canonical);
      if (target === undefined) continue;
      if (addIfThere(content, folder, target) && isModule(target)) modules.push(target);
    }
  }
}

function importMapsFrom(content: SourceContent, folder: string, path: string | undefined): ImportMap[] {
  if (path === undefined) return [];
  const map = parseImportMap(path, content.textOf(path));
  if (map?.elsewhere === undefined) return map === undefined ? [] : [map];
  addIfThere(content, folder, map.elsewhere);
  const other = parseImportMap(map.elsewhere, content.textOf(map.elsewhere));
  return other === undefined ? [map] : [map, other];
}

/** Whether the file was added: neither there before nor missing. */
function addIfThere(content: SourceContent, folder: string, path: string): boolean {
  if (content.has(path)) return false;
  const isFile = statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  if (isFile) content.load(folder, path, "sourceDir");
  return isFile;
}
