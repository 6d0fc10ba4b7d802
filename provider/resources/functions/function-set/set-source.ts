import { join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { formatRelativePath } from "../../../../spec/relative-path";
import {
  DEFAULT_ENTRYPOINT,
  hashSource,
  readSource,
  type SourceInputs,
} from "../shared/edge-functions/source";
import { explainUnreadable, SourceFault } from "../shared/edge-functions/problems";
import { listSortedKeys, refuseEmpty } from "../shared/empty-source";
import { functionSlug, sourceFields, verifyJwt } from "../shared/edge-functions/source-fields";
import { findUsualConfigFile } from "../shared/edge-functions/usual-config-file";
import { readEntries, tryStat } from "../../../core/regular-files";
import { formatCodeList } from "../../../define/format-code-list";
import { traitsOf } from "../../../define/markers";
import type { CheckFailure, CheckResult } from "../../../define/resource";
import { readConfigFile, type FunctionSection, type FunctionSections } from "./config-file";
import { problems } from "./problems";

/** What the program says of one function. */
export const functionOptions = z
  .strictObject({
    verifyJwt,
    ...sourceFields,
  })
  .meta({ id: "FunctionSetOptions", description: "Settings of a function in a set." });

/** What a function is to be: a change of the hash deploys it. */
export const deployment = z
  .object({
    sourceHash: z.string().describe("SHA-256 of everything to deploy."),
    verifyJwt: z.boolean().describe("Whether a call requires a valid JWT, if declared.").optional(),
  })
  .meta({ id: "FunctionSetDeployment", description: "Desired state of a function in a set." });

export type FunctionDeployment = z.output<typeof deployment>;
export type FunctionDeployments = Readonly<Record<string, FunctionDeployment>>;

type FunctionOptions = z.output<typeof functionOptions>;

/** The inputs that say which functions a set has. */
export interface SetSource {
  readonly projectRef?: string | undefined;
  readonly sourceDir?: string | undefined;
  readonly configFile?: string | undefined;
  readonly functions?: Readonly<Record<string, FunctionOptions>> | undefined;
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly prune?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** A function of a set: where its source is, and what else is declared of it. */
interface SetFunction extends SourceInputs {
  readonly verifyJwt?: boolean | undefined;
}

/** What a folder and what is said of it come to. */
interface SetContents {
  /** By slug, in the order of the slugs. */
  readonly functions: ReadonlyMap<string, SetFunction>;
  /** Names that the set neither deploys nor removes. */
  readonly unmanaged: readonly string[];
  /** Folders without an entrypoint. */
  readonly skipped: readonly string[];
  readonly hasFolders: boolean;
  readonly failures: readonly CheckFailure[];
}

/** The sources of the functions of a set by slug. */
export function readSources(set: SetSource): ReadonlyMap<string, SetFunction> {
  return readContents(set).functions;
}

/** The slugs alone: those of a state, or those that are declared as far as the folder can be read. */
export function listDeclaredSlugs({
  names,
  ...set
}: SetSource & { readonly names?: readonly string[] }): readonly string[] {
  if (names !== undefined) return names;
  try {
    return typeof set.sourceDir === "string" ? [...readContents(set).functions.keys()] : [];
  } catch {
    // The check reports a folder that cannot be read.
    return [];
  }
}

interface ComputedSetInputs {
  readonly deployments?: Record<string, FunctionDeployment> | undefined;
  readonly unmanaged?: string[] | undefined;
}

/** Reads every source where it is known: what is wrong with them, and what each function is to be. */
export function checkSet(
  given: SetSource,
  isUnknown: (name: keyof SetSource) => boolean,
  before: Readonly<Record<string, unknown>> = {},
): CheckResult<ComputedSetInputs> {
  const { sourceDir, configFile } = given;
  if (sourceDir === undefined || DECIDING.some(isUnknown)) return {};
  const had = listSortedKeys(before["deployments"]);
  const contents = catchFault(() => readContents(given));
  if (contents instanceof SourceFault)
    return { failures: [{ path: contents.property, reason: contents.message }] };
  const { functions, unmanaged, skipped } = contents;
  const isEmpty = functions.size === 0 && (contents.failures.length === 0 || !contents.hasFolders);
  const lost = skipped.filter((name) => had.includes(name));
  if (isEmpty && lost.length === 0 && !isUnknown("allowEmpty")) {
    const gone = had.filter((name) => !unmanaged.includes(name));
    const emptied = refuseEmpty("sourceDir", sourceDir, given, gone);
    // That folders of single functions are missing follows from it.
    if (emptied.length > 0) return { failures: emptied };
  }
  const failures: CheckFailure[] = [...contents.failures];
  for (const name of lost)
    failures.push({
      path: "sourceDir",
      reason: problems.noEntrypoint.message({ name, entrypoint: DEFAULT_ENTRYPOINT }),
    });
  const deployments: Record<string, FunctionDeployment> = {};
  const warnings: string[] = [];
  for (const [name, source] of functions) {
    const read = catchFault(() => readSource(source));
    const fail = (fault: string): void => {
      failures.push({ path: "sourceDir", reason: problems.unusableSource.message({ name, fault }) });
    };
    if (read instanceof SourceFault) {
      fail(read.message);
      continue;
    }
    const made = deploymentOf(source, read);
    const { syntaxFault } = read;
    if (syntaxFault !== undefined && findSetHash(before, name) !== made.sourceHash) {
      fail(syntaxFault);
      continue;
    }
    const told = syntaxFault === undefined ? read.warnings : [...read.warnings, syntaxFault];
    warnings.push(...told.map((warning) => `${name}: ${warning}`));
    deployments[name] = made;
  }
  if (failures.length > 0) return { failures };
  const staying = unmanaged.filter((name) => had.includes(name));
  return {
    computed: unmanaged.length > 0 ? { deployments, unmanaged: [...unmanaged] } : { deployments },
    notes: [
      ...(skipped.length > 0 ? [describeSkipped(skipped)] : []),
      ...(configFile === undefined ? describeUnappliedSettings(before, deployments) : []),
    ],
    warnings: [
      ...warnings,
      ...(staying.length > 0 ? [problems.leftAlone.message({ names: formatCodeList(staying) })] : []),
      ...warnOfUnread(given, functions, deployments),
    ],
  };
}

/** The hash with which a function was deployed, as far as the state knows it. */
function findSetHash({ deployments }: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return z.record(z.string(), deployment).safeParse(deployments).data?.[name]?.sourceHash;
}

/** What a configuration file said of functions, where it is no longer named and nothing else says it. */
function describeUnappliedSettings(
  { configFile, deployments }: Readonly<Record<string, unknown>>,
  now: FunctionDeployments,
): string[] {
  const before = z.record(z.string(), deployment).safeParse(deployments).data ?? {};
  if (configFile === undefined) return [];
  return Object.keys(now)
    .filter((slug) => before[slug]?.verifyJwt !== undefined && now[slug]?.verifyJwt === undefined)
    .map((slug) => `verifyJwt of ${slug}: no longer managed, stays ${before[slug]?.verifyJwt}.`);
}

/** What must be known before the functions of a set are. */
const DECIDING = ["configFile", "functions", "only", "exclude"] as const;

function describeSkipped(skipped: readonly string[]): string {
  const [are, they] =
    skipped.length === 1 ? ["is not a function", "it has"] : ["are not functions", "they have"];
  return `${formatCodeList(skipped)} ${are}, because ${they} no ${DEFAULT_ENTRYPOINT}.`;
}

function readContents(set: SetSource): SetContents {
  const { sourceDir = "", configFile, functions: options = {}, only, exclude = [] } = set;
  const folders = listFolders(sourceDir);
  const sections: FunctionSections =
    configFile === undefined
      ? new Map<string, FunctionSection>()
      : readConfigFile(configFile, set.projectRef, (slug, input) => isDeclaredInput(set, slug, input));
  const failures: CheckFailure[] = [];
  const functions = new Map<string, SetFunction>();
  const unmanaged: string[] = [];
  const skipped: string[] = [];
  const all = [...new Set([...folders, ...sections.keys()])].sort();
  for (const name of all) {
    const section = sections.get(name);
    const isChosen = (only === undefined || only.includes(name)) && !exclude.includes(name);
    if (!isChosen || section?.enabled === false) {
      unmanaged.push(name);
      continue;
    }
    const isDeclared = Object.hasOwn(options, name) || section !== undefined;
    const hasEntrypoint = tryStat(join(sourceDir, name, DEFAULT_ENTRYPOINT))?.isFile() === true;
    if (!hasEntrypoint && !isDeclared && only === undefined) {
      skipped.push(name);
    } else if (!functionSlug.safeParse(name).success) {
      const form = traitsOf(functionSlug).form ?? "";
      failures.push({ path: "sourceDir", reason: problems.noSlug.message({ name, form }) });
    } else if (!folders.includes(name) && section?.entrypoint === undefined) {
      failures.push(createMissingFolderError("configFile", name, sourceDir));
    } else {
      functions.set(name, sourceOf(set, name, folders.includes(name), section));
    }
  }
  const listAbsent = (names: readonly string[]): string[] => names.filter((name) => !all.includes(name));
  for (const name of listAbsent(Object.keys(options)))
    failures.push(createMissingFolderError(`functions.${name}`, name, sourceDir));
  for (const name of listAbsent(only ?? [])) failures.push(createMissingFolderError("only", name, sourceDir));
  for (const name of listAbsent(exclude)) failures.push(createMissingFolderError("exclude", name, sourceDir));
  return { functions, unmanaged, skipped, hasFolders: folders.length > 0, failures };
}

function createMissingFolderError(path: string, name: string, folder: string): CheckFailure {
  return { path, reason: problems.noFolder.message({ name, folder }) };
}

/** Whether the program says itself what a key of a section would say. */
function isDeclaredInput(
  { functions = {}, only, exclude = [] }: SetSource,
  slug: string,
  input: string,
): boolean {
  if (input === "exclude") return exclude.includes(slug) || only?.includes(slug) === true;
  return functions[slug]?.[input as keyof FunctionOptions] !== undefined;
}

/** Where a function is and what is said of it, by its section first and by the program in its place. */
function sourceOf(
  { sourceDir = "", functions = {} }: SetSource,
  slug: string,
  hasFolder: boolean,
  section: FunctionSection = {},
): SetFunction {
  const { entrypoint, importMap, staticFiles } = section;
  const folder = hasFolder || entrypoint === undefined ? resolve(sourceDir, slug) : resolve(entrypoint, "..");
  const within = (path: string): string => formatRelativePath(folder, path);
  const said = Object.entries({
    verifyJwt: section.verifyJwt,
    entrypointPath: entrypoint && within(entrypoint),
    importMapPath: importMap && within(importMap),
    staticPatterns: staticFiles?.map(within),
    ...functions[slug],
  }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(said), sourceDir: folder, functionsDir: sourceDir };
}

/** How many functions a warning names. */
const MOST_NAMED = 10;

/** The functions that a configuration file which the tool would read says otherwise, and the program does not name. */
function warnOfUnread(
  set: SetSource,
  functions: ReadonlyMap<string, SetFunction>,
  deployments: FunctionDeployments,
): string[] {
  const { sourceDir = "", configFile } = set;
  const path = configFile === undefined ? findUsualConfigFile(sourceDir) : undefined;
  if (path === undefined) return [];
  const other = catchFault(() => readContents({ ...set, configFile: path }));
  if (other instanceof SourceFault || isDeepStrictEqual(functions, other.functions)) return [];
  const isOther = (slug: string): boolean => {
    const source = other.functions.get(slug);
    if (isDeepStrictEqual(functions.get(slug), source)) return false;
    const made = source && catchFault(() => deploymentOf(source, readSource(source)));
    return !isDeepStrictEqual(deployments[slug], made);
  };
  // Those that the file opens to everybody matter most: a webhook is refused without it.
  const rank = (slug: string): number => (other.functions.get(slug)?.verifyJwt === false ? 0 : 1);
  const differing = [...new Set([...functions.keys(), ...other.functions.keys()])]
    .filter(isOther)
    .sort()
    .sort((one, another) => rank(one) - rank(another));
  return differing.length === 0
    ? []
    : [
        problems.unreadConfigFile.message({
          path: relative("", path),
          names: formatCodeList(differing, MOST_NAMED),
        }),
      ];
}

/** What a function is to be, by what was read of its source. */
function deploymentOf(
  { verifyJwt: isVerified }: SetFunction,
  read: ReturnType<typeof readSource>,
): FunctionDeployment {
  const sourceHash = hashSource(read);
  return isVerified === undefined ? { sourceHash } : { sourceHash, verifyJwt: isVerified };
}

/** The folders that may be functions: those that neither begin with `_`, which are shared, nor are hidden or installed. */
function listFolders(folder: string): string[] {
  const entries = explainUnreadable("sourceDir", () => readEntries(folder)).filter(
    ({ name }) => !/^[._]/.test(name) && name !== "node_modules",
  );
  const linked = entries.find(
    (entry) => entry.isSymbolicLink() && tryStat(join(folder, entry.name))?.isDirectory(),
  );
  if (linked !== undefined)
    throw new SourceFault("sourceDir", problems.linkedFolder.message({ name: linked.name }));
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function catchFault<T>(work: () => T): T | SourceFault {
  try {
    return work();
  } catch (error) {
    if (error instanceof SourceFault) return error;
    throw error;
  }
}
