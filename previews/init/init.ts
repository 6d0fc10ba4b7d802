import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { readFileWithin, resolveRealFolder, UnreadableFile } from "../../provider/core/regular-files";
import { VERSION } from "../../provider/core/version.generated";
import { chooseInstalledRequirement } from "../../provider/core/package-source";
import { joinNames, escapePattern, quoteText, showPath } from "../../spec/shown-text";
import { isObject } from "../../spec/is-object";
import { parseYaml, PROJECT_FILES } from "../program-project";
import { InitError } from "./init-error";
import { findPackageFile, formatPackagePath, readRequirement } from "./package-file";
import { createFileReader, findProgramPackages, type ProgramPackages } from "./program-packages";
import { findRepositorySources, type ChosenSources, type RepositorySources } from "./repository-sources";
import { toAppName, insertOptions, type ForgeName, type WorkflowOptions } from "./workflow-options";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;

/** npm leaves files of this name out of a package. */
const IGNORED = "preview/.gitignore";
/** What the scripts of docs/any-ci.md write into `preview`. */
const WRITTEN_ON_ANY_CI = "comment.md\nopen.txt\n";
const GITLAB_PIPELINE = ".gitlab-ci.yml";
const PREVIEWS = "preview-environments";
const PRODUCTION = "production";
const DRIFT = "drift";

/** A file of the repository, and which file of the examples it is. */
interface InitFile {
  readonly path: string;
  readonly source: string;
}

const PROGRAM = [
  IGNORED,
  "preview/Pulumi.yaml",
  "preview/index.ts",
  "preview/package.json",
  "preview/tsconfig.json",
];

function listTargets({ kind, forge, programDir, workflow: { app } }: InitPlan): readonly InitFile[] {
  const from =
    (example: string, placed: (path: string) => string = (path) => path) =>
    (path: string): InitFile => ({ path: placed(path), source: `${example}/${path}` });
  if (kind === "production") {
    const placed = (path: string): string => path.replace(/^infrastructure(?=\/)/, programDir);
    const drift = ["infrastructure/drift.sh", ...(forge === "github" ? [".github/workflows/drift.yml"] : [])];
    const workflow = forge === "github" ? ".github/workflows/production.yml" : GITLAB_PIPELINE;
    return [
      ...[workflow, "infrastructure/plan.sh"].map(from(PRODUCTION, placed)),
      ...drift.map(from(DRIFT, placed)),
    ];
  }
  const workflows = [".github/workflows/preview.yml"];
  const placed = (path: string): string =>
    app === undefined
      ? path
      : path.startsWith("preview/")
        ? `${app}/${path}`
        : path.replace(GITLAB_PIPELINE, GITLAB_INCLUDED.previews).replace(/(?=\.yml$)/, `-${toAppName(app)}`);
  const ofForge = { github: workflows, gitlab: [GITLAB_PIPELINE], other: [] }[forge];
  return [...ofForge, ...PROGRAM].map(from(PREVIEWS, placed));
}

/** Beside a pipeline of the repository's own, which includes it. */
const GITLAB_INCLUDED: Readonly<Record<WorkflowKind, string>> = {
  previews: ".gitlab/previews.yml",
  production: ".gitlab/production.yml",
};

/** What the workflows are for. */
export type WorkflowKind = "previews" | "production";

interface InitPlan {
  /** The repository. */
  readonly dir: string;
  readonly kind: WorkflowKind;
  readonly forge: ForgeName;
  /** Folder of the program that production is made by. */
  readonly programDir: string;
  /** What the program of previews says of this package; undefined where it names none. */
  readonly requirement: string | undefined;
  readonly workflow: WorkflowOptions;
}

export interface InitOptions {
  /** The repository. */
  readonly dir: string;
  readonly kind?: WorkflowKind;
  /** Folder of the program that production is made by, as seen from the repository; `infrastructure` when absent. */
  readonly programDir?: string;
  /** By the repository's remote when absent. */
  readonly forge?: ForgeName;
  /** Overwrites what is there and different. */
  readonly force?: boolean;
  readonly workflow?: WorkflowOptions;
  /** What previews are made of, where it is not to be looked for. */
  readonly sources?: ChosenSources;
  /** Where this package is installed; where its code is when absent. */
  readonly installedIn?: string;
}

export interface Initialised {
  readonly forge: ForgeName;
  readonly written: readonly string[];
  /** They were there as they are to be. */
  readonly unchanged: readonly string[];
  /** What the program of previews names; undefined where it is not written. */
  readonly sources: RepositorySources | undefined;
  /** The repository's own program of previews. */
  readonly ownProgram: OwnProgram | undefined;
  /** The project of Pulumi that each preview has to be of; undefined where no name can be read. */
  readonly pulumiProject: string | undefined;
  /** Whether the folder of the program that production is made by has one. */
  readonly hasProgram: boolean;
  /** The file of this package that the program depends on, as seen from the repository; undefined where a registry has it. */
  readonly packageFile: string | undefined;
  /** The file that the repository's own pipeline has to include. */
  readonly toInclude: string | undefined;
  /** Workflows of an earlier version, which do a second time what the written ones do. */
  readonly outdated: readonly string[];
}

/** A program of previews that was there before. */
interface OwnProgram extends ProgramPackages {
  /** Its folder, as seen from the repository. */
  readonly folder: string;
  /** What `init` would have written otherwise. */
  readonly left: readonly string[];
}

/** Writes the files of the examples into a repository: all, or none where one is there and different. */
export function writeFiles(options: InitOptions): Initialised {
  const { dir, force = false, kind = "previews", programDir = "infrastructure" } = options;
  if (!existsSync(dir)) throw new InitError(`The folder ${dir} does not exist.`);
  const forge = options.forge ?? detectForge(dir);
  const workflow = options.workflow ?? {};
  const appDir = join(dir, workflow.app ?? "");
  if (!existsSync(appDir)) throw new InitError(`The folder ${appDir} does not exist.`);
  const folder = kind === "production" ? programDir : posix.join(workflow.app ?? "", "preview");
  const installed = chooseInstalledRequirement(join(dir, folder), VERSION, options.installedIn);
  const asked: InitPlan = { dir, kind, forge, programDir, requirement: installed, workflow };
  const isChosen = Object.keys(options.sources ?? {}).length > 0;
  const ownProgram = force || isChosen ? undefined : findOwnProgram(dir, asked);
  const sources =
    kind === "previews" && ownProgram === undefined
      ? findRepositorySources(appDir, options.sources)
      : undefined;
  const pulumiProject =
    kind === "production" ? undefined : ownProgram ? ownProgram.pulumiProject : toProjectName(workflow.app);
  const allowPackages = ownProgram?.allowed ?? [];
  const isOwn = kind === "production" || ownProgram !== undefined;
  const requirement = isOwn
    ? readRequirement(createFileReader(dir)(join(dir, folder, "package.json")))
    : installed;
  const plan: InitPlan = { ...asked, requirement, workflow: { ...workflow, allowPackages, pulumiProject } };
  const written: string[] = [];
  const unchanged: string[] = [];
  const different: string[] = [];
  const all = listTargets(plan)
    .filter(({ source }) => ownProgram === undefined || !isOfProgram(source))
    .map((target) => ({ ...target, text: renderFile(target, plan, sources) }));
  const pipeline = all.find(({ path }) => path === GITLAB_PIPELINE);
  const ownPipeline =
    pipeline !== undefined && hasOwnPipeline(dir, pipeline.text) ? GITLAB_INCLUDED[kind] : undefined;
  const files = all.map((each) => (each === pipeline ? { ...each, path: ownPipeline ?? each.path } : each));
  const included = files.find(({ path }) => path.startsWith(".gitlab/"));
  if (included !== undefined) requireOtherJobs(dir, included);
  if (kind === "previews" && workflow.app !== undefined) requireOwnApplication(dir, workflow.app, files);
  for (const { path, text } of files) {
    const there = readRepositoryFile(dir, path);
    if (there === undefined) written.push(path);
    // The one pipeline of a repository may have more, as what it includes.
    else if (there === text || (path === GITLAB_PIPELINE && there.includes(text))) unchanged.push(path);
    else different.push(path);
  }
  if (different.length > 0 && !force) {
    const way =
      ownProgram === undefined
        ? "Pass --force to overwrite them, or another --dir and copy what you need from there."
        : `Move them away, and run the command again. It leaves the program in ${ownProgram.folder}, which --force would overwrite.`;
    throw new InitError(
      `Nothing was written, because these files exist and differ: ${different.join(", ")}. ${way}`,
    );
  }
  const changed = [...written, ...different];
  for (const { path, text } of files.filter((each) => changed.includes(each.path))) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    const mode = path.endsWith(".sh") ? 0o777 : 0o666;
    const file = openSync(join(dir, path), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  }
  const toInclude = included?.path;
  const hasProgram = PROJECT_FILES.some((name) => existsSync(join(dir, programDir, name)));
  const packageFile = findPackageFile(folder, requirement);
  const outdated = listOutdated(plan);
  const said = { sources, ownProgram, pulumiProject, hasProgram, packageFile, toInclude, outdated };
  return { forge, written: changed, unchanged, ...said };
}

/** The project of a program that `init` writes. */
function toProjectName(app: string | undefined): string {
  return app === undefined ? "previews" : `previews-${toAppName(app)}`;
}

function isOfProgram(source: string): boolean {
  return source.startsWith(`${PREVIEWS}/preview/`);
}

/** A project of Pulumi in the folder of previews that is not as `init` writes it: it stays. */
function findOwnProgram(dir: string, plan: InitPlan): OwnProgram | undefined {
  const { kind, workflow } = plan;
  const appDir = join(dir, workflow.app ?? "");
  const folder = posix.join(workflow.app ?? "", "preview");
  const projects = PROJECT_FILES.map((name) => posix.join(folder, name));
  if (kind !== "previews" || projects.every((path) => readRepositoryFile(dir, path) === undefined))
    return undefined;
  const left = listTargets(plan)
    .filter(({ source }) => isOfProgram(source) && source !== `${PREVIEWS}/${IGNORED}`)
    .filter((target) => {
      const there = readRepositoryFile(dir, target.path);
      return there !== undefined && there !== tryRender(target, plan, appDir);
    })
    .map(({ path }) => path);
  return left.length === 0 && readRepositoryFile(dir, posix.join(folder, "Pulumi.yaml")) !== undefined
    ? undefined
    : { folder, left, ...findProgramPackages(dir, join(dir, folder)) };
}

/** Undefined where it is not clear what the program would name. */
function tryRender(target: InitFile, plan: InitPlan, appDir: string): string | undefined {
  try {
    const namesSources = target.source === `${PREVIEWS}/preview/index.ts`;
    return renderFile(target, plan, namesSources ? findRepositorySources(appDir) : undefined);
  } catch (error) {
    if (error instanceof InitError) return undefined;
    throw error;
  }
}

/** A pipeline that is not ours stays as it is. One of `init` begins as ours, whatever its version and options, and has nothing else. */
function hasOwnPipeline(dir: string, text: string): boolean {
  const there = readRepositoryFile(dir, GITLAB_PIPELINE);
  if (there === undefined || there.includes(text)) return false;
  const [heading = ""] = text.split(/[.,\n]/, 1);
  const ours = listKeys(text);
  return !there.startsWith(heading) || listKeys(there).some((key) => !ours.includes(key));
}

/** Throws where the repository's own pipeline has a job of the same name: GitLab would make one of the two. */
function requireOtherJobs(
  dir: string,
  { path, text }: { readonly path: string; readonly text: string },
): void {
  const pipeline = parseYaml(readRepositoryFile(dir, GITLAB_PIPELINE) ?? "");
  // Without what makes it a job, it only sets the stage of ours, or the like.
  const own = Object.entries(isObject(pipeline) ? pipeline : {}).flatMap(([key, job]) =>
    isObject(job) && ["script", "extends", "trigger"].some((name) => name in job) ? [key] : [],
  );
  const both = listKeys(text).filter((key) => own.includes(key));
  if (both.length === 0) return;
  const names = joinNames(both);
  throw new InitError(
    `Nothing was written, because ${GITLAB_PIPELINE} itself has ${names}, which GitLab would merge with the jobs of ${path}. Take what an earlier init wrote out of ${GITLAB_PIPELINE}, and give jobs of your own other names. Then run the command again.`,
  );
}

/** Throws where a workflow is of an application in another folder of that name: their stacks would have the same names, too. */
function requireOwnApplication(dir: string, app: string, files: readonly Pick<InitFile, "path">[]): void {
  const folder = new RegExp(String.raw`(?<![\w./-])${escapePattern(app)}/preview\b`);
  const other = files.find(({ path }) => {
    const there = path.endsWith(`-${toAppName(app)}.yml`) ? readRepositoryFile(dir, path) : undefined;
    return there?.includes("management-previews") === true && !folder.test(there);
  });
  if (other === undefined) return;
  throw new InitError(
    `Nothing was written, because ${other.path} is of another folder than ${showPath(app)}, and the previews of both would have the same names. Give one of the folders another name. If the other one is gone, remove the previews of its open pull requests and then this file.`,
  );
}

/** What stands at the top of a pipeline; nothing where it cannot be parsed. */
function listKeys(pipeline: string): string[] {
  const found = parseYaml(pipeline);
  return isObject(found) ? Object.keys(found) : [];
}

/** Former versions had a workflow for the sweep alone. */
function listOutdated({ dir, kind, forge, workflow: { app } }: InitPlan): string[] {
  if (kind !== "previews" || forge !== "github") return [];
  const path = `.github/workflows/sweep${app === undefined ? "" : `-${toAppName(app)}`}.yml`;
  return readRepositoryFile(dir, path)?.includes("management-previews sweep") === true ? [path] : [];
}

/**
 * What a file of the repository says, without the line ends that a checkout on Windows gives it; undefined where there is none.
 * Nothing is read, and later written, through a link.
 */
function readRepositoryFile(dir: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const place = parts.slice(0, depth).join("/");
    const found = lstatSync(join(dir, place), { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const isLast = depth === parts.length;
    if (found.isSymbolicLink()) throw createRefusal(`${place} is a link`);
    if (isLast && !found.isFile()) throw createRefusal(`${place} is not a regular file`);
    if (!isLast && !found.isDirectory()) throw createRefusal(`${place} is not a folder`);
  }
  const text = readFileWithin(join(dir, path), [resolveRealFolder(dir)]).toString("utf8");
  return text.replaceAll("\r\n", "\n");
}

function createRefusal(why: string): InitError {
  return new InitError(`Nothing was written, because ${why}. Remove it, or pass another --dir.`);
}

/** A file of the examples, for this version of the package, these folders and these options. */
function renderFile(
  { source }: InitFile,
  { kind, forge, programDir, requirement, workflow }: InitPlan,
  sources: RepositorySources | undefined,
): string {
  const file = source.slice(source.indexOf("/") + 1);
  if (file === IGNORED) return `node_modules/\nPulumi.*.yaml\n${forge === "other" ? WRITTEN_ON_ANY_CI : ""}`;
  // The package finds its own files by its name, as programs and states find it.
  const root = dirname(require.resolve("pulumi-management/package.json"));
  const text = readFileSync(join(root, "examples", source), "utf8");
  const { app } = workflow;
  if (kind === "production") {
    const placed = insertOptions(text.replaceAll(FOLDER_OF_THE_PROGRAM, programDir), forge, workflow);
    // Names that no preview has: what an environment lacks would come from the repository under the same name.
    return forge === "github"
      ? placed.replaceAll(/(?<=\$\{\{ (?:secrets|vars)\.)(?!MAIN_|DRIFT_ISSUE\b)/g, "MAIN_")
      : placed;
  }
  if (file === "preview/package.json") {
    return text.replace('"pulumi-management": "*"', `"pulumi-management": ${JSON.stringify(requirement)}`);
  }
  if (file === "preview/Pulumi.yaml" && app !== undefined)
    return text.replace(/^name: .*$/m, `name: ${toProjectName(app)}`);
  if (file === "preview/index.ts" && sources !== undefined) return insertSources(text, sources);
  if (!file.endsWith(".yml")) return text;
  const program = posix.join(app ?? "", "preview");
  const packageFile = formatPackagePath(findPackageFile(program, requirement));
  const placed = text.replaceAll(OWN_PACKAGE, () => packageFile ?? `pulumi-management@${VERSION}`);
  return insertOptions(placed, forge, workflow);
}

const OWN_PACKAGE = /(?<=--package )pulumi-management@[\w.-]+/g;

/** In a workflow, where it stands for a folder. */
const FOLDER_OF_THE_PROGRAM = /(?<=working-directory: |- cd )infrastructure\b/g;

/** The program with what was found in place of what the example has; that is said where it is gone. */
function insertSources(
  program: string,
  { functions, configFile, migrations, seeds, places }: RepositorySources,
): string {
  const found = (path: string): string => `ifThere(${quoteText(path)}, true)`;
  const replaceConstant = (name: string, value: string): void => {
    text = text.replace(new RegExp(`^const ${name} = .*$`, "m"), () => `const ${name} = ${value};`);
  };
  let text = program;
  const replaceMissing = (name: string, place: string | undefined): void =>
    replaceConstant(
      name,
      place === undefined ? "undefined as string | undefined" : `ifThere(${quoteText(place)})`,
    );
  if (migrations === undefined) replaceMissing("migrations", places.migrations);
  else replaceConstant("migrations", found(migrations));
  const [seed, ...more] = seeds;
  if (seed === undefined) replaceMissing("seed", places.seed);
  if (seed !== undefined && more.length === 0) replaceConstant("seed", found(seed));
  if (more.length > 0) {
    const files = seeds.map((path) => `  ${found(path)},\n`).join("");
    text = text.replace(
      /^const seed = .*$/m,
      () =>
        `const seeds = [\n${files}].filter((path) => path !== undefined);\nconst seed = seeds.length === 0 ? undefined : seeds;`,
    );
  }
  if (functions === undefined) return text;
  replaceConstant("functions", found(functions));
  if (configFile === undefined) return text;
  return text
    .replace(
      /(?<=^ {2}\.\.\.\(functions === undefined \? \{\} : )\{ functions \}/m,
      "{ functions, functionsConfigFile }",
    )
    .replace(
      /^const functions = .*$/m,
      (line) =>
        `${line}\n// What the platform's tool reads of these functions counts here as well.\nconst functionsConfigFile = ${quoteText(`../${configFile}`)};`,
    );
}

function detectForge(dir: string): ForgeName {
  const remotes = readRemotes(dir);
  const isGitLab = existsSync(join(dir, ".gitlab-ci.yml")) || remotes.includes("gitlab");
  const isGitHub = existsSync(join(dir, ".github")) || remotes.includes("github");
  if (isGitHub !== isGitLab) return isGitHub ? "github" : "gitlab";
  throw new InitError(
    "The repository's remote does not show its forge. Pass --forge github, --forge gitlab or, for another CI, --forge other.",
  );
}

/** The configuration of the repository; nothing where it cannot be read. */
function readRemotes(dir: string): string {
  try {
    return readFileWithin(join(dir, ".git", "config"), [resolveRealFolder(dir)]).toString("utf8");
  } catch (error) {
    if (error instanceof UnreadableFile) return "";
    throw error;
  }
}
