import { createHash } from "node:crypto";
import { basename, dirname, posix } from "node:path";
import type { FilePart } from "../../../../../spec/operation";
import { formatCodeList } from "../../../../define/format-code-list";
import { sha256 } from "../../../../core/sha256";
import { edgeFunctionProblems, explainUnreadable, SourceFault } from "./problems";
import { SourceContent, SourceFolder } from "./source-files";
import { describeBroken, followImports, type DistantPackage, type UnparsedModule } from "./source-graph";
import { parseImportMap } from "./source-imports";

export const DEFAULT_ENTRYPOINT = "index.ts";
const DEFAULT_IMPORT_MAPS = ["deno.json", "deno.jsonc", "import_map.json"];
/** Of all functions beside each other, as the platform's tool takes it. */
const SHARED_IMPORT_MAP = "../import_map.json";
/** The same, where a function has a bare name that nothing nearer knows. */
const SHARED_CONFIGURATIONS = ["../deno.json", "../deno.jsonc"];

/** In which npm's packages of a private registry have their address. */
export const REGISTRY_FILE = ".npmrc";

/** The inputs that say what a function consists of. */
export interface SourceInputs {
  readonly sourceDir?: string | undefined;
  /** The folder of all functions, where the program names it. */
  readonly functionsDir?: string | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly entrypointPath?: string | undefined;
  readonly importMapPath?: string | undefined;
  readonly staticPatterns?: readonly string[] | undefined;
  readonly allowUnparsed?: readonly string[] | undefined;
}

/** All that is uploaded. Paths are relative to the source folder, with `/`; imports from outside begin with `../`. */
export interface DeploySource {
  readonly content: SourceContent;
  readonly entrypoint: string;
  readonly importMap: string | undefined;
  readonly staticPatterns: readonly string[] | undefined;
  /** The source folder's absolute path, which gives files outside of it a place; undefined for inline files. */
  readonly folder: string | undefined;
  /** How many folders above the source its imports pass through at most. */
  readonly climbs: number;
  /** What of the folder, and of what its modules import, is not sent although no ignore file excludes it; sorted. */
  readonly leftOut: readonly string[];
  /** Which of its modules cannot be parsed, in words; undefined where all can, or may be as they are. */
  readonly syntaxFault: string | undefined;
  /** What a user should know before it is deployed. */
  readonly warnings: readonly string[];
}

/** Reads the whole source, import graph included; throws a `SourceFault` for what cannot be deployed. */
export function readSource(inputs: SourceInputs): DeploySource {
  const { sourceDir, functionsDir, files = {} } = inputs;
  const leftOutPaths = new Set<string>();
  const leftOut = (path: string): void => void leftOutPaths.add(path);
  const folder =
    sourceDir === undefined
      ? undefined
      : explainUnreadable("sourceDir", () => new SourceFolder(sourceDir, functionsDir));
  const content = folder === undefined ? toSourceContent(files) : readFolder(folder, leftOut);
  const entrypoint = includeNamedFile(
    content,
    folder,
    "entrypointPath",
    inputs.entrypointPath ?? DEFAULT_ENTRYPOINT,
  );
  let importMap =
    inputs.importMapPath === undefined
      ? (findUsualImportMap(content, folder, entrypoint) ??
        findSharedFile(content, folder, [SHARED_IMPORT_MAP]))
      : importMapAt(content, folder, inputs.importMapPath);
  const staticPatterns = inputs.staticPatterns && [...new Set(inputs.staticPatterns)].sort();
  if (staticPatterns !== undefined) addStaticFiles(content, folder, staticPatterns, leftOut);
  const sharedMap =
    importMap === undefined
      ? SHARED_CONFIGURATIONS.find((path) => folder?.textOf(path) !== undefined)
      : undefined;
  const graph = { content, folder, entrypoint, leftOut };
  let followed = followImports({ ...graph, importMap, sharedMap });
  const isAnyUnknown = [...followed.broken, ...followed.doubtful].some(({ isBare }) => isBare);
  if (sharedMap !== undefined && (isAnyUnknown || followed.needsSharedMap)) {
    importMap = findSharedFile(content, folder, [sharedMap]);
    followed = followImports({ ...graph, importMap, sharedMap: undefined });
  }
  const { broken, doubtful, distant, climbs } = followed;
  const unparsed = followed.unparsed.filter(({ module }) => !inputs.allowUnparsed?.includes(module));
  if (broken.length > 0)
    throw new SourceFault(folder === undefined ? "files" : "sourceDir", describeBroken(broken));
  // The platform's tool takes that of all functions along.
  const sharedRegistry = `../${REGISTRY_FILE}`;
  if (usesPackages(content) && folder?.textOf(sharedRegistry) !== undefined) leftOut(sharedRegistry);
  const stayed = [...leftOutPaths].filter((path) => !content.has(path)).sort();
  const warnings = [
    ...(doubtful.length === 0 ? [] : [`${describeBroken(doubtful)} Such an import fails when it runs.`]),
    ...warnOfDistant(distant),
  ];
  return {
    ...{ content, entrypoint, importMap, staticPatterns, climbs, warnings },
    folder: folder?.path,
    leftOut: stayed,
    syntaxFault: describeUnparsed(unparsed),
  };
}

/** Whether a module or an import map names a package of npm. */
function usesPackages(content: SourceContent): boolean {
  return content
    .listPaths()
    .some((path) => /(?:\.[cm]?[jt]sx?|\.jsonc?)$/.test(path) && content.textOf(path).includes("npm:"));
}

function describeUnparsed([first, ...others]: readonly UnparsedModule[]): string | undefined {
  if (first === undefined) return undefined;
  const placeOf = ({ module, line }: UnparsedModule): string =>
    line === undefined ? module : `${module}:${line}`;
  return edgeFunctionProblems.unparsed.message({
    module: placeOf(first),
    reason: first.reason,
    others: others.length === 0 ? "" : ` The same is true of ${formatCodeList(others.map(placeOf))}.`,
  });
}

function warnOfDistant(distant: readonly DistantPackage[]): string[] {
  const byManifest = Map.groupBy(distant, ({ manifest }) => manifest);
  return Array.from(byManifest, ([manifest, found]) =>
    edgeFunctionProblems.distantPackage.message({
      manifest,
      names: formatCodeList([...new Set(found.map(({ specifier }) => specifier))]),
    }),
  );
}

/** The import map beside the entrypoint, or at the root of the source. */
function findUsualImportMap(
  content: SourceContent,
  folder: SourceFolder | undefined,
  entrypoint: string,
): string | undefined {
  for (const beside of new Set([posix.dirname(entrypoint), "."])) {
    for (const path of DEFAULT_IMPORT_MAPS.map((name) => posix.join(beside, name))) {
      if (content.has(path) || (path.startsWith("../") && addNamed(content, folder, path))) return path;
    }
  }
  return undefined;
}

/** The first of the files that is in the folder around the source, which is that of all functions as a rule. */
function findSharedFile(
  content: SourceContent,
  folder: SourceFolder | undefined,
  paths: readonly string[],
): string | undefined {
  return paths.find((path) => addNamed(content, folder, path));
}

/** Whether a file that need not be there is part of the source from now on. */
function addNamed(content: SourceContent, folder: SourceFolder | undefined, path: string): boolean {
  if (folder?.textOf(path) === undefined) return false;
  content.add(path, folder.readNamed(path), "sourceDir");
  return true;
}

/** The path of a file that an input names, which is part of the source even where a rule or an ignore file leaves it out. */
function includeNamedFile(
  content: SourceContent,
  folder: SourceFolder | undefined,
  property: "entrypointPath" | "importMapPath" | "staticPatterns",
  path: string,
): string {
  const place = posix.normalize(path);
  if (content.has(place)) return place;
  if (posix.isAbsolute(place))
    throw new SourceFault(property, `"${path}" must be relative, as in "index.ts".`);
  if (folder === undefined) throw new SourceFault(property, `\`files\` has no file "${path}".`);
  content.add(
    place,
    explainUnreadable(property, () => folder.readNamed(place)),
    property,
  );
  return place;
}

/** Adds what the patterns match outside of the source folder, and requires that each of them matches something. */
function addStaticFiles(
  content: SourceContent,
  folder: SourceFolder | undefined,
  patterns: readonly string[],
  leftOut: (path: string) => void,
): void {
  const { named, elsewhere, requireMatches } = loadPatterns(patterns, folder !== undefined);
  for (const path of named) includeNamedFile(content, folder, "staticPatterns", path);
  for (const { base, matches } of folder === undefined ? [] : elsewhere) {
    explainUnreadable("staticPatterns", () => {
      folder?.visitElsewhere(base, {
        isWanted: (path) => matches(path) && !content.has(path),
        file: (path, bytes) => content.add(path, bytes, "staticPatterns"),
        leftOut: (path) => {
          if (matches(path)) leftOut(path);
        },
      });
    });
  }
  requireMatches(content.listPaths());
}

/** The import map that the program names: one that is none would have no effect. */
function importMapAt(content: SourceContent, folder: SourceFolder | undefined, path: string): string {
  const place = includeNamedFile(content, folder, "importMapPath", path);
  if (parseImportMap(content.textOf(place)) !== undefined) return place;
  throw new SourceFault("importMapPath", `"${path}" is not an import map: it must be a JSON object.`);
}

/** Loaded on first use: few functions have static files. */
function loadPatterns(patterns: readonly string[], mayLeadOut: boolean) {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  const { readPatterns } = require("./static-patterns") as typeof import("./static-patterns");
  return readPatterns(patterns, mayLeadOut);
}

function readFolder(folder: SourceFolder, leftOut: (path: string) => void): SourceContent {
  const content = new SourceContent();
  explainUnreadable("sourceDir", () => {
    folder.visit({ file: (path, bytes) => content.add(path, bytes, "sourceDir"), leftOut });
  });
  return content;
}

function toSourceContent(files: Readonly<Record<string, string>>): SourceContent {
  const content = new SourceContent();
  for (const [path, text] of Object.entries(files)) {
    if (path !== posix.normalize(path) || /^\/|^\.\.?(?:\/|$)|\\|\/$/.test(path)) {
      const property = `files[${JSON.stringify(path)}]`;
      throw new SourceFault(
        property,
        'A path must be relative, without `.` or `..`, and use "/", as in "lib/text.ts".',
      );
    }
    content.add(path, Buffer.from(text, "utf8"), "files");
  }
  return content;
}

/** Equal for sources of equal content, wherever their folders lie. */
export function hashSource({ content, entrypoint, importMap, staticPatterns }: DeploySource): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([entrypoint, importMap, staticPatterns]));
  for (const path of content.listPaths()) {
    const digest = sha256(content.bytesOf(path));
    hash.update(`\0${path}\0${digest}`);
  }
  return hash.digest("hex");
}

/** What a deploy sends of a source. */
export interface SourceUpload {
  readonly files: FilePart[];
  readonly entrypoint: string;
  readonly importMap: string | undefined;
  readonly staticPatterns: string[] | undefined;
}

/** The source below one root, so that relative imports work, those of files outside the folder included. */
export function toUpload(source: DeploySource): SourceUpload {
  const prefix = pathFromRoot(source);
  const placePath = (path: string): string => posix.join(prefix, path);
  return {
    files: source.content.listPaths().map((path) => ({
      name: placePath(path),
      content: source.content.bytesOf(path),
    })),
    entrypoint: placePath(source.entrypoint),
    importMap: source.importMap === undefined ? undefined : placePath(source.importMap),
    staticPatterns: source.staticPatterns?.map(placePath),
  };
}

/** The source folder's path from the nearest folder that holds every file of the source, and every way to one. */
function pathFromRoot({ content, folder, climbs }: DeploySource): string {
  const levels = content
    .listPaths()
    .map((path) => (/^(?:\.\.\/)*/.exec(path)?.[0] ?? "").length / "../".length);
  let prefix = "";
  let at = folder ?? "";
  for (let level = Math.max(climbs, ...levels); level > 0; level -= 1) {
    prefix = posix.join(basename(at), prefix);
    at = dirname(at);
  }
  return prefix;
}
