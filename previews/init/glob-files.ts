import { readdirSync, type Dirent } from "node:fs";
import { join, posix } from "node:path";

const MOST_FOLDERS = 20_000;

type GlobToken = "*" | ((character: string) => boolean);

/**
 * The files below a folder that a pattern names, by `*`, `?`, `[a-z]`, `\` and, for any folders, `**`. It never leaves the folder,
 * by `..` or by a link, and takes time that grows with the folders and the pattern only: patterns come from files of others.
 */
export function findGlobFiles(dir: string, pattern: string): string[] {
  const path = posix.normalize(pattern);
  if (posix.isAbsolute(path) || path.startsWith("../")) return [];
  const segments = path.split("/");
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting = [{ folder: "", at: 0 }];
  for (let next = waiting.pop(); next !== undefined && seen.size < MOST_FOLDERS; next = waiting.pop()) {
    const { folder, at } = next;
    const segment = segments[at];
    const key = `${at} ${folder}`;
    if (segment === undefined || seen.has(key)) continue;
    seen.add(key);
    const isLast = at === segments.length - 1;
    const isAnyFolder = segment === "**" && !isLast;
    if (isAnyFolder) waiting.push({ folder, at: at + 1 });
    const parts = parseSegment(segment);
    for (const entry of readFolderEntries(join(dir, folder))) {
      if (entry.name.startsWith(".") && !segment.startsWith(".")) continue;
      if (!isAnyFolder && !matchesName(parts, Array.from(entry.name))) continue;
      const inside = posix.join(folder, entry.name);
      if (isLast && entry.isFile()) found.add(inside);
      if (!isLast && entry.isDirectory()) waiting.push({ folder: inside, at: isAnyFolder ? at : at + 1 });
    }
  }
  return [...found].sort();
}

/** A path as a pattern of itself. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\\]/g, String.raw`\$&`);
}

/** Nothing where a folder cannot be read. */
export function readFolderEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function parseSegment(segment: string): GlobToken[] {
  return [...segment.matchAll(/\*+|\?|\[(\^?)((?:\\.|[^\]\\])+)\]|\\?(.)/gsu)].map(
    ([text, not, set, literal]) => {
      if (text.startsWith("*")) return "*";
      if (text === "?") return () => true;
      if (set === undefined) return (character) => character === literal;
      const ranges = [...set.matchAll(/\\?(.)(?:-\\?(.))?/gsu)].map(([, from = "", to = from]) => ({
        from,
        to,
      }));
      return (character) =>
        ranges.some(({ from, to }) => from <= character && character <= to) === (not === "");
    },
  );
}

/** Only the last star is tried again: what comes before it has matched as early as it can. */
function matchesName(parts: readonly GlobToken[], name: readonly string[]): boolean {
  let [part, at] = [0, 0];
  let retry: { readonly part: number; readonly at: number } | undefined;
  while (at < name.length) {
    const current = parts[part];
    if (current === "*") {
      part += 1;
      retry = { part, at };
    } else if (current?.(name[at] ?? "") === true) {
      part += 1;
      at += 1;
    } else if (retry === undefined) return false;
    else {
      at = retry.at + 1;
      part = retry.part;
      retry = { part, at };
    }
  }
  return parts.slice(part).every((rest) => rest === "*");
}
