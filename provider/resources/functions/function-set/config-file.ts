import { dirname, resolve } from "node:path";
import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { explainUnreadable, SourceFault } from "../shared/edge-functions/problems";
import {
  isInside,
  readNamedFile,
  resolveRealFolder,
  resolveRealPath,
  findRepository,
  tryStat,
} from "../../../core/regular-files";
import {
  mergeTables,
  parseToolConfig,
  tableOf,
  ToolConfigError,
  parseVariable,
  type ConfigTables,
} from "../shared/tool-config";
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

/**
 * The `[functions.<slug>]` sections of a configuration file of the platform's tool, with those of the `[remotes.<name>]`
 * block of the project. `isDeclared` tells what the program itself says, in which case the file's value does not count.
 */
export function readConfigFile(
  path: string,
  projectRef: string | undefined,
  isDeclared: (slug: string, input: string) => boolean,
): FunctionSections {
  const values = parseTables(
    path,
    explainUnreadable("configFile", () => readNamedFile(path)).toString("utf8"),
  );
  const remotes = Object.values(tableOf(values["remotes"])).filter(isObject);
  const remote = remotes.find(({ project_id: ref }) => ref !== undefined && ref === projectRef);
  const sections = mergeTables(tableOf(values["functions"]), tableOf(remote?.["functions"]));
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
    const isFromEnvironment = [given[key]].flat().some((each) => parseVariable(each) !== undefined);
    if (isFromEnvironment)
      throw createConfigFault(problems.configFromEnvironment.message({ ...where, input }));
    const read = schema.safeParse(given[key]);
    if (!read.success) throw createConfigFault(problems.configValue.message(where));
    values[key] = read.data;
  }
  const { enabled, verify_jwt: verifyJwt, ...paths } = z.object(KEYS).parse(values);
  const resolvePath = (each: string): string => resolveNamedPath(path, each);
  return {
    enabled,
    verifyJwt,
    importMap:
      paths.import_map === undefined || paths.import_map === "" ? undefined : resolvePath(paths.import_map),
    entrypoint: paths.entrypoint === undefined ? undefined : resolvePath(paths.entrypoint),
    staticFiles: paths.static_files?.map(resolvePath),
  };
}

/** The absolute path of what the file names, which may not lead out of the repository or the file's own folder. */
function resolveNamedPath(path: string, named: string): string {
  const folder = resolveRealFolder(dirname(resolve(path)));
  const place = resolve(dirname(path), named);
  // What has wildcards is no file; what they match is looked at where it is read.
  const real = tryStat(place) === undefined ? resolve(folder, named) : resolveRealPath(place);
  const isWithin = [folder, findRepository(folder)].some((each) => isInside(each, real));
  if (!isWithin) throw createConfigFault(problems.configPath.message({ path, named }));
  return place;
}

function parseTables(path: string, text: string): ConfigTables {
  try {
    return parseToolConfig(path, text);
  } catch (error) {
    if (!(error instanceof ToolConfigError)) throw error;
    throw createConfigFault(problems.configFile.message({ path, fault: error.message }));
  }
}

function createConfigFault(message: string): SourceFault {
  return new SourceFault("configFile", message);
}
