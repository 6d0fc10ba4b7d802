import { lstatSync, type Dirent } from "node:fs";
import { basename, join, posix } from "node:path";
import { readFileWithin, resolveRealFolder, UnreadableFile } from "../../provider/core/regular-files";
import { findUsualConfigFile } from "../../provider/resources/functions/shared/edge-functions/usual-config-file";
import {
  parseToolConfig,
  tableOf,
  ToolConfigError,
} from "../../provider/resources/functions/shared/tool-config";
import { readFolderEntries, escapeGlob, findGlobFiles } from "./glob-files";
import { quoteText, showPath } from "../../spec/shown-text";
import { InitError } from "./init-error";

/** What a preview is made of, as seen from the folder that was looked in. */
export interface RepositorySources {
  /** Of the platform's tool, beside the functions. */
  readonly configFile: string | undefined;
  readonly functions: string | undefined;
  readonly migrations: string | undefined;
  readonly seeds: readonly string[];
  /** The configuration switches the seed off, or names no file that is there. */
  readonly isSeedExcluded: boolean;
  /** Why something that could be expected is not named. */
  readonly notes: readonly string[];
}

/** What the user says of it. */
export type ChosenSources = Partial<Pick<RepositorySources, "functions" | "migrations" | "seeds">>;

/** Where the written program looks for what was not found. */
const USUAL = { migrations: "database/migrations", seed: "database/seed.sql", functions: "functions" };

const DEEPEST = 5;
const MOST_FOLDERS = 20_000;
/** What is built or installed, and what takes a migration back. */
const PASSED_OVER = new Set([
  "node_modules",
  "vendor",
  "dist",
  "build",
  "out",
  "target",
  "rollbacks",
  "preview",
]);
const MIGRATION = /^\d+_.*\.sql$/;
const SEED_FOLDER = /^seeds?$/;
const ENTRYPOINT = /^index\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Finds migrations, functions and seeds. Throws where two could be meant and none was chosen. */
export function findRepositorySources(dir: string, chosen: ChosenSources = {}): RepositorySources {
  for (const path of [chosen.migrations, chosen.functions, ...(chosen.seeds ?? [])])
    if (path !== undefined && !isThere(dir, path))
      throw new InitError(`Nothing was written, because ${showPath(path)} is not there.`);
  const found = findCandidates(dir);
  const notes: string[] = [];
  const migrations = chooseFolder("migrations", chosen.migrations, found.migrations);
  const functions = chooseFolder("functions", chosen.functions, found.functions);
  const findConfig = (folder: string | undefined): string | undefined =>
    folder === undefined ? undefined : findConfigFile(dir, posix.dirname(folder));
  const seedConfig = findConfig(migrations) ?? findConfig(functions);
  const { seeds, isSeedExcluded = false }: NamedSeeds =
    chosen.seeds !== undefined
      ? { seeds: chosen.seeds }
      : seedConfig === undefined
        ? { seeds: chooseSeed(found, migrations, notes) }
        : readSeeds(dir, seedConfig, notes);
  return { configFile: findConfig(functions), functions, migrations, seeds, isSeedExcluded, notes };
}

/** What the written program takes, and what it does not, for people. */
export function describeSources(
  { configFile, functions, migrations, seeds, isSeedExcluded, notes }: RepositorySources,
  folder: string,
) {
  const usualSeeds = isSeedExcluded ? [] : [USUAL.seed];
  const taken = [
    migrations ?? USUAL.migrations,
    ...(seeds.length === 0 ? usualSeeds : seeds),
    functions ?? USUAL.functions,
  ].map((path) => showPath(folder + path));
  const missing = [
    ...(migrations === undefined ? ["migrations"] : []),
    ...(seeds.length === 0 && !isSeedExcluded ? ["a seed"] : []),
    ...(functions === undefined ? ["functions"] : []),
  ];
  const seenFrom = folder === "" ? "" : `, which are seen from ${folder}`;
  return [
    `   ${folder}preview/index.ts takes ${taken.slice(0, -1).join(", ")} and ${taken.at(-1)}. Change the paths there${seenFrom}.`,
    ...(missing.length === 0
      ? []
      : [
          `   Not found: ${missing.join(", ")}. The preview does without, until they exist there, or the program names their place.`,
        ]),
    ...notes.map((note) => `   ${note}`),
    ...(configFile === undefined
      ? []
      : [`   It names ${showPath(folder + configFile)}, whose settings of the functions count.`]),
  ];
}

interface Candidates {
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
  readonly seeds: readonly string[];
  /** The SQL files of each folder of seeds. */
  readonly seedFolders: ReadonlyMap<string, readonly string[]>;
}

function findCandidates(dir: string): Candidates {
  const found = { migrations: [] as string[], functions: [] as string[], seeds: [] as string[] };
  const seedFolders = new Map<string, readonly string[]>();
  const waiting = [{ folder: "", depth: 0 }];
  for (let looked = 0; looked < MOST_FOLDERS; looked += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    const { folder, depth } = next;
    const entries = readFolderEntries(join(dir, folder));
    const name = basename(folder);
    const isOfTool = (of: string): boolean =>
      folder !== "" && name === of && findConfigFile(dir, posix.dirname(folder)) !== undefined;
    const isOfSeeds = folder !== "" && SEED_FOLDER.test(name);
    const hasMigrations = entries.some((entry) => entry.isFile() && MIGRATION.test(entry.name));
    if (isOfTool("migrations") || (hasMigrations && !isOfSeeds)) found.migrations.push(folder);
    const subfolders = entries.filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith(".") && !PASSED_OVER.has(entry.name),
    );
    if (name === "functions" && folder !== "") {
      const isFunction = (entry: Dirent): boolean =>
        readFolderEntries(join(dir, folder, entry.name)).some(
          (file) => file.isFile() && ENTRYPOINT.test(file.name),
        );
      if (isOfTool("functions") || subfolders.some(isFunction)) {
        found.functions.push(folder);
        continue;
      }
    }
    if (entries.some((entry) => entry.isFile() && entry.name === "seed.sql"))
      found.seeds.push(posix.join(folder, "seed.sql"));
    if (isOfSeeds) {
      const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".sql"));
      if (files.length > 0)
        seedFolders.set(folder, files.map((entry) => posix.join(folder, entry.name)).sort());
    }
    if (depth < DEEPEST)
      waiting.push(
        ...subfolders.map((entry) => ({ folder: posix.join(folder, entry.name), depth: depth + 1 })),
      );
  }
  return { ...found, seedFolders };
}

function findConfigFile(dir: string, folder: string): string | undefined {
  const usual = findUsualConfigFile(join(dir, folder, "functions"));
  if (usual === undefined) return undefined;
  const path = posix.join(folder, basename(usual));
  return lstatSync(join(dir, path), { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}

function isThere(dir: string, path: string): boolean {
  return lstatSync(join(dir, path), { throwIfNoEntry: false }) !== undefined;
}

function chooseFolder(
  what: "migrations" | "functions",
  chosen: string | undefined,
  found: readonly string[],
) {
  if (chosen !== undefined || found.length < 2) return chosen ?? found[0];
  throw new InitError(explainSeveral(`folders may hold the ${what}`, found, `--${what}`));
}

function explainSeveral(what: string, found: readonly string[], option: string): string {
  const shown = found.slice(0, 10).map(showPath).join(", ") + (found.length > 10 ? ", …" : "");
  return `Nothing was written, because ${found.length} ${what}: ${shown}. Say which with ${option}, or which application of the repository with --app.`;
}

/** The one beside the migrations, or the only one; without it, the only file of a folder of seeds, or those that are numbered. */
function chooseSeed(
  { seeds: found, seedFolders }: Candidates,
  migrations: string | undefined,
  notes: string[],
): readonly string[] {
  const beside = migrations === undefined ? undefined : posix.join(posix.dirname(migrations), "seed.sql");
  if (beside !== undefined && found.includes(beside)) return [beside];
  if (found.length > 1) throw new InitError(explainSeveral("files may be the seed", found, "--seed"));
  if (found.length > 0) return found;
  const files = [...seedFolders.values()].flat();
  const numbers = new Map(files.map((file) => [file, Number(/^\d+/.exec(posix.basename(file))?.[0] ?? NaN)]));
  const isOrdered = seedFolders.size === 1 && ![...numbers.values()].some(Number.isNaN);
  if (files.length < 2 || isOrdered)
    return files.toSorted((one, other) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0));
  for (const [folder, { length }] of seedFolders)
    notes.push(
      `${folder} has ${length === 1 ? "an SQL file" : `${length} SQL files`}, whose order is not known: name them with --seed, in their order.`,
    );
  return [];
}

type NamedSeeds = Pick<RepositorySources, "seeds"> & Partial<Pick<RepositorySources, "isSeedExcluded">>;

/** Files by `[db.seed]`: in the order of its patterns, those of a pattern by their names. */
function readSeeds(dir: string, configFile: string, notes: string[]): NamedSeeds {
  const folder = posix.dirname(configFile);
  const seed = readSeedSettings(dir, configFile, notes);
  if (seed["enabled"] === false) {
    notes.push(`${showPath(configFile)} switches the seed off, so the program names none.`);
    return { seeds: [], isSeedExcluded: true };
  }
  const listed = seed["sql_paths"];
  const patterns = Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : ["./seed.sql"];
  const files = patterns.flatMap((pattern) => {
    const matches = pattern.startsWith("/")
      ? []
      : findGlobFiles(dir, posix.join(escapeGlob(folder), pattern));
    if (matches.length === 0 && Array.isArray(listed))
      notes.push(
        `${showPath(configFile)} names the seed ${quoteText(pattern)}, which is no file of this folder.`,
      );
    return matches;
  });
  if (patterns.length === 0) notes.push(`${showPath(configFile)} names no seed, so the program names none.`);
  return { seeds: [...new Set(files)], isSeedExcluded: files.length === 0 && Array.isArray(listed) };
}

function readSeedSettings(
  dir: string,
  configFile: string,
  notes: string[],
): Readonly<Record<string, unknown>> {
  try {
    const text = readFileWithin(join(dir, configFile), [resolveRealFolder(dir)]).toString("utf8");
    return tableOf(tableOf(parseToolConfig(configFile, text)["db"])["seed"]);
  } catch (error) {
    notes.push(`What ${showPath(configFile)} says of the seed is not known: ${describeUnreadable(error)}.`);
    return {};
  }
}

function describeUnreadable(error: unknown): string {
  // Its message has the text, which may hold secrets.
  if (error instanceof SyntaxError) return "it is no JSON";
  if (error instanceof UnreadableFile) return `it ${error.why}`;
  if (error instanceof ToolConfigError) return error.message;
  throw error;
}
