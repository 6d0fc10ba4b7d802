import { z } from "zod";
import { parseJson } from "../../../../client/parse-json";

const CODE = /\.[cm]?[jt]sx?$/;

export function isModule(path: string): boolean {
  return CODE.test(path);
}

/** Nothing of a declaration is in a bundle. */
export function isDeclaration(path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path);
}

const addresses = z.record(z.string(), z.unknown()).catch({});
const importMapSchema = z.object({
  imports: addresses,
  scopes: z.record(z.string(), addresses).catch({}),
  importMap: z.string().optional().catch(undefined),
  unstable: z.array(z.unknown()).catch([]),
});

/** What specifiers mean: the `imports` and `scopes` of a `deno.json` or an import map. */
export interface ImportMap {
  readonly imports: Readonly<Record<string, unknown>>;
  readonly scopes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Another file that this one names as its import map, by a URL relative to it. */
  readonly importMap?: string | undefined;
  /** What it lets modules do beyond the standard. */
  readonly unstable: readonly unknown[];
}

/** Reads an import map, comments and trailing commas allowed; undefined when it is not JSON of that shape. */
export function parseImportMap(text: string): ImportMap | undefined {
  return importMapSchema.safeParse(parseJsonWithComments(text)).data;
}

/** What a text says as JSON, comments and trailing commas allowed. */
export function parseJsonWithComments(text: string): unknown {
  return parseJson(text) ?? evaluateJson(text);
}

/** What a specifier comes to. */
export interface ResolvedSpecifier {
  /** The specifier itself, or what an import map has in its place. */
  readonly text: string;
  /** Undefined for a bare name. */
  readonly url: URL | undefined;
  /** Where the text stands: the module, or the import map. */
  readonly base: URL;
}

/** An import map whose keys are what specifiers are compared with. */
export interface ResolvedImportMap {
  readonly entries: ImportMapEntries;
  /** The innermost first. */
  readonly scopes: readonly (readonly [scope: string, entries: ImportMapEntries])[];
}

type ImportMapEntries = ReadonlyMap<string, ResolvedSpecifier>;

/** The import map as it is read at a place. */
export function placeImportMap({ imports, scopes }: ImportMap, base: URL): ResolvedImportMap {
  return {
    entries: resolveEntries(imports, base),
    scopes: Object.entries(scopes)
      .map(
        ([scope, entries]) =>
          [URL.parse(scope, base.href)?.href ?? scope, resolveEntries(entries, base)] as const,
      )
      .sort(([left], [right]) => (left < right ? 1 : -1)),
  };
}

function resolveEntries(entries: Readonly<Record<string, unknown>>, base: URL): ImportMapEntries {
  const all = new Map<string, ResolvedSpecifier>();
  for (const [key, text] of Object.entries(entries)) {
    if (typeof text === "string")
      all.set(parseUrl(key, base)?.href ?? key, { text, url: parseUrl(text, base), base });
  }
  return all;
}

/** What a module at `importer` means by a specifier: the first map that names it decides. */
export function resolveSpecifier(
  specifier: string,
  importer: URL,
  maps: readonly ResolvedImportMap[],
): ResolvedSpecifier {
  const url = parseUrl(specifier, importer);
  const name = url?.href ?? specifier;
  for (const { entries, scopes } of maps) {
    const around = scopes.filter(([scope]) =>
      scope.endsWith("/") ? importer.href.startsWith(scope) : importer.href === scope,
    );
    for (const each of [...around.map(([, scoped]) => scoped), entries]) {
      const found = findMapped(name, each);
      if (found !== undefined) return found;
    }
  }
  return { text: specifier, url, base: importer };
}

function findMapped(name: string, entries: ImportMapEntries): ResolvedSpecifier | undefined {
  const exact = entries.get(name);
  if (exact !== undefined) return exact;
  let longest: string | undefined;
  for (const key of entries.keys()) {
    // What begins with the name of a package means a part of it, whether or not the map says so.
    const isPrefix = name.startsWith(key.endsWith("/") ? key : `${key}/`);
    const isPackage = /^(?:npm|jsr):/.test(entries.get(key)?.text ?? "");
    if (isPrefix && (key.endsWith("/") || isPackage) && key.length > (longest ?? "").length) longest = key;
  }
  const address = longest === undefined ? undefined : entries.get(longest);
  if (longest === undefined || address === undefined) return undefined;
  const rest = name.slice(longest.length);
  return { ...address, text: address.text + rest, url: parseUrl(`./${rest}`, address.url) ?? address.url };
}

/** Undefined for a bare name. */
function parseUrl(specifier: string, base: URL | undefined): URL | undefined {
  const against = /^\.{0,2}\//.test(specifier) ? base?.href : undefined;
  return URL.parse(specifier, against) ?? undefined;
}

/** Loaded on first use: few import maps have comments. */
function evaluateJson(text: string): unknown {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  const { jsonWithComments } = require("./json-with-comments") as typeof import("./json-with-comments");
  return jsonWithComments(text);
}
