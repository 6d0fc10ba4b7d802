import type { SourceContent } from "./source-content";
import { readable } from "./source-fault";
import type { SourceFolder } from "./source-files";
import { isModule, parseImportMap, resolveImport, type ImportMap } from "./source-imports";
import { importsOf } from "./source-specifiers";

/** A source while its imports are followed. */
interface Graph {
  readonly content: SourceContent;
  readonly folder: SourceFolder;
  /** Told of what is imported and not sent. */
  readonly leftOut: (path: string) => void;
}

/**
 * Adds every file that a module of the source imports from outside the folder, or from an ignored place in it. What an
 * import names but does not exist is left to the service's own error.
 */
export function followImports(graph: Graph, importMap: string | undefined): void {
  const { content, folder } = graph;
  const maps = importMapsFrom(graph, importMap);
  const modules = content.paths().filter(isModule);
  // The list grows while it is walked: an added module has imports of its own.
  for (const module of modules) {
    for (const specifier of importsOf(content.textOf(module))) {
      const target = resolveImport(specifier, module, maps, (path) => folder.canonical(path));
      if (target === undefined) continue;
      if (addIfThere(graph, target, module) && isModule(target)) modules.push(target);
    }
  }
}

function importMapsFrom(graph: Graph, path: string | undefined): ImportMap[] {
  const { content } = graph;
  if (path === undefined) return [];
  const map = parseImportMap(path, content.textOf(path));
  if (map?.elsewhere === undefined) return map === undefined ? [] : [map];
  addIfThere(graph, map.elsewhere, path);
  const other = parseImportMap(map.elsewhere, content.textOf(map.elsewhere));
  return other === undefined ? [map] : [map, other];
}

/** Whether the file was added: it was not there before, and is neither missing nor left out. */
function addIfThere({ content, folder, leftOut }: Graph, path: string, importer: string): boolean {
  if (content.has(path) || !folder.hasFile(path)) return false;
  if (folder.isLeftOutImport(path)) {
    leftOut(path);
    return false;
  }
  content.add(
    path,
    readable("sourceDir", () => folder.readImported(path, importer)),
    "sourceDir",
  );
  return true;
}
