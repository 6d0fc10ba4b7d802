import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readFileWithin, realFolder, UnreadableFile } from "../../provider/define/regular-files";
import { usualConfigFile } from "../../provider/resources/functions/shared/edge-functions/usual-config-file";
import { VERSION } from "../../provider/version.generated";

export type ForgeName = "github" | "gitlab";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** npm leaves files of this name out of a package. */
const IGNORED = "preview/.gitignore";
const PROGRAM = [
  IGNORED,
  "preview/Pulumi.yaml",
  "preview/index.ts",
  "preview/package.json",
  "preview/tsconfig.json",
];
const GITLAB_PIPELINE = ".gitlab-ci.yml";
/** Beside a pipeline of the repository's own, which includes it. */
const GITLAB_INCLUDED = ".gitlab/previews.yml";
const FILES: Readonly<Record<ForgeName, readonly string[]>> = {
  github: [".github/workflows/preview.yml", ".github/workflows/sweep.yml", ...PROGRAM],
  gitlab: [GITLAB_PIPELINE, ...PROGRAM],
};

export interface InitOptions {
  /** The repository. */
  readonly dir: string;
  /** By the repository's remote when absent. */
  readonly forge?: ForgeName;
  /** Overwrites what is there and different. */
  readonly force?: boolean;
}

export interface Initialised {
  readonly forge: ForgeName;
  readonly written: readonly string[];
  /** They were there as they are to be. */
  readonly unchanged: readonly string[];
  /** The configuration file of the platform's tool that the program names. */
  readonly configFile: string | undefined;
  /** The file that the repository's own pipeline has to include. */
  readonly toInclude: string | undefined;
}

/** A repository into which nothing was written, and why. */
export class InitError extends Error {}

/** Writes the files of the example into a repository: all, or none where one is there and different. */
export function writeFiles({ dir, force = false, ...options }: InitOptions): Initialised {
  if (!existsSync(dir)) throw new InitError(`The folder ${dir} does not exist.`);
  const forge = options.forge ?? detectForge(dir);
  const configured = configuredFunctions(dir);
  const textOf = (path: string): string => textFor(path, configured);
  const written: string[] = [];
  const unchanged: string[] = [];
  const different: string[] = [];
  const toInclude = forge === "gitlab" && hasOwnPipeline(dir, textOf) ? GITLAB_INCLUDED : undefined;
  const paths = FILES[forge].map((path) => (path === GITLAB_PIPELINE ? (toInclude ?? path) : path));
  for (const path of paths) {
    const there = readRepositoryFile(dir, path);
    if (there === undefined) written.push(path);
    else if (there === textOf(path)) unchanged.push(path);
    else different.push(path);
  }
  if (different.length > 0 && !force) {
    throw new InitError(
      `Nothing was written, because these files exist and differ: ${different.join(", ")}. Pass --force to overwrite them, or another --dir and copy what you need from there.`,
    );
  }
  const all = [...written, ...different];
  for (const path of all) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    const file = openSync(join(dir, path), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    try {
      writeFileSync(file, textOf(path));
    } finally {
      closeSync(file);
    }
  }
  return { forge, written: all, unchanged, configFile: configured?.configFile, toInclude };
}

/** A pipeline that is not ours stays as it is. */
function hasOwnPipeline(dir: string, textOf: (path: string) => string): boolean {
  const there = readRepositoryFile(dir, GITLAB_PIPELINE);
  return there !== undefined && there !== textOf(GITLAB_PIPELINE);
}

/** What a file of the repository says; undefined where there is none. Nothing is read, and later written, through a link. */
function readRepositoryFile(dir: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const place = parts.slice(0, depth).join("/");
    const found = lstatSync(join(dir, place), { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const isLast = depth === parts.length;
    if (found.isSymbolicLink()) throw refused(`${place} is a link`);
    if (isLast && !found.isFile()) throw refused(`${place} is not a regular file`);
    if (!isLast && !found.isDirectory()) throw refused(`${place} is not a folder`);
  }
  return readFileWithin(join(dir, path), [realFolder(dir)]).toString("utf8");
}

function refused(why: string): InitError {
  return new InitError(`Nothing was written, because ${why}. Remove it, or pass another --dir.`);
}

/** A folder of functions with the configuration file of the platform's tool beside it, both as seen from the repository. */
interface ConfiguredFunctions {
  readonly functions: string;
  readonly configFile: string;
}

/** In the repository itself or a folder of it; undefined where there is none, or more than one to choose from. */
function configuredFunctions(dir: string): ConfiguredFunctions | undefined {
  const folders = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => name);
  const found = ["", ...folders].flatMap((folder): ConfiguredFunctions[] => {
    const functions = folder === "" ? "functions" : `${folder}/functions`;
    const isFolder = lstatSync(join(dir, functions), { throwIfNoEntry: false })?.isDirectory() === true;
    const path = isFolder ? usualConfigFile(join(dir, functions)) : undefined;
    const isFile = path !== undefined && lstatSync(path).isFile();
    return isFile ? [{ functions, configFile: join(dirname(functions), basename(path)) }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** A file of the example, for this version of the package and these functions. */
function textFor(path: string, configured: ConfiguredFunctions | undefined): string {
  if (path === IGNORED) return "node_modules/\nPulumi.*.yaml\n";
  // The package finds its own files by its name, as programs and states find it.
  const root = dirname(require.resolve("pulumi-management/package.json"));
  const source = path === GITLAB_INCLUDED ? GITLAB_PIPELINE : path;
  const text = readFileSync(join(root, "examples/preview-environments", source), "utf8");
  if (path === "preview/package.json")
    return text.replace('"pulumi-management": "*"', `"pulumi-management": "^${VERSION}"`);
  return path === "preview/index.ts" && configured !== undefined ? withConfigFile(text, configured) : text;
}

function withConfigFile(program: string, { functions, configFile }: ConfiguredFunctions): string {
  const named = (path: string): string => JSON.stringify(`../${path}`);
  return program
    .replace(
      'const functions = ifThere("../functions");',
      () =>
        `const functions = ifThere(${named(functions)});\n` +
        "// What the platform's tool reads of these functions counts here as well.\n" +
        `const functionsConfigFile = ${named(configFile)};`,
    )
    .replace("{ functions }", "{ functions, functionsConfigFile }");
}

function detectForge(dir: string): ForgeName {
  const remotes = remotesIn(dir);
  const isGitLab = existsSync(join(dir, ".gitlab-ci.yml")) || remotes.includes("gitlab");
  const isGitHub = existsSync(join(dir, ".github")) || remotes.includes("github");
  if (isGitHub !== isGitLab) return isGitHub ? "github" : "gitlab";
  throw new InitError(
    "The repository's remote does not show its forge. Pass --forge github or --forge gitlab.",
  );
}

/** The configuration of the repository; nothing where it cannot be read. */
function remotesIn(dir: string): string {
  try {
    return readFileWithin(join(dir, ".git", "config"), [realFolder(dir)]).toString("utf8");
  } catch (error) {
    if (error instanceof UnreadableFile) return "";
    throw error;
  }
}
