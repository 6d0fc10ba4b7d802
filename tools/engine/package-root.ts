import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The repository's root, found from the sources and from `dist` alike. */
export function findPackageRoot(from: string = __dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) throw new Error(`No package.json above ${from}`);
  }
}
