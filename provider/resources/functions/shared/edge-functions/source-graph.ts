import { builtinModules } from "node:module";
import { join, posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { LargeFile, UnreadableFile } from "../../../../core/regular-files";
import { explainUnreadable, SourceFault, createTooLargeFault } from "./problems";
import type { SourceContent, SourceFolder } from "./source-files";
import {
  resolveSpecifier,
  isDeclaration,
  isModule,
  parseImportMap,
  placeImportMap,
  type ResolvedSpecifier,
  type ImportMap,
  type ResolvedImportMap,
} from "./source-imports";
import { SourcePackages } from "./source-packages";
import { findImports, type ModuleImport, type SyntaxFault } from "./source-specifiers";

/** A source whose imports are to be followed. */
export interface ImportGraphSource {
  readonly content: SourceContent;
  /** Undefined for inline files. */
  readonly folder: SourceFolder | undefined;
  readonly entrypoint: string;
  readonly importMap: string | undefined;
  /** A map that is used where a function needs it: it lies nearer than a `package.json` above it. */
  readonly sharedMap: string | undefined;
  /** Called for what is imported and not sent. */
  readonly leftOut: (path: string) => void;
}

/** An import without which the function could not be bundled, and why it leads to nothing. */
export interface BrokenImport {
  readonly module: string;
  readonly line: number;
  readonly specifier: string;
  /** Goes on with a sentence about it, as "does not exist". */
  readonly why: string;
  readonly isBare: boolean;
}

/** A module that the function needs and that no bundler could read. */
export interface UnparsedModule extends SyntaxFault {
  readonly module: string;
}

/** A package that a manifest knows which is not beside the entrypoint. */
export interface DistantPackage {
  readonly module: string;
  readonly line: number;
  readonly specifier: string;
  readonly manifest: string;
}

/** What an import leads to: a file of the source, something that the service finds elsewhere, or nothing. */
type ImportTarget =
  | { readonly file: string; readonly climbs?: number }
  | { readonly isElsewhere: true; readonly distantManifest?: string | undefined }
  | { readonly why: string; readonly isBare?: boolean };

/** The schemes of what a function may import from elsewhere. */
const ELSEWHERE = new Set(["npm:", "jsr:", "node:", "http:", "https:", "data:", "blob:"]);
const ENDINGS = [".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".json"];

export interface ImportFindings {
  /** What the entrypoint needs, by way of other modules too, and does not find: a bundler would refuse it. */
  readonly broken: readonly BrokenImport[];
  /** The same of calls for a name, which a bundler leaves alone. */
  readonly doubtful: readonly BrokenImport[];
  /** Whether `sharedMap` has a name that otherwise a `package.json` further above would give. */
  readonly needsSharedMap: boolean;
  /** What only a `package.json` above the folder of the entrypoint knows, which the platform's tool does not read. */
  readonly distant: readonly DistantPackage[];
  /** What the entrypoint needs and cannot be parsed. */
  readonly unparsed: readonly UnparsedModule[];
  /** How many folders above the source an import passes through, even where it comes back: `../../lib/hello/a.ts`. */
  readonly climbs: number;
}

/** Adds every file that a module of the source imports from outside the folder, or from an ignored place in it. */
export function followImports(source: ImportGraphSource): ImportFindings {
  const graph = new ImportGraph(source);
  const { content, entrypoint } = source;
  const modules = content.listPaths().filter(isModule);
  const imports = new Map<string, (ModuleImport & { readonly target: ImportTarget })[]>();
  const faults = new Map<string, SyntaxFault>();
  let climbs = 0;
  // The list grows while it is walked: an added module has imports of its own.
  for (const module of modules) {
    const read = findImports(content.textOf(module), module);
    if (!Array.isArray(read)) {
      faults.set(module, read);
      continue;
    }
    const found = read.map((each) => {
      const named = graph.targetOf(each.specifier, module);
      const target = "file" in named ? graph.add(named.file, modules) : named;
      if ("file" in named && "file" in target) climbs = Math.max(climbs, named.climbs ?? 0);
      return { ...each, target };
    });
    imports.set(module, found);
  }
  const needed = new Set([entrypoint]);
  const [broken, doubtful]: [BrokenImport[], BrokenImport[]] = [[], []];
  const unparsed: UnparsedModule[] = [];
  const distant: DistantPackage[] = [];
  for (const module of needed) {
    const fault = faults.get(module);
    if (fault !== undefined && !isDeclaration(module)) unparsed.push({ module, ...fault });
    for (const { specifier, line, isRequired, isCall = false, target } of imports.get(module) ?? []) {
      if (!isRequired || isDeclaration(module)) continue;
      if ("file" in target) needed.add(target.file);
      else if ("isElsewhere" in target) {
        const manifest = target.distantManifest;
        if (manifest !== undefined) distant.push({ module, line, specifier, manifest });
      } else {
        const { why, isBare = false } = target;
        (isBare && isCall ? doubtful : broken).push({ module, line, specifier, why, isBare });
      }
    }
  }
  return { broken, doubtful, unparsed, distant, needsSharedMap: graph.needsSharedMap, climbs };
}

/** How far a way leads above where it begins. */
function climbsOf(way: string): number {
  let [height, highest] = [0, 0];
  for (const step of way.split("/")) {
    if (step === "..") height += 1;
    else if (step !== "." && step !== "") height -= 1;
    highest = Math.max(highest, height);
  }
  return highest;
}

class ImportGraph {
  readonly #source: ImportGraphSource;
  readonly #urls: SourceUrls;
  readonly #packages: SourcePackages;
  readonly #maps: ResolvedImportMap[] = [];
  readonly #unstable = new Set<unknown>();
  readonly #sharedMap: ResolvedImportMap | undefined;
  needsSharedMap = false;

  constructor(source: ImportGraphSource) {
    this.#source = source;
    const { content, folder, importMap, sharedMap } = source;
    this.#urls = new SourceUrls(folder?.path);
    this.#packages = new SourcePackages({
      textOf: (path) => (content.has(path) ? content.textOf(path) : folder?.textOf(path)),
      foldersIn: (path) => folder?.listFolders(path) ?? [],
      above: (path) => {
        if (folder !== undefined) return folder.findFolderAbove(path);
        return path === "." ? undefined : posix.dirname(path);
      },
    });
    if (importMap !== undefined) this.#take(importMap);
    const shared = sharedMap === undefined ? undefined : parseImportMap(this.#textOf(sharedMap) ?? "");
    this.#sharedMap = shared && sharedMap !== undefined ? this.#place(shared, sharedMap) : undefined;
  }

  /** What a module means by a specifier. */
  targetOf(specifier: string, module: string): ImportTarget {
    const importer = this.#urls.urlOf(module);
    let address = resolveSpecifier(specifier, importer, this.#maps);
    if (address.url === undefined) {
      const found = this.#packages.find(address.text, module);
      if (found !== undefined) {
        const distantManifest = found.file === undefined ? this.#distantOf(found.manifests) : undefined;
        if (distantManifest !== undefined && this.#sharedMap !== undefined) {
          const shared = resolveSpecifier(address.text, importer, [this.#sharedMap]);
          if (shared.url !== undefined) {
            this.needsSharedMap = true;
            return { isElsewhere: true };
          }
        }
        for (const manifest of found.manifests) this.#addNamed(manifest);
        return found.file === undefined ? { isElsewhere: true, distantManifest } : { file: found.file };
      }
      address = this.#addressAround(specifier, module) ?? address;
    }
    return this.#targetAt(address, specifier);
  }

  /** A file that an import names, part of the source from now on, or why it is not; its own imports are to be read. */
  add(named: string, modules: string[]): ImportTarget {
    const { content, folder, leftOut } = this.#source;
    const path = this.#unstable.has("sloppy-imports")
      ? (this.#candidates(named).find((each) => this.#exists(each)) ?? named)
      : named;
    if (content.has(path)) return { file: path };
    if (folder === undefined || !this.#exists(path)) return { why: this.#missing(path) };
    if (folder.isLeftOutImport(path)) {
      leftOut(path);
      return {
        why: "is a dot file or may contain secrets, so it is not uploaded automatically. If it may be uploaded, list it in `staticPatterns`",
      };
    }
    try {
      content.add(path, folder.readNamed(path), "sourceDir");
    } catch (error) {
      if (error instanceof LargeFile) throw createTooLargeFault("sourceDir");
      if (error instanceof UnreadableFile) return { why: error.why };
      throw error;
    }
    if (isModule(path)) modules.push(path);
    return { file: path };
  }

  /** The platform's tool reads the `package.json` beside the entrypoint only. */
  #distantOf(manifests: readonly string[]): string | undefined {
    const beside = posix.dirname(this.#source.entrypoint);
    return manifests.find((path) => posix.dirname(path) !== beside);
  }

  #targetAt({ text, url, base }: ResolvedSpecifier, specifier: string): ImportTarget {
    const mapped = text === specifier ? "" : `resolves to "${text}" in the import map, which `;
    if (url === undefined) {
      const isKnown = this.#unstable.has("bare-node-builtins") && builtinModules.includes(text);
      return isKnown ? { isElsewhere: true } : { why: mapped + explainUnknown(text), isBare: true };
    }
    if (url.protocol !== "file:")
      return ELSEWHERE.has(url.protocol)
        ? { isElsewhere: true }
        : { why: `${mapped}begins with \`${url.protocol}\`, which a function cannot import` };
    if (/^(?:\/|file:)/.test(text))
      return { why: `${mapped}is a path on this machine: begin it with \`./\` or \`../\`` };
    return {
      file: this.#urls.pathOf(url),
      climbs: climbsOf(`${posix.dirname(this.#urls.pathOf(base))}/${text}`),
    };
  }

  /** What a package around the module means by a bare name, in the import map of its own. */
  #addressAround(specifier: string, module: string): ResolvedSpecifier | undefined {
    for (const manifest of this.#packages.listImportMaps(module)) {
      const map = parseImportMap(this.#textOf(manifest) ?? "");
      if (map === undefined) continue;
      const address = resolveSpecifier(specifier, this.#urls.urlOf(module), [this.#place(map, manifest)]);
      if (address.url === undefined) continue;
      this.#addNamed(manifest);
      return address;
    }
    return undefined;
  }

  #take(path: string): void {
    const map = parseImportMap(this.#textOf(path) ?? "");
    if (map === undefined) return;
    this.#maps.push(this.#place(map, path));
    for (const feature of map.unstable) this.#unstable.add(feature);
    const other = map.importMap === undefined ? null : URL.parse(map.importMap, this.#urls.urlOf(path).href);
    if (other?.protocol !== "file:") return;
    const place = this.#urls.pathOf(other);
    if (this.#textOf(place) === undefined)
      throw new SourceFault(
        this.#source.folder === undefined ? "files" : "sourceDir",
        `${path} refers to the import map "${map.importMap}", which ${this.#missing(place)}.`,
      );
    this.#addNamed(place);
    const named = parseImportMap(this.#textOf(place) ?? "");
    if (named !== undefined) this.#maps.push(this.#place(named, place));
  }

  #place(map: ImportMap, path: string): ResolvedImportMap {
    return placeImportMap(map, this.#urls.urlOf(path));
  }

  #textOf(path: string): string | undefined {
    const { content, folder } = this.#source;
    return content.has(path) ? content.textOf(path) : folder?.textOf(path);
  }

  #addNamed(path: string): void {
    const { content, folder } = this.#source;
    if (content.has(path) || folder === undefined) return;
    content.add(
      path,
      explainUnreadable("sourceDir", () => folder.readNamed(path)),
      "sourceDir",
    );
  }

  #exists(path: string): boolean {
    return this.#source.content.has(path) || this.#source.folder?.hasFile(path) === true;
  }

  #candidates(path: string): string[] {
    const bare = path.replace(/\.[cm]?jsx?$/, "");
    return [
      path,
      ...ENDINGS.map((ending) => path + ending),
      ...(bare === path ? [] : ENDINGS.map((ending) => bare + ending)),
      ...ENDINGS.map((ending) => posix.join(path, `index${ending}`)),
    ];
  }

  #missing(path: string): string {
    const like = this.#candidates(path).find((each) => this.#exists(each));
    const advice = like === undefined ? "" : `: ${like} exists, and an import needs the full name`;
    return this.#source.folder === undefined ? `is not among \`files\`${advice}` : `does not exist${advice}`;
  }
}

function explainUnknown(name: string): string {
  if (builtinModules.includes(name)) return `is a module of Node.js: write "node:${name}"`;
  return `is in no import map and no package.json: add it to \`imports\` in a deno.json, or write \`npm:\` or \`jsr:\` before it`;
}

const MOST_TOLD = 5;

/** What the imports lead to nothing for, in words. */
export function describeBroken(broken: readonly BrokenImport[]): string {
  const lines = broken
    .slice(0, MOST_TOLD)
    .map(({ module, line, specifier, why }) => `${module}:${line} imports "${specifier}", which ${why}.`);
  const rest = broken.length - MOST_TOLD;
  return [...lines, ...(rest > 0 ? [`${rest} more imports cannot be resolved.`] : [])].join(" ");
}

/** Where the files of a source are for modules and import maps, which name them by URLs: with `%20`, `?` and `#`. */
class SourceUrls {
  readonly #root: string;

  /** Inline files have no folder. */
  constructor(folder: string | undefined) {
    this.#root = resolve(folder ?? "/source");
  }

  /** Of a path relative to the source folder; `""` is the folder itself. */
  urlOf(path: string): URL {
    return pathToFileURL(join(this.#root, path));
  }

  /** The path relative to the source folder, in its one form: `../hello/text.ts` within `hello` is `text.ts`. */
  pathOf(url: URL): string {
    return posix.relative(decodePath(pathToFileURL(this.#root)), decodePath(url));
  }
}

/** A `%` that escapes nothing stands for itself. */
function decodePath({ pathname }: URL): string {
  return pathname.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
