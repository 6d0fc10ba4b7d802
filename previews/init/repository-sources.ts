import { lstatSync, type Dirent } from "node:fs";
import { basename, join, posix } from "node:path";
import { readFileWithin, resolveRealFolder, UnreadableFile } from "../../provider/core/regular-files";
import { findUsualConfigFile } from "../../provider/resources/functions/shared/edge-functions/usual-config-file";
import {
  parseToolConfig,
  tableOf,
  ToolConfigError,
  type ConfigTables,
} from "../../provider/resources/functions/shared/tool-config";
import { readFolderEntries, escapeGlob, findGlobFiles } from "./glob-files";
import { joinNames, quoteText, showPath } from "../../spec/shown-text";
import { InitError } from "./init-error";

/** What a preview is made of, as seen from the folder that was looked in. */
export interface RepositorySources {
  /** Of the platform's tool, beside the functions. */
  readonly configFile: string | undefined;
  readonly functions: string | undefined;
  readonly migrations: string | undefined;
  readonly seeds: readonly string[];
  /** Where the program looks for what was not found; nowhere for what the configuration excludes. */
  readonly places: { readonly migrations: string | undefined; readonly seed: string | undefined };
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
const MIGRATION_FOLDER = /^migrations?$/;
const SEED_FOLDER = /^seeds?$/;
const CONFIG_FILE = /^config\.(?:toml|jsonc?)$/;
const ENTRYPOINT = /^index\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Finds migrations, functions and seeds. Throws where two could be meant and none was chosen. */
export function findRepositorySources(dir: string, chosen: ChosenSources = {}): RepositorySources {
  for (const path of [chosen.migrations, chosen.functions, ...(chosen.seeds ?? [])])
    if (path !== undefined && !isThere(dir, path))
      throw new InitError(`Nothing was written, because ${showPath(path)} is not there.`);
  const found = findCandidates(dir);
  const notes: string[] = [];
  const read = createSettingsReader(dir, notes);
  const findConfig = (folder: string | undefined): string | undefined =>
    folder === undefined ? undefined : findConfigFile(dir, posix.dirname(folder));
  const isSwitchedOff = (folder: string): boolean => {
    const config = findConfig(folder);
    return config !== undefined && read(config).migrations["enabled"] === false;
  };
  const switchedOff = chosen.migrations === undefined ? found.migrations.filter(isSwitchedOff) : [];
  const offered = found.migrations.filter((folder) => !switchedOff.includes(folder));
  const migrations = chooseFolder("migrations", chosen.migrations, offered);
  if (migrations === undefined) notes.push(...found.otherSql.map(explainOtherSql));
  const functions = chooseFolder("functions", chosen.functions, found.functions);
  for (const folder of switchedOff)
    notes.push(
      `${showPath(findConfig(folder) ?? "")} switches the migrations off, so the program does not name ${showPath(folder)}.`,
    );
  const config =
    findConfig(migrations) ??
    findConfig(functions) ??
    findConfig(switchedOff[0]) ??
    findOnlyConfig(found.configFiles, read);
  const isWithoutMigrations = config !== undefined && read(config).migrations["enabled"] === false;
  const { seeds, place: seed }: NamedSeeds =
    chosen.seeds !== undefined
      ? { seeds: chosen.seeds, place: USUAL.seed }
      : config === undefined
        ? { seeds: chooseSeed(found, migrations, notes), place: USUAL.seed }
        : readSeeds(dir, config, read(config).seed, notes);
  const places = { migrations: isWithoutMigrations ? undefined : USUAL.migrations, seed };
  return { configFile: findConfig(functions), functions, migrations, seeds, places, notes };
}

/** What the written program takes, and what it does not, for people. */
export function describeSources(
  { configFile, functions, migrations, seeds, places, notes }: RepositorySources,
  folder: string,
) {
  const taken = [
    migrations ?? places.migrations,
    ...(seeds.length === 0 ? [places.seed] : seeds),
    functions ?? USUAL.functions,
  ]
    .filter((path) => path !== undefined)
    .map((path) => showPath(folder + path));
  const missing = [
    ...(migrations === undefined && places.migrations !== undefined ? ["migrations"] : []),
    ...(seeds.length === 0 && places.seed !== undefined ? ["a seed"] : []),
    ...(functions === undefined ? ["functions"] : []),
  ];
  const seenFrom = folder === "" ? "" : `, which are seen from ${folder}`;
  return [
    `   ${folder}preview/index.ts names ${joinNames(taken)}. Change the paths there${seenFrom}.`,
    ...(missing.length === 0
      ? []
      : [
          `   Not found: ${missing.join(", ")}. The preview does without, until they exist there, or the program names their place.`,
        ]),
    ...notes.map((note) => `   ${note}`),
    ...(configFile === undefined
      ? []
      : [
          `   ${folder}preview/index.ts names ${showPath(folder + configFile)}, whose settings of the functions count.`,
        ]),
  ];
}

/** A folder that looks like one of migrations, and whose files a `MigrationSet` takes for none. */
interface OtherSql {
  readonly folder: string;
  readonly files: readonly string[];
}

function explainOtherSql({ folder, files: [first = "", ...others] }: OtherSql): string {
  const named = `${showPath(posix.join(folder, first))}${others.length === 0 ? "" : ` and ${others.length} more`}`;
  return (
    `${named} ${others.length === 0 ? "is" : "are"} named otherwise than migrations are: <version>_<name>.sql, with a version of digits, ` +
    "as 20260101000000_users.sql. Rename what is a migration."
  );
}

interface Candidates {
  readonly migrations: readonly string[];
  readonly otherSql: readonly OtherSql[];
  readonly functions: readonly string[];
  readonly seeds: readonly string[];
  /** The SQL files of each folder of seeds. */
  readonly seedFolders: ReadonlyMap<string, readonly string[]>;
  /** Of the platform's tool. */
  readonly configFiles: readonly string[];
}

function findCandidates(dir: string): Candidates {
  const found = {
    ...{ migrations: [] as string[], functions: [] as string[], seeds: [] as string[] },
    otherSql: [] as OtherSql[],
    configFiles: [] as string[],
  };
  const seedFolders = new Map<string, readonly string[]>();
  const waiting = [{ folder: "", depth: 0 }];
  for (let looked = 0; looked < MOST_FOLDERS; looked += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    const { folder, depth } = next;
    const entries = readFolderEntries(join(dir, folder));
    const name = basename(folder);
    const ownConfig = entries.some((entry) => CONFIG_FILE.test(entry.name))
      ? findConfigFile(dir, folder)
      : undefined;
    if (ownConfig !== undefined) found.configFiles.push(ownConfig);
    const isOfTool = (of: string): boolean =>
      folder !== "" && name === of && findConfigFile(dir, posix.dirname(folder)) !== undefined;
    const isOfSeeds = folder !== "" && SEED_FOLDER.test(name);
    const sqlFiles = entries.flatMap((entry) =>
      entry.isFile() && entry.name.endsWith(".sql") ? [entry.name] : [],
    );
    sqlFiles.sort();
    const hasMigrations = sqlFiles.some((file) => MIGRATION.test(file));
    if (isOfTool("migrations") || (hasMigrations && !isOfSeeds)) found.migrations.push(folder);
    else if (MIGRATION_FOLDER.test(name) && sqlFiles.length > 0)
      found.otherSql.push({ folder, files: sqlFiles });
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
    if (sqlFiles.includes("seed.sql")) found.seeds.push(posix.join(folder, "seed.sql"));
    if (isOfSeeds && sqlFiles.length > 0)
      seedFolders.set(
        folder,
        sqlFiles.map((file) => posix.join(folder, file)),
      );
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

interface NamedSeeds {
  readonly seeds: readonly string[];
  /** Where a seed may be later. */
  readonly place: string | undefined;
}

/** Files by `[db.seed]`: in the order of its patterns, those of a pattern by their names. */
function readSeeds(dir: string, configFile: string, seed: ConfigTables, notes: string[]): NamedSeeds {
  const folder = posix.dirname(configFile);
  if (seed["enabled"] === false) {
    notes.push(`${showPath(configFile)} switches the seed off, so the program names none.`);
    return { seeds: [], place: undefined };
  }
  const listed = seed["sql_paths"];
  if (!Array.isArray(listed)) {
    const usual = posix.join(folder, "seed.sql");
    return { seeds: findGlobFiles(dir, escapeGlob(usual)), place: usual };
  }
  const patterns = listed.filter((each) => typeof each === "string");
  const files = patterns.flatMap((pattern) => {
    const matches = pattern.startsWith("/")
      ? []
      : findGlobFiles(dir, posix.join(escapeGlob(folder), pattern));
    if (matches.length === 0)
      notes.push(
        `${showPath(configFile)} names the seed ${quoteText(pattern)}, which is no file of this folder.`,
      );
    return matches;
  });
  if (patterns.length === 0) notes.push(`${showPath(configFile)} names no seed, so the program names none.`);
  return { seeds: [...new Set(files)], place: undefined };
}

/** What a configuration file says of the database's files. */
interface DatabaseSettings {
  readonly migrations: ConfigTables;
  readonly seed: ConfigTables;
}

type SettingsReader = (configFile: string) => DatabaseSettings;

/** Reads each file once, and notes once what cannot be read. */
function createSettingsReader(dir: string, notes: string[]): SettingsReader {
  const known = new Map<string, DatabaseSettings>();
  return (configFile) => {
    const before = known.get(configFile);
    if (before !== undefined) return before;
    const database = readDatabaseTable(dir, configFile, notes);
    const settings = { migrations: tableOf(database["migrations"]), seed: tableOf(database["seed"]) };
    known.set(configFile, settings);
    return settings;
  };
}

function readDatabaseTable(dir: string, configFile: string, notes: string[]): ConfigTables {
  try {
    const text = readFileWithin(join(dir, configFile), [resolveRealFolder(dir)]).toString("utf8");
    return tableOf(parseToolConfig(configFile, text)["db"]);
  } catch (error) {
    notes.push(
      `What ${showPath(configFile)} says of migrations and seeds is not known: ${describeUnreadable(error)}.`,
    );
    return {};
  }
}

/** The one that says something of them, where neither migrations nor functions are beside it. */
function findOnlyConfig(configFiles: readonly string[], read: SettingsReader): string | undefined {
  const [only, ...others] = configFiles.filter((configFile) => {
    const { migrations, seed } = read(configFile);
    return Object.keys(migrations).length + Object.keys(seed).length > 0;
  });
  return others.length === 0 ? only : undefined;
}

function describeUnreadable(error: unknown): string {
  // Its message has the text, which may hold secrets.
  if (error instanceof SyntaxError) return "it is no JSON";
  if (error instanceof UnreadableFile) return `it ${error.why}`;
  if (error instanceof ToolConfigError) return error.message;
  throw error;
}
