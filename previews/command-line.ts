import { parseArgs, type ParseArgsConfig } from "node:util";
import { DEFAULT_PREFIX } from "../provider/components/preview-environment/lifetime";

const flags = {
  project: { type: "string" },
  prefix: { type: "string" },
  "open-prs": { type: "string" },
  json: { type: "boolean" },
  yes: { type: "boolean" },
  max: { type: "string" },
  "grace-minutes": { type: "string" },
  "allow-empty": { type: "boolean" },
  "stack-pattern": { type: "string" },
  "work-dir": { type: "string" },
  "unlock-after-minutes": { type: "string" },
  number: { type: "string" },
  commit: { type: "string" },
  file: { type: "string" },
  forge: { type: "string" },
  dir: { type: "string" },
  force: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsConfig["options"];

type Flag = keyof typeof flags;

const listing = ["project", "prefix", "open-prs", "json"] as const;
const byStack = ["stack-pattern", "work-dir"] as const;

/** What each command takes. */
const flagsOf = {
  init: ["forge", "dir", "force"],
  sweep: [...listing, ...byStack, "yes", "max", "grace-minutes", "allow-empty"],
  status: listing,
  remove: ["project", "prefix", "number", ...byStack, "unlock-after-minutes"],
  run: ["number", ...byStack, "unlock-after-minutes"],
  look: ["number", "commit"],
  comment: ["number", "file"],
} as const satisfies Readonly<Record<string, readonly Flag[]>>;

type Kind = keyof typeof flagsOf;

/** A command line that cannot be followed; the message is all that the user needs to see. */
export class CommandLineError extends Error {}

interface OfProject {
  readonly project: string;
  readonly prefix: string;
}

interface ByStack {
  readonly stackPattern?: string;
  readonly workDir: string;
}

export interface StatusCommand extends OfProject {
  readonly kind: "status";
  readonly json: boolean;
  readonly openPrs?: string;
}

export interface SweepCommand extends OfProject, ByStack {
  readonly kind: "sweep";
  readonly json: boolean;
  readonly openPrs: string;
  readonly yes: boolean;
  readonly allowEmpty: boolean;
  readonly max: number;
  readonly graceMinutes: number;
}

export interface RemoveCommand extends OfProject, ByStack {
  readonly kind: "remove";
  readonly number: number;
  readonly unlockAfterMinutes?: number;
}

export interface RunCommand {
  readonly kind: "run";
  readonly number: number;
  readonly stackPattern: string;
  readonly workDir: string;
  readonly unlockAfterMinutes: number;
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
}

export interface InitCommand {
  readonly kind: "init";
  readonly forge?: "github" | "gitlab";
  readonly dir: string;
  readonly force: boolean;
}

export type Command =
  | { readonly kind: "help" }
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
      return { kind, ...forgeOf(values), dir: values.dir ?? ".", force: values.force === true };
    case "look":
      return { kind, number: ofPullRequest(values), ...present({ commit: values.commit }) };
    case "comment":
      return { kind, number: ofPullRequest(values), file: values.file ?? "-" };
    case "remove":
      return {
        ...{ kind, ...ofProject(values), number: ofPullRequest(values), ...stackOf(values) },
        ...present({ unlockAfterMinutes: unlockAfter(values) }),
      };
    case "run":
      return { kind, number: ofPullRequest(values), ...running(values, rest) };
    case "status":
      return {
        ...{ kind, ...ofProject(values), json: values.json === true },
        ...present({ openPrs: values["open-prs"] }),
      };
    case "sweep":
      return { kind, ...ofProject(values), ...stackOf(values), ...sweeping(values) };
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
  const openPrs = values["open-prs"];
  if (openPrs === undefined || openPrs === "") {
    throw new CommandLineError("sweep needs --open-prs, a file with the open pull requests, - or forge");
  }
  return {
    openPrs,
    json: values.json === true,
    yes: values.yes === true,
    allowEmpty: values["allow-empty"] === true,
    max: numberOf("max", values.max, 10),
    graceMinutes: numberOf("grace-minutes", values["grace-minutes"], 60),
  };
}

function ofProject({ project, prefix = DEFAULT_PREFIX }: Values): OfProject {
  if (project === undefined || !/^[a-z]{20}$/.test(project)) {
    throw new CommandLineError("--project takes the project's reference, twenty lower-case letters");
  }
  if (prefix === "")
    throw new CommandLineError("--prefix takes a text, so that other branches are left alone");
  return { project, prefix };
}

function stackOf({ "stack-pattern": stackPattern, "work-dir": workDir = "." }: Values): ByStack {
  if (stackPattern !== undefined && !stackPattern.includes("{number}")) {
    throw new CommandLineError(
      "--stack-pattern takes a name with {number}: a stack belongs to one pull request",
    );
  }
  return { workDir, ...present({ stackPattern }) };
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
  const { stackPattern, workDir } = stackOf(values);
  const unlockAfterMinutes = unlockAfter(values);
  if (stackPattern === undefined || unlockAfterMinutes === undefined || command.length === 0) {
    throw new CommandLineError(
      "run needs --stack-pattern, --unlock-after-minutes and, behind --, the command that it runs",
    );
  }
  return { stackPattern, workDir, unlockAfterMinutes, command };
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
