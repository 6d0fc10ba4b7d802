import { posix } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../client/json-in";

const CODE = /\.[cm]?[jt]sx?$/;

export function isModule(path: string): boolean {
  return CODE.test(path);
}

const addresses = z.record(z.string(), z.unknown()).catch({});
const importMapSchema = z.object({
  imports: addresses,
  scopes: z.record(z.string(), addresses).catch({}),
  importMap: z.string().optional().catch(undefined),
});

/** What bare specifiers mean: the `imports` and `scopes` of a `deno.json` or an import map. */
export interface ImportMap {
  /** The file that holds it, relative to the source folder. */
  readonly path: string;
  readonly imports: Readonly<Record<string, unknown>>;
  readonly scopes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Another file that this one names as its import map. */
  readonly elsewhere: string | undefined;
}

/** Reads an import map, comments and trailing commas allowed; undefined when it is not JSON of that shape. */
export function parseImportMap(path: string, text: string): ImportMap | undefined {
  const parsed = importMapSchema.safeParse(jsonIn(text) ?? withComments(text));
  if (!parsed.success) return undefined;
  const { imports, scopes, importMap } = parsed.data;
  const elsewhere = importMap !== undefined && isRelative(importMap) ? besides(path, importMap) : undefined;
  return { path, imports, scopes, elsewhere };
}

/**
 * The file a specifier names, relative to the source folder; undefined when it is no file of this machine. `canonical`
 * gives a path by way of a parent folder, as `../hello/text.ts` within `hello`, its one form.
 */
export function resolveImport(
  specifier: string,
  importer: string,
  maps: readonly ImportMap[],
  canonical: (path: string) => string,
): string | undefined {
  const bare = specifier.replace(/[?#].*$/, "");
  if (isRelative(bare)) return canonical(besides(importer, bare));
  for (const map of maps) {
    const isWithin = (scope: string): boolean => {
      const folder = canonical(besides(map.path, scope));
      return folder === "" || importer.startsWith(`${folder}/`);
    };
    const scopes = Object.keys(map.scopes)
      .filter(isWithin)
      .sort((a, b) => b.length - a.length)
      .map((scope) => map.scopes[scope] ?? {});
    for (const entries of [...scopes, map.imports]) {
      const address = addressOf(bare, entries);
      if (address !== undefined)
        return isRelative(address) ? canonical(besides(map.path, address)) : undefined;
    }
  }
  return undefined;
}

function addressOf(specifier: string, entries: Readonly<Record<string, unknown>>): string | undefined {
  const prefixes = Object.keys(entries).filter((key) => key.endsWith("/") && specifier.startsWith(key));
  const [longest] = prefixes.sort((a, b) => b.length - a.length);
  const key = Object.hasOwn(entries, specifier) ? specifier : longest;
  const address = key === undefined ? undefined : entries[key];
  return key !== undefined && typeof address === "string" ? address + specifier.slice(key.length) : undefined;
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

function besides(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier).replace(/^\.\//, "");
}

/** Loaded on first use: few import maps have comments. */
function withComments(text: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  const { jsonWithComments } = require("./json-with-comments") as typeof import("./json-with-comments");
  return jsonWithComments(text);
}
