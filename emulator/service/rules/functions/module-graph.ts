import { builtinModules } from "node:module";
import { posix } from "node:path";
import type * as Lexer from "es-module-lexer" with { "resolution-mode": "import" };
import type * as Momoa from "@humanwhocodes/momoa";
import { isObject } from "../../../../spec/is-object";

/** An import of an uploaded module that the bundle would lack. */
export interface MissingModule {
  readonly module: string;
  readonly specifier: string;
}

type ModuleFiles = ReadonlyMap<string, Uint8Array>;

/**
 * What the modules of a bundle import by statements and is neither uploaded nor elsewhere, from the entrypoint on. Types
 * are erased before a bundle is made, so nothing needs them. What the lexer cannot read, such as JSX, is not looked into.
 */
export function missingModules(
  files: ModuleFiles,
  entrypoint: string,
  importMap: string | null,
): MissingModule[] {
  const maps = importMap === null ? [] : mapsAt(files, importMap);
  const names = packageNames(files);
  const config = importMap === null ? undefined : jsonAt(files, importMap);
  const unstable = new Set(Array.isArray(config?.["unstable"]) ? config["unstable"] : []);
  if (unstable.has("bare-node-builtins")) for (const name of builtinModules) names.add(name);
  const endings = unstable.has("sloppy-imports") ? ["", ...LEFT_OUT_ENDINGS] : [""];
  const missing: MissingModule[] = [];
  const reached = new Set([entrypoint]);
  for (const module of reached) {
    const content = files.get(module);
    if (content === undefined || !/\.[cm]?[jt]sx?$/.test(module)) continue;
    for (const specifier of importedBy(textOf(content))) {
      const url = resolve(specifier, urlOf(module), maps);
      if (url === undefined ? names.has(packageName(specifier)) : url.protocol !== "file:") continue;
      const named = url === undefined ? undefined : pathOf(url);
      const path = endings.map((ending) => `${named}${ending}`).find((each) => files.has(each));
      if (named !== undefined && path !== undefined) reached.add(path);
      else missing.push({ module, specifier });
    }
  }
  return missing;
}

/** What `sloppy-imports` lets a specifier leave out. */
const LEFT_OUT_ENDINGS = [".ts", ".tsx", ".js", ".jsx", "/index.ts", "/index.tsx", "/index.js"];

const TYPE_ONLY = /^import\s+type\s+(?!from\s*["'])(?!,)/;

function importedBy(text: string): string[] {
  const { initSync, parse } = lexer();
  initSync();
  try {
    const [imports] = parse(text);
    return imports
      .filter(({ d, ss, se }) => d === -1 && !TYPE_ONLY.test(text.slice(ss, se)))
      .flatMap(({ n }) => (n === undefined ? [] : [n]));
  } catch {
    return [];
  }
}

/** Loaded on first use, as CommonJS: only its types are those of a module. */
function lexer() {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("es-module-lexer") as typeof Lexer;
}

interface ImportMapFile {
  readonly base: URL;
  readonly imports: Readonly<Record<string, unknown>>;
  readonly scopes: Readonly<Record<string, unknown>>;
}

/** The import map, and the one that it names in its place. */
function mapsAt(files: ModuleFiles, path: string): ImportMapFile[] {
  const own = mapAt(files, path);
  const other = jsonAt(files, path)?.["importMap"];
  if (own === undefined || typeof other !== "string") return own === undefined ? [] : [own];
  const named = mapAt(files, pathOf(new URL(other, own.base)));
  return named === undefined ? [own] : [own, named];
}

function mapAt(files: ModuleFiles, path: string): ImportMapFile | undefined {
  const values = jsonAt(files, path);
  if (values === undefined) return undefined;
  const { imports, scopes } = values;
  return {
    base: urlOf(path),
    imports: isObject(imports) ? imports : {},
    scopes: isObject(scopes) ? scopes : {},
  };
}

/** By the rules of import maps; undefined for a bare name that none of them has. */
function resolve(specifier: string, importer: URL, maps: readonly ImportMapFile[]): URL | undefined {
  const own = urlFrom(specifier, importer);
  for (const { base, imports, scopes } of maps) {
    const around = Object.keys(scopes)
      .filter((scope) => isWithin(importer.href, urlFrom(scope, base)?.href ?? scope))
      .sort((left, right) => right.length - left.length)
      .map((scope) => scopes[scope]);
    for (const entries of [...around, imports].filter(isObject)) {
      const found = lookUp(own?.href ?? specifier, entries, base);
      if (found !== undefined) return found;
    }
  }
  return own;
}

function isWithin(address: string, scope: string): boolean {
  return scope.endsWith("/") ? address.startsWith(scope) : address === scope;
}

function lookUp(name: string, entries: Readonly<Record<string, unknown>>, base: URL): URL | undefined {
  const keys = Object.keys(entries).sort((left, right) => right.length - left.length);
  for (const key of keys) {
    const address = entries[key];
    const normal = urlFrom(key, base)?.href ?? key;
    if (typeof address !== "string") continue;
    if (name === normal) return urlFrom(address, base);
    const isPackage = /^(?:npm|jsr):/.test(address) && name.startsWith(`${normal}/`);
    if (isPackage) return urlFrom(address, base);
    if (normal.endsWith("/") && name.startsWith(normal))
      return urlFrom(address + name.slice(normal.length), base);
  }
  return undefined;
}

function urlFrom(specifier: string, base: URL): URL | undefined {
  const isRelative = ["/", "./", "../"].some((start) => specifier.startsWith(start));
  return URL.parse(specifier, isRelative ? base.href : undefined) ?? undefined;
}

/** Names that an uploaded `package.json` depends on, and those of the uploaded packages themselves. */
function packageNames(files: ModuleFiles): Set<string> {
  const names = new Set<string>();
  for (const path of files.keys()) {
    if (!["package.json", "deno.json", "deno.jsonc"].includes(posix.basename(path))) continue;
    const values = jsonAt(files, path) ?? {};
    if (typeof values["name"] === "string") names.add(values["name"]);
    for (const field of [
      "dependencies",
      "devDependencies",
      "optionalDependencies",
      "peerDependencies",
      "imports",
    ]) {
      const listed = values[field];
      if (isObject(listed)) for (const name of Object.keys(listed)) names.add(packageName(name));
    }
  }
  return names;
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Comments and trailing commas are allowed. */
function jsonAt(files: ModuleFiles, path: string): Record<string, unknown> | undefined {
  const content = files.get(path);
  if (content === undefined) return undefined;
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
    const { evaluate, parse } = require("@humanwhocodes/momoa") as typeof Momoa;
    const values: unknown = evaluate(parse(textOf(content), { mode: "jsonc", allowTrailingCommas: true }));
    return isObject(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

function urlOf(path: string): URL {
  return new URL(`file:///${path.split("/").map(encodeURIComponent).join("/")}`);
}

function pathOf({ pathname }: URL): string {
  const bytes = pathname
    .slice(1)
    .replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
