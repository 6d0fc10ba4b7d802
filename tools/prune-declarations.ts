import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { preProcessFile } from "typescript";
import { findPackageRoot } from "./engine/package-root";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/**
 * Removes the declarations that no import of the package in `root` leads to, before it is packed: they would be a sixth of what
 * users install.
 */
export function pruneDeclarations(root: string): void {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [resolve(root, entry.types)],
  );
  const kept = reachableFrom(entries);
  for (const path of globSync("dist/**/*.d.ts", { cwd: root }).map((path) => resolve(root, path))) {
    if (!kept.has(path)) rmSync(path);
  }
  // The compiler would not write again what it takes to be there.
  rmSync(join(root, "dist", ".tsbuildinfo"), { force: true });
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
  for (const folder of [".", "emulator"]) pruneDeclarations(join(findPackageRoot(), folder));
}
