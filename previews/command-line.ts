import { parseArgs, type ParseArgsConfig } from "node:util";
import {
  DEFAULT_PREFIX,
  namePrefix,
  repositoryAddress,
} from "../provider/resources/branches/shared/preview-identity";

const flags = {
  project: { type: "string" },
  prefix: { type: "string" },
  repository: { type: "string" },
  json: { type: "boolean" },
  yes: { type: "boolean" },
  max: { type: "string" },
  "grace-minutes": { type: "string" },
  "stack-pattern": { type: "string" },
  "work-dir": { type: "string" },
  "unlock-after-minutes": { type: "string" },
  number: { type: "string" },
  "git-branch": { type: "string" },
  commit: { type: "string" },
  "comment-author": { type: "string" },
  file: { type: "string" },
  forge: { type: "string" },
  parent: { type: "string" },
  dir: { type: "string" },
  force: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsConfig["options"];

type Flag = keyof typeof flags;

const ofRepository = ["project", "repository", "prefix"] as const;
const byStack = ["stack-pattern", "work-dir", "unlock-after-minutes"] as const;

/** What each command takes. */
const flagsOf = {
  init: ["forge", "parent", "dir", "force"],
  check: ["project"],
  sweep: [...ofRepository, ...byStack, "json", "yes", "max", "grace-minutes"],
  status: [...ofRepository, "json"],
  remove: [...ofRepository, ...byStack, "number", "git-branch"],
  run: [...ofRepository, ...byStack, "number", "git-branch"],
  name: [...ofRepository, "number"],
  look: ["number", "commit"],
  comment: ["number", "file", "comment-author"],
} as const satisfies Readonly<Record<string, readonly Flag[]>>;

type Kind = keyof typeof flagsOf;

/** A command line that cannot be followed; the message is all that the user needs to see. */
export class CommandLineError extends Error {}

export interface OfRepository {
  readonly project: string;
  readonly prefix: string;
  /** That of the job when absent. */
  readonly repository?: string;
}

export interface ByStack {
  readonly stackPattern?: string;
  readonly workDir: string;
  readonly unlockAfterMinutes?: number;
}

export interface CheckCommand {
  readonly kind: "check";
  readonly project: string;
}

export interface NameCommand extends OfRepository {
  readonly kind: "name";
  readonly number: number;
}

export interface StatusCommand extends OfRepository {
  readonly kind: "status";
  readonly json: boolean;
}

export interface SweepCommand extends OfRepository, ByStack {
  readonly kind: "sweep";
  readonly json: boolean;
  readonly yes: boolean;
  readonly max: number;
  readonly graceMinutes: number;
}

export interface RemoveCommand extends OfRepository, ByStack {
  readonly kind: "remove";
  readonly number: number;
  /** Asked of the forge when absent. */
  readonly gitBranch?: string;
}

export interface RunCommand extends OfRepository, ByStack {
  readonly kind: "run";
  readonly number: number;
  readonly gitBranch: string;
  /** What stands behind `--`. */
  readonly command: readonly string[];
}

export interface LookCommand {
  readonly kind: "look";
  readonly number: number;
  readonly commit?: string;
}

export interface CommentCommand {
  readonly kind: "comment";
  readonly number: number;
  readonly file: string;
  readonly commentAuthor?: string;
}

export interface InitCommand {
  readonly kind: "init";
  readonly forge?: "github" | "gitlab";
  readonly parent: string;
  readonly dir: string;
  readonly force: boolean;
}

export type Command =
  | { readonly kind: "help" }
  | CheckCommand
  | NameCommand
  | StatusCommand
  | SweepCommand
  | RemoveCommand
  | RunCommand
  | LookCommand
  | CommentCommand
  | InitCommand;

type Values = ReturnType<typeof parsed>["values"];

export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parsed(args);
  if (values.help === true) return { kind: "help" };
  const [kind, ...rest] = positionals;
  if (!isKind(kind) || (rest.length > 0 && kind !== "run")) {
    const known = Object.keys(flagsOf).join(", ");
    throw new CommandLineError(`give one command of ${known}; got ${positionals.join(" ") || "none"}`);
  }
  const taken: readonly string[] = flagsOf[kind];
  const foreign = Object.keys(values).find((name) => !taken.includes(name));
  if (foreign !== undefined) throw new CommandLineError(`--${foreign} does not belong to ${kind}`);
  switch (kind) {
    case "init":
      return {
        kind,
        ...forgeOf(values),
        parent: parentOf(values),
        dir: values.dir ?? ".",
        force: values.force === true,
      };
    case "check":
      return { kind, project: projectOf(values) };
    case "look":
      return { kind, number: ofPullRequest(values), ...present({ commit: values.commit }) };
    case "comment":
      return {
        ...{ kind, number: ofPullRequest(values), file: values.file ?? "-" },
        ...present({ commentAuthor: values["comment-author"] }),
      };
    case "name":
      return { kind, ...repositoryOf(values), number: ofPullRequest(values) };
    case "remove":
      return {
        ...{ kind, ...repositoryOf(values), number: ofPullRequest(values), ...stackOf(values) },
        ...present({ gitBranch: values["git-branch"] }),
      };
    case "run":
      return { kind, ...repositoryOf(values), number: ofPullRequest(values), ...running(values, rest) };
    case "status":
      return { kind, ...repositoryOf(values), json: values.json === true };
    case "sweep":
      return { kind, ...repositoryOf(values), ...stackOf(values), ...sweeping(values) };
  }
}

function isKind(text: string | undefined): text is Kind {
  return text !== undefined && Object.hasOwn(flagsOf, text);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error));
  }
}

function sweeping(values: Values) {
  return {
    json: values.json === true,
    yes: values.yes === true,
    max: numberOf("max", values.max, 10),
    graceMinutes: numberOf("grace-minutes", values["grace-minutes"], 60),
  };
}

const REFERENCE = /^[a-z]{20}$/;

function projectOf({ project }: Values): string {
  if (project !== undefined && REFERENCE.test(project)) return project;
  throw new CommandLineError("--project takes the project's reference, twenty lower-case letters");
}

function parentOf({ parent }: Values): string {
  if (parent !== undefined && REFERENCE.test(parent)) return parent;
  throw new CommandLineError(
    "init needs --parent, the reference of the project to branch from, twenty lower-case letters. " +
      "The token for previews reaches all of that project: give one that is not production",
  );
}

function repositoryOf(values: Values): OfRepository {
  const { prefix = DEFAULT_PREFIX, repository } = values;
  const project = projectOf(values);
  if (!namePrefix.safeParse(prefix).success) {
    throw new CommandLineError(
      `--prefix takes at most 40 letters, digits, \`.\`, \`_\` and \`-\`, not ending with a digit, as ${DEFAULT_PREFIX}; got ${JSON.stringify(prefix)}`,
    );
  }
  if (repository !== undefined && !repositoryAddress.safeParse(repository).success) {
    throw new CommandLineError(
      `--repository takes the repository's web address, as https://forge.example.com/acme/shop; got ${repository}`,
    );
  }
  return { project, prefix, ...present({ repository }) };
}

function stackOf(values: Values): ByStack {
  const { "stack-pattern": stackPattern, "work-dir": workDir = "." } = values;
  if (stackPattern !== undefined && !stackPattern.includes("{name}")) {
    throw new CommandLineError(
      "--stack-pattern takes a name with {name}, which is the preview's: a stack belongs to one pull request of one repository",
    );
  }
  return { workDir, ...present({ stackPattern }), ...present({ unlockAfterMinutes: unlockAfter(values) }) };
}

/** Not less than an hour, which jobs may last. */
const LEAST_UNLOCK_MINUTES = 60;

function unlockAfter({ "unlock-after-minutes": minutes }: Values): number | undefined {
  if (minutes === undefined) return undefined;
  const asked = numberOf("unlock-after-minutes", minutes, 0);
  if (asked >= LEAST_UNLOCK_MINUTES) return asked;
  throw new CommandLineError(
    `--unlock-after-minutes takes at least ${LEAST_UNLOCK_MINUTES}, longer than any job lasts: a younger lock may be a live one's`,
  );
}

function running(values: Values, command: readonly string[]) {
  const gitBranch = values["git-branch"];
  if (gitBranch === undefined || gitBranch === "" || command.length === 0) {
    throw new CommandLineError(
      "run needs --git-branch, the Git branch of the pull request, and, behind --, the command that it runs",
    );
  }
  return { ...stackOf(values), gitBranch, command };
}

function ofPullRequest({ number }: Values): number {
  if (number === undefined || !/^[1-9]\d{0,14}$/.test(number)) {
    throw new CommandLineError(`--number takes the number of a pull request; got ${number ?? "none"}`);
  }
  return Number(number);
}

function forgeOf({ forge }: Values): Pick<InitCommand, "forge"> {
  if (forge === undefined || forge === "github" || forge === "gitlab") return present({ forge });
  throw new CommandLineError(`--forge takes github or gitlab; got ${forge}`);
}

function numberOf(name: string, value: string | undefined, byDefault: number): number {
  if (value === undefined) return byDefault;
  if (!/^\d{1,6}$/.test(value)) throw new CommandLineError(`--${name} takes a whole number; got ${value}`);
  return Number(value);
}

/** Without what is absent. */
function present<K extends string, V>(values: Readonly<Record<K, V | undefined>>): { [key in K]?: V } {
  const some = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(some) as { [key in K]?: V };
}
