import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { preProcessFile } from "typescript";
import { findPackageRoot } from "./engine/package-root";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** Removes the declarations that no import of the package leads to: they would be a sixth of what users install. */
function pruneDeclarations(root: string): { removed: number; kept: number } {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [resolve(root, entry.types)],
  );
  const kept = reachableFrom(entries);
  const removed = globSync("dist/**/*.d.ts", { cwd: root })
    .map((path) => resolve(root, path))
    .filter((path) => !kept.has(path));
  for (const path of removed) rmSync(path);
  return { removed: removed.length, kept: kept.size };
}

function reachableFrom(entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set(entries);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const path of reached) {
    const { importedFiles } = preProcessFile(readFileSync(path, "utf8"), true, true);
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith(".")) reached.add(declarationOf(resolve(dirname(path), fileName), path));
    }
  }
  return reached;
}

function declarationOf(module: string, importer: string): string {
  const found = [`${module}.d.ts`, join(module, "index.d.ts")].find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${importer} imports ${module}, which has no declarations.`);
  return found;
}

if (require.main === module) {
  const { removed, kept } = pruneDeclarations(findPackageRoot());
  if (removed > 0) console.log(`${kept} declaration files are public; ${removed} others removed`);
}
