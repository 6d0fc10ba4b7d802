import { existsSync, type Dirent } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import {
  entriesOf,
  isInside,
  LargeFile,
  readFileWithin,
  realFolder,
  realPathOf,
  repositoryOf,
  statsOf,
  UnreadableFile,
  workTreeOf,
} from "../regular-files";
import { isHidden, isLeftOutPath } from "./left-out";
import { isModule } from "./source-imports";

/** Never part of a function: version control and installed packages. */
const ALWAYS_SKIPPED = new Set([".git", "node_modules"]);
const IGNORE_FILES = [".gitignore", ".funcignore"];

/** The rules of the ignore files of one folder. */
interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** What is told of a source folder's files, by their relative paths with `/`. */
interface Visitor {
  readonly file: (path: string, content: Buffer<ArrayBuffer>) => void;
  /** Neither sent nor ignored; a folder ends with `/`. */
  readonly leftOut: (path: string) => void;
}

/** The folder of a source, and what of it and around it is read. */
export class SourceFolder {
  readonly path: string;
  readonly #real: string;
  readonly #repository: string;

  constructor(sourceDir: string) {
    this.path = resolve(sourceDir);
    this.#real = realFolder(this.path);
    this.#repository = repositoryOf(this.#real);
  }

  /** The one form of a relative path by way of a parent folder, as `../hello/text.ts` within `hello`. */
  canonical(path: string): string {
    return withSlashes(relative(this.path, join(this.path, path)));
  }

  /**
   * Visits every file that no ignore file excludes. Ignore files count in the folder, below it and above it up to the
   * repository's root. Links are followed to files of the folder only.
   */
  visit(visitor: Visitor): void {
    this.#walk(this.path, rulesAbove(this.path), visitor);
  }

  /** A file of the folder. */
  read(path: string): Buffer<ArrayBuffer> {
    this.#refuseHidden(path);
    return readFileWithin(join(this.path, path), [this.#real]);
  }

  /** A file that a module or an input names literally: it may be elsewhere in the repository. */
  readNamed(path: string): Buffer<ArrayBuffer> {
    this.#refuseHidden(path);
    const isPart = isInside(this.#repository, this.#real) || this.#repository === this.#real;
    const within = isPart ? [this.#repository] : [this.#real, this.#repository, ...this.#sharedFolders()];
    return readFileWithin(join(this.path, path), within);
  }

  /** The same where another file imports it. */
  readImported(path: string, importer: string): Buffer<ArrayBuffer> {
    try {
      return this.readNamed(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile) || error instanceof LargeFile) throw error;
      throw new UnreadableFile(`${join(this.path, path)}, which \`${importer}\` imports,`, error.why);
    }
  }

  hasFile(path: string): boolean {
    return statsOf(join(this.path, path))?.isFile() ?? false;
  }

  /** Whether an imported file stays out: what no module is, and is a dot file or a known secret file, maybe behind a link. */
  isLeftOutImport(path: string): boolean {
    const target = this.#targetOf(path);
    return [path, target].some((each) => isLeftOutPath(each) && !isModule(each));
  }

  #walk(folder: string, inherited: readonly Rules[], visitor: Visitor): void {
    const rules = [...inherited, ...rulesIn(folder)];
    for (const entry of entriesOf(folder)) {
      if (ALWAYS_SKIPPED.has(entry.name) || IGNORE_FILES.includes(entry.name)) continue;
      const path = join(folder, entry.name);
      const shown = withSlashes(relative(this.path, path));
      const isFolder = entry.isDirectory();
      if (isIgnored(path, isFolder, rules)) continue;
      if (isFolder && isHidden(entry.name)) {
        visitor.leftOut(`${shown}/`);
      } else if (isFolder) {
        this.#walk(path, rules, visitor);
      } else {
        const content = isLeftOutPath(entry.name) ? undefined : this.#contentOf(shown, entry);
        if (content === undefined) visitor.leftOut(shown);
        else visitor.file(shown, content);
      }
    }
  }

  #contentOf(path: string, entry: Dirent): Buffer<ArrayBuffer> | undefined {
    if (entry.isFile()) return this.read(path);
    if (!entry.isSymbolicLink()) return undefined;
    try {
      return this.read(path);
    } catch (error) {
      if (error instanceof UnreadableFile && !(error instanceof LargeFile)) return undefined;
      throw error;
    }
  }

  /** A link makes nothing of what is left out: neither where it is found nor where it is named. */
  #refuseHidden(path: string): void {
    const target = this.#targetOf(path);
    if (target !== this.canonical(path) && isLeftOutPath(target) && !isModule(target))
      throw new UnreadableFile(
        join(this.path, path),
        `leads to ${target}, which is not sent by another name`,
      );
  }

  /** Where a path leads, relative to the folder. */
  #targetOf(path: string): string {
    return withSlashes(relative(this.#real, realPathOf(join(this.path, path))));
  }

  /** Without version control and outside of the program's folder: what the functions of a folder share. */
  #sharedFolders(): string[] {
    const parent = dirname(this.#real);
    return entriesOf(parent)
      .filter((entry) => entry.isDirectory() && entry.name.startsWith("_"))
      .map(({ name }) => join(parent, name));
  }
}

/** A path with `/` on every platform. */
function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
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
  const real = realFolder(folder);
  const within = [real, workTreeOf(real) ?? real];
  const texts = files.map((path) => readFileWithin(path, within).toString("utf8"));
  return [{ folder, matcher: ignore({ ignorecase: false }).add(texts.join("\n")) }];
}

/** Rules of the repository that holds `folder`; a rule that excludes the folder itself yields to the program naming it. */
function rulesAbove(folder: string): Rules[] {
  const root = workTreeOf(folder);
  if (root === undefined) return [];
  const above: string[] = [];
  for (let at = folder; at !== root; at = dirname(at)) above.unshift(dirname(at));
  return above.flatMap(rulesIn).filter((rules) => !isIgnored(folder, true, [rules]));
}
