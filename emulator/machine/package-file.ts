import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file of this package by its path from the folder that `emulator` is in, which the published package has in `dist`. */
export function packageFile(path: string): string | undefined {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, path);
    if (existsSync(file)) return file;
  }
  return undefined;
}
