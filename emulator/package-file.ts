import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file of this package by its path from the root: one folder up in the sources, two in the published package. */
export function packageFile(path: string): string | undefined {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, path);
    if (existsSync(file)) return file;
  }
  return undefined;
}
