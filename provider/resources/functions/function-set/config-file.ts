import { dirname, resolve } from "node:path";
import type * as Toml from "smol-toml" with { "resolution-mode": "import" };
import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { jsonOf } from "../shared/edge-functions/source-imports";
import { readable, SourceFault } from "../shared/edge-functions/problems";
import {
  isInside,
  readNamedFile,
  realFolder,
  realPathOf,
  repositoryOf,
  statsOf,
} from "../../../define/regular-files";
import { problems } from "./problems";

/** What a configuration file says of one function; paths are absolute. */
export interface FunctionSection {
  /** False for a function that is neither deployed nor removed. */
  readonly enabled?: boolean | undefined;
  readonly verifyJwt?: boolean | undefined;
  readonly importMap?: string | undefined;
  readonly entrypoint?: string | undefined;
  readonly staticFiles?: readonly string[] | undefined;
}

export type FunctionSections = ReadonlyMap<string, FunctionSection>;

/** Keys of a section, as the program declares what they say. */
const KEYS = {
  enabled: z.boolean().optional(),
  verify_jwt: z.boolean().optional(),
  import_map: z.string().optional(),
  entrypoint: z.string().optional(),
  static_files: z.array(z.string()).optional(),
};
const DECLARED_AS: Readonly<Record<keyof typeof KEYS, string>> = {
  enabled: "exclude",
  verify_jwt: "verifyJwt",
  import_map: "importMapPath",
  entrypoint: "entrypointPath",
  static_files: "staticPatterns",
};
const ENVIRONMENT = /^env\(.*\)$/;

type Tables = Readonly<Record<string, unknown>>;

/**
 * The `[functions.<slug>]` sections of a configuration file of the platform's tool, with those of the `[remotes.<name>]`
 * block of the project. `isDeclared` tells what the program itself says, in which case the file's value does not count.
 */
export function readConfigFile(
  path: string,
  projectRef: string | undefined,
  isDeclared: (slug: string, input: string) => boolean,
): FunctionSections {
  const values = tablesIn(path, readable("configFile", () => readNamedFile(path)).toString("utf8"));
  const remotes = Object.values(tableOf(values["remotes"])).filter(isObject);
  const remote = remotes.find(({ project_id: ref }) => ref !== undefined && ref === projectRef);
  const sections = merged(tableOf(values["functions"]), tableOf(remote?.["functions"]));
  return new Map(
    Object.entries(sections).map(([slug, section]) => [slug, sectionOf(path, slug, section, isDeclared)]),
  );
}

function sectionOf(
  path: string,
  slug: string,
  section: unknown,
  isDeclared: (slug: string, input: string) => boolean,
): FunctionSection {
  const given = tableOf(section);
  const values: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(KEYS)) {
    const input = DECLARED_AS[key as keyof typeof KEYS];
    if (given[key] === undefined || isDeclared(slug, input)) continue;
    const where = { path, key: `functions.${slug}.${key}` };
    const isFromEnvironment = [given[key]]
      .flat()
      .some((each) => typeof each === "string" && ENVIRONMENT.test(each));
    if (isFromEnvironment) throw fault(problems.configFromEnvironment.message({ ...where, input }));
    const read = schema.safeParse(given[key]);
    if (!read.success) throw fault(problems.configValue.message(where));
    values[key] = read.data;
  }
  const { enabled, verify_jwt: verifyJwt, ...paths } = z.object(KEYS).parse(values);
  const placed = (each: string): string => placeOf(path, each);
  return {
    enabled,
    verifyJwt,
    importMap:
      paths.import_map === undefined || paths.import_map === "" ? undefined : placed(paths.import_map),
    entrypoint: paths.entrypoint === undefined ? undefined : placed(paths.entrypoint),
    staticFiles: paths.static_files?.map(placed),
  };
}

/** The absolute path of what the file names, which may not lead out of the repository or the file's own folder. */
function placeOf(path: string, named: string): string {
  const folder = realFolder(dirname(resolve(path)));
  const place = resolve(dirname(path), named);
  // What has wildcards is no file; what they match is looked at where it is read.
  const real = statsOf(place) === undefined ? resolve(folder, named) : realPathOf(place);
  const isWithin = [folder, repositoryOf(folder)].some((each) => isInside(each, real));
  if (!isWithin) throw fault(problems.configPath.message({ path, named }));
  return place;
}

function tablesIn(path: string, text: string): Tables {
  if (/\.jsonc?$/.test(path)) {
    const values = jsonOf(text);
    if (isObject(values)) return values;
    throw fault(problems.configFile.message({ path, fault: "it is not a JSON object" }));
  }
  const { parse, TomlError } = toml();
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // What follows the first line are lines of the file, which may hold secrets.
    const [what = ""] = error.message.split("\n");
    const where = `line ${error.line}, column ${error.column}`;
    throw fault(problems.configFile.message({ path, fault: `${where}: ${what}` }));
  }
}

/** Loaded on first use, as CommonJS: only its types are those of a module. */
function toml() {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  return require("smol-toml") as typeof Toml;
}

function tableOf(value: unknown): Tables {
  return isObject(value) ? value : {};
}

/** Table by table and key by key; all else of the second is instead of the first. */
function merged(base: Tables, over: Tables): Tables {
  const entries = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(value) && isObject(below) ? merged(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(entries) };
}

function fault(message: string): SourceFault {
  return new SourceFault("configFile", message);
}
