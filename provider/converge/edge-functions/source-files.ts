import { existsSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Never part of a function: version control and installed packages. */
const ALWAYS_SKIPPED = new Set([".git", "node_modules"]);
const IGNORE_FILES = [".gitignore", ".funcignore"];

/** The rules of the ignore files of one folder. */
interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/**
 * Every file below `folder` that no ignore file excludes, as relative paths with `/`. Ignore files count in `folder`,
 * below it and above it up to the repository's root. Links are followed to files below `folder` only.
 */
export function listSource(folder: string): string[] {
  return walk(folder, realpathSync(folder), rulesAbove(folder)).map((path) =>
    withSlashes(relative(folder, path)),
  );
}

/** A path with `/` on every platform. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

function walk(folder: string, root: string, inherited: readonly Rules[]): string[] {
  const rules = [...inherited, ...rulesIn(folder)];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (ALWAYS_SKIPPED.has(entry.name) || IGNORE_FILES.includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isIgnored(path, true, rules) ? [] : walk(path, root, rules);
    return isFileOf(root, path, entry) && !isIgnored(path, false, rules) ? [path] : [];
  });
}

function isFileOf(root: string, path: string, entry: Dirent): boolean {
  if (entry.isFile()) return true;
  if (!entry.isSymbolicLink() || !existsSync(path)) return false;
  const target = realpathSync(path);
  return target.startsWith(root + sep) && statSync(target).isFile();
}

/** As in version control, the nearest ignore file that says anything decides. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(withSlashes(relative(folder, path)) + (isFolder ? "/" : ""));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function rulesIn(folder: string): Rules[] {
  const files = IGNORE_FILES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (files.length === 0) return [];
  const matcher = ignore({ ignorecase: false }).add(
    files.map((path) => readFileSync(path, "utf8")).join("\n"),
  );
  return [{ folder, matcher }];
}

/** Rules of the repository that holds `folder`; a rule that excludes the folder itself yields to the program naming it. */
function rulesAbove(folder: string): Rules[] {
  const above: string[] = [];
  for (let at = folder; !existsSync(join(at, ".git")); at = dirname(at)) {
    if (at === dirname(at)) return [];
    above.unshift(dirname(at));
  }
  return above.flatMap(rulesIn).filter((rules) => !isIgnored(folder, true, [rules]));
}
