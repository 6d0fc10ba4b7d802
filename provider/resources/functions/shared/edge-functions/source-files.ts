import { existsSync, type Dirent } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import {
  readEntries,
  isInside,
  LargeFile,
  MOST_BYTES,
  readFileWithin,
  resolveRealFolder,
  resolveRealPath,
  findRepository,
  tryStat,
  UnreadableFile,
  findWorkTree,
} from "../../../../core/regular-files";
import { createTooLargeFault } from "./problems";
import { isModule } from "./source-imports";

/** The files of one function by their paths relative to its source folder, up to a size that can be uploaded. */
export class SourceContent {
  private readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  private bytes = 0;

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** Sorted, so that neither hash nor upload depends on the order in which a file system lists. */
  listPaths(): string[] {
    return [...this.files.keys()].sort();
  }

  bytesOf(path: string): Uint8Array<ArrayBuffer> {
    return this.files.get(path) ?? new Uint8Array();
  }

  textOf(path: string): string {
    return Buffer.from(this.bytesOf(path)).toString("utf8");
  }

  /** `property` is the input that a user must correct when the file does not fit. */
  add(path: string, content: Uint8Array<ArrayBuffer>, property: string): void {
    this.bytes += content.byteLength;
    if (this.bytes > MOST_BYTES) throw createTooLargeFault(property);
    this.files.set(path, content);
  }
}

/** Never part of a function: version control and installed packages. */
const ALWAYS_SKIPPED = new Set([".git", "node_modules"]);
const IGNORE_FILES = [".gitignore", ".funcignore"];

/** The rules of the ignore files of one folder. */
interface IgnoreRules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** What is told of a source folder's files, by their relative paths with `/`. */
interface FolderVisitor {
  /** Whether a file is asked for; all are by default. */
  readonly isWanted?: (path: string) => boolean;
  readonly file: (path: string, content: Buffer<ArrayBuffer>) => void;
  /** Neither sent nor ignored; a folder ends with `/`. */
  readonly leftOut: (path: string) => void;
}

/** The folder of a source, and what of it and around it is read. */
export class SourceFolder {
  readonly path: string;
  readonly #real: string;
  readonly #repository: string;
  readonly #named: readonly string[];

  /** `named` is a folder around it that the program names as well, such as that of all functions. */
  constructor(sourceDir: string, named?: string) {
    this.path = resolve(sourceDir);
    this.#real = resolveRealFolder(this.path);
    this.#repository = findRepository(this.#real);
    this.#named = named === undefined ? [] : [resolveRealFolder(resolve(named))];
  }

  /**
   * Visits every file that no ignore file excludes. Ignore files count in the folder, below it and above it up to the
   * repository's root. Links are followed to files of the folder only.
   */
  visit(visitor: FolderVisitor): void {
    this.#walk(this.path, readRulesAbove(this.path), visitor, [this.#real]);
  }

  /** The same in another folder of the repository, in which links lead to its own files only. */
  visitElsewhere(folder: string, visitor: FolderVisitor): void {
    const path = join(this.path, folder);
    const real = resolveRealFolder(path);
    const within = this.#readable();
    if (!within.some((each) => each === real || isInside(each, real)))
      throw new UnreadableFile(path, `is outside ${within.join(" and ")}`);
    this.#walk(path, readRulesAbove(path), visitor, [real]);
  }

  /** A file that a module or an input names literally: it may be elsewhere in the repository. */
  readNamed(path: string): Buffer<ArrayBuffer> {
    this.#refuseHidden(path);
    return readFileWithin(join(this.path, path), this.#readable());
  }

  /** The text of such a file; undefined where none may be read. */
  textOf(path: string): string | undefined {
    if (!this.hasFile(path)) return undefined;
    try {
      return this.readNamed(path).toString("utf8");
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  }

  hasFile(path: string): boolean {
    return tryStat(join(this.path, path))?.isFile() ?? false;
  }

  listFolders(path: string): string[] {
    const folder = join(this.path, path);
    if (tryStat(folder)?.isDirectory() !== true) return [];
    return readEntries(folder)
      .filter((entry) => entry.isDirectory() && !ALWAYS_SKIPPED.has(entry.name))
      .map(({ name }) => name);
  }

  /** The folder above one; undefined where files of it may not be read. */
  findFolderAbove(path: string): string | undefined {
    const folder = toSlashes(join(path, ".."));
    try {
      const real = resolveRealPath(join(this.path, folder));
      const isReadable = this.#readable().some((each) => each === real || isInside(each, real));
      return isReadable && real !== dirname(real) ? folder : undefined;
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  }

  /** Whether an imported file stays out: what no module is, and is a dot file or a known secret file, maybe behind a link. */
  isLeftOutImport(path: string): boolean {
    const target = this.#targetOf(path);
    return [path, target].some((each) => isLeftOutPath(each) && !isModule(each));
  }

  #walk(
    folder: string,
    inherited: readonly IgnoreRules[],
    visitor: FolderVisitor,
    within: readonly string[],
  ): void {
    const rules = [...inherited, ...readRules(folder)];
    for (const entry of readEntries(folder)) {
      if (ALWAYS_SKIPPED.has(entry.name) || IGNORE_FILES.includes(entry.name)) continue;
      const path = join(folder, entry.name);
      const shown = toSlashes(relative(this.path, path));
      const isFolder = entry.isDirectory();
      if (isIgnored(path, isFolder, rules)) continue;
      if (isFolder && isHidden(entry.name)) {
        visitor.leftOut(`${shown}/`);
      } else if (isFolder) {
        this.#walk(path, rules, visitor, within);
      } else if (visitor.isWanted?.(shown) !== false) {
        const content = isLeftOutPath(entry.name) ? undefined : this.#contentOf(shown, entry, within);
        if (content === undefined) visitor.leftOut(shown);
        else visitor.file(shown, content);
      }
    }
  }

  #contentOf(path: string, entry: Dirent, within: readonly string[]): Buffer<ArrayBuffer> | undefined {
    const read = (): Buffer<ArrayBuffer> => {
      this.#refuseHidden(path);
      return readFileWithin(join(this.path, path), within);
    };
    if (entry.isFile()) return read();
    if (!entry.isSymbolicLink()) return undefined;
    try {
      return read();
    } catch (error) {
      if (error instanceof UnreadableFile && !(error instanceof LargeFile)) return undefined;
      throw error;
    }
  }

  /** A link makes nothing of what is left out: neither where it is found nor where it is named. */
  #refuseHidden(path: string): void {
    const target = this.#targetOf(path);
    if (
      target !== toSlashes(relative(this.path, join(this.path, path))) &&
      isLeftOutPath(target) &&
      !isModule(target)
    )
      throw new UnreadableFile(
        join(this.path, path),
        `leads to ${target}, which is not uploaded under another name`,
      );
  }

  /** Where a path leads, relative to the folder. */
  #targetOf(path: string): string {
    return toSlashes(relative(this.#real, resolveRealPath(join(this.path, path))));
  }

  /** Where named files may lie. */
  #readable(): string[] {
    const isPart = isInside(this.#repository, this.#real) || this.#repository === this.#real;
    const own = isPart ? [] : [this.#real, ...this.#sharedFolders()];
    return [...own, this.#repository, ...this.#named];
  }

  /** Without version control and outside of the program's folder: what the functions of a folder share. */
  #sharedFolders(): string[] {
    const parent = dirname(this.#real);
    return readEntries(parent)
      .filter((entry) => entry.isDirectory() && entry.name.startsWith("_"))
      .map(({ name }) => join(parent, name));
  }
}

/** A path with `/` on every platform. */
function toSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** As in version control, the nearest ignore file that says anything decides. */
function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRules[]): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(toSlashes(relative(folder, path)) + (isFolder ? "/" : ""));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function readRules(folder: string): IgnoreRules[] {
  const files = IGNORE_FILES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (files.length === 0) return [];
  const real = resolveRealFolder(folder);
  const within = [real, findWorkTree(real) ?? real];
  const texts = files.map((path) => readFileWithin(path, within).toString("utf8"));
  return [{ folder, matcher: ignore({ ignorecase: false }).add(texts.join("\n")) }];
}

/**
 * Rules of the folders above `folder`, up to the work tree's root. Without one they count up to the program's folder, or for a
 * folder elsewhere in the folder above, which is that of all functions. A rule that excludes the folder itself yields to the
 * program naming it.
 */
function readRulesAbove(folder: string): IgnoreRules[] {
  const program = resolve(".");
  const root = findWorkTree(folder) ?? (isInside(program, folder) ? program : dirname(folder));
  const above: string[] = [];
  for (let at = folder; at !== root; at = dirname(at)) above.unshift(dirname(at));
  return above.flatMap(readRules).filter((rules) => !isIgnored(folder, true, [rules]));
}

/** What holds secrets as a rule; the dot files among them are left out as all dot files are. */
const SECRET_FILE =
  /^(?:_netrc|id_(?:rsa|dsa|ecdsa|ed25519).*|credentials(?:\.json)?|.*\.(?:env|pem|key|p12|pfx|jks|keystore|kdbx))$/i;

/** Whether a file of this path, with `/` and maybe `../` first, is sent only where it is named. */
export function isLeftOutPath(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "..");
  const name = parts.at(-1) ?? "";
  return parts.some(isHidden) || (SECRET_FILE.test(name) && !isModule(name));
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** The rule in words, for messages and references. */
export const LEFT_OUT =
  "dot files and known secret files (`id_rsa*` and the like, `*.env`, `*.pem`, `*.key`, `*.p12`, `*.pfx`, `*.jks`, `*.keystore`, `*.kdbx`, `credentials`, `credentials.json`, `_netrc`)";
