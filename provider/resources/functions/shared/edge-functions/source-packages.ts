import { posix } from "node:path";
import { isObject } from "../../../../../spec/is-object";
import { parseJsonWithComments } from "./source-imports";

/** What may be looked at of a source and around it; paths are relative to the source folder. */
export interface SourceSurroundings {
  /** The text of a file; undefined where there is none that may be read. */
  readonly textOf: (path: string) => string | undefined;
  /** Names of the folders in a folder. */
  readonly foldersIn: (path: string) => readonly string[];
  /** The folder above; undefined where nothing above may be read. */
  readonly above: (path: string) => string | undefined;
}

/** What a bare name is, where a `package.json` or a workspace names it. */
export interface FoundPackage {
  /** The files that say so, without which a bundler would not know the name. */
  readonly manifests: readonly string[];
  /** Of a package in the repository, the file that its name stands for; undefined for one of a registry. */
  readonly file: string | undefined;
}

/** A package in the repository. */
interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const DENO_FILES = ["deno.json", "deno.jsonc"];
const NODE_FILE = "package.json";
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
/** Versions that mean a folder of the repository. */
const LOCAL_VERSION = /^(?:file|link|portal):/;
const CONDITIONS = new Set(["deno", "import", "module", "node", "default", "require"]);

/** Looks for a bare name in the manifests beside and above the module that imports it. */
export class SourcePackages {
  readonly #around: SourceSurroundings;
  readonly #manifests = new Map<string, Readonly<Record<string, unknown>> | undefined>();

  constructor(around: SourceSurroundings) {
    this.#around = around;
  }

  find(specifier: string, importer: string): FoundPackage | undefined {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
    const wanted = { specifier, name, subpath: `.${specifier.slice(name.length)}` };
    let folder: string | undefined = posix.dirname(importer);
    for (; folder !== undefined; folder = this.#around.above(folder)) {
      const found = this.#findIn(folder, wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The manifests that apply to a module beside the source's own import map: those of the packages around it. */
  listImportMaps(importer: string): string[] {
    const found: string[] = [];
    let folder: string | undefined = posix.dirname(importer);
    for (; folder !== undefined; folder = this.#around.above(folder)) {
      const at = folder;
      const manifest = DENO_FILES.map((file) => posix.join(at, file)).find((path) => this.#read(path));
      if (manifest !== undefined && typeof this.#read(manifest)?.["name"] === "string") found.push(manifest);
    }
    return found;
  }

  #findIn(folder: string, wanted: ImportedPackage): FoundPackage | undefined {
    const path = posix.join(folder, NODE_FILE);
    const values = this.#read(path);
    if (values !== undefined) {
      if (wanted.specifier.startsWith("#"))
        return findTarget({ folder, manifest: path, values }, "imports", wanted);
      const version = readVersion(values, wanted.name);
      if (version !== undefined && LOCAL_VERSION.test(version)) {
        const member = this.#memberIn(posix.join(folder, version.replace(LOCAL_VERSION, "")));
        if (member !== undefined) return this.#exported(member, wanted, [path]);
      }
      const member = this.#memberAmong(folder, values["workspaces"], wanted.name);
      if (member !== undefined) return this.#exported(member, wanted, [path]);
      if (version?.startsWith("workspace:") === false) return { manifests: [path], file: undefined };
    }
    for (const root of DENO_FILES.map((file) => posix.join(folder, file))) {
      const member = this.#memberAmong(folder, this.#read(root)?.["workspace"], wanted.name);
      if (member !== undefined) return this.#exported(member, wanted, [root]);
    }
    return undefined;
  }

  #memberAmong(root: string, listed: unknown, name: string): WorkspacePackage | undefined {
    return listWorkspacePatterns(listed)
      .flatMap((pattern) => this.#foldersOf(root, pattern))
      .map((folder) => this.#memberIn(folder))
      .find((member) => member?.values["name"] === name);
  }

  #memberIn(folder: string): WorkspacePackage | undefined {
    for (const file of [...DENO_FILES, NODE_FILE]) {
      const manifest = posix.join(folder, file);
      const values = this.#read(manifest);
      if (typeof values?.["name"] === "string") return { folder, manifest, values };
    }
    return undefined;
  }

  #foldersOf(root: string, pattern: string): string[] {
    let folders = [root];
    for (const segment of pattern.split("/").filter((each) => each !== "" && each !== ".")) {
      folders = folders.flatMap((folder) => {
        if (!segment.includes("*")) return [posix.join(folder, segment)];
        const [before = "", after = ""] = segment.split(/\*+/);
        return this.#around
          .foldersIn(folder)
          .filter((name) => name.startsWith(before) && name.endsWith(after))
          .map((name) => posix.join(folder, name));
      });
    }
    return folders;
  }

  #exported(
    member: WorkspacePackage,
    wanted: ImportedPackage,
    manifests: readonly string[],
  ): FoundPackage | undefined {
    const found = findTarget(member, "exports", wanted) ?? this.#mainOf(member, wanted.subpath);
    return found && { ...found, manifests: [...manifests, ...found.manifests] };
  }

  /** Of a package without `exports`. */
  #mainOf({ folder, manifest, values }: WorkspacePackage, subpath: string): FoundPackage | undefined {
    if (values["exports"] !== undefined) return undefined;
    const main = [values["module"], values["main"], "index.ts", "index.mjs", "index.js"]
      .filter((each) => typeof each === "string")
      .map((each) => posix.join(folder, each))
      .find((path) => this.#around.textOf(path) !== undefined);
    const file = subpath === "." ? main : posix.join(folder, subpath);
    return file === undefined ? undefined : { manifests: [manifest], file };
  }

  #read(path: string): Readonly<Record<string, unknown>> | undefined {
    if (!this.#manifests.has(path)) {
      const text = this.#around.textOf(path);
      const values = text === undefined ? undefined : parseJsonWithComments(text);
      this.#manifests.set(path, isObject(values) ? values : undefined);
    }
    return this.#manifests.get(path);
  }
}

interface ImportedPackage {
  readonly specifier: string;
  readonly name: string;
  /** What of the package is meant, as `.` or `./part`. */
  readonly subpath: string;
}

/** The file that `exports` or `imports` of a manifest give a name to. */
function findTarget(
  { folder, manifest, values }: WorkspacePackage,
  field: "exports" | "imports",
  { specifier, subpath }: ImportedPackage,
): FoundPackage | undefined {
  const table = values[field];
  const key = field === "imports" ? specifier : subpath;
  const isTable = isObject(table) && Object.keys(table).some((each) => /^[.#]/.test(each));
  const target = isTable ? findEntry(table, key) : key === "." ? pickByCondition(table) : undefined;
  if (target === undefined) return undefined;
  const isFile = field === "exports" || target.startsWith("./");
  return { manifests: [manifest], file: isFile ? posix.join(folder, target) : undefined };
}

function findEntry(table: Readonly<Record<string, unknown>>, key: string): string | undefined {
  if (Object.hasOwn(table, key)) return pickByCondition(table[key]);
  for (const [pattern, value] of Object.entries(table)) {
    const [before = "", after] = pattern.split("*");
    if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) continue;
    if (key.length <= before.length + after.length) continue;
    return pickByCondition(value)?.replaceAll("*", () => key.slice(before.length, key.length - after.length));
  }
  return undefined;
}

function pickByCondition(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(pickByCondition).find((each) => each !== undefined);
  if (!isObject(value)) return undefined;
  const [found] = Object.keys(value)
    .filter((condition) => CONDITIONS.has(condition))
    .map((condition) => pickByCondition(value[condition]))
    .filter((each) => each !== undefined);
  return found;
}

function readVersion(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  for (const field of DEPENDENCIES) {
    const listed = values[field];
    if (isObject(listed) && Object.hasOwn(listed, name)) return String(listed[name]);
  }
  return undefined;
}

function listWorkspacePatterns(listed: unknown): string[] {
  const patterns = isObject(listed) ? (listed["members"] ?? listed["packages"]) : listed;
  return Array.isArray(patterns) ? patterns.filter((each) => typeof each === "string") : [];
}
