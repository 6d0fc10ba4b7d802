import { relative, sep } from "node:path";

/** A path as seen from a folder, with forward slashes on every system: it is written down, or compared with what is. */
export function formatRelativePath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
