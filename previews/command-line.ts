import { parseArgs, type ParseArgsConfig } from "node:util";

export const usage = `Usage: management-previews <command> --project <ref> [options]

Looks after the preview branches of pull requests: branches that are called as a
prefix and the number of a pull request, and are neither default nor persistent.
The service's address and token come from MANAGEMENT_BASE_URL and
MANAGEMENT_ACCESS_TOKEN.

  sweep    removes those whose pull request is not open, or that are older than
           the hours in their function secret PREVIEW_TTL_HOURS; without --yes it
           only lists them
  status   lists all of them

  --project <ref>          project that the branches were made from
  --prefix <text>          what their names begin with (default pr-)
  --open-prs <file>        numbers of the open pull requests, or - for standard
                           input: one in a line, or a JSON array of numbers or of
                           objects with number or iid; sweep needs it
  --json                   prints JSON
  --yes                    sweep: removes them
  --max <number>           sweep: most branches to remove (default 10)
  --grace-minutes <number> sweep: younger branches stay (default 60)
  --allow-empty            sweep: there may be no open pull request at all
  --stack-pattern <name>   sweep: destroys and removes the stack of this name, with
                           {number} for the pull request's, where there is one
  --work-dir <folder>      sweep: folder of the stack's program (default: this one)
  --help                   prints this text

Exit codes: 0 all is as it should be, or was only listed; 1 something failed, and
what could not be listed completely was not touched; 2 the command line is wrong.
`;

/** What `sweep` has beside what `status` has. */
const flagsOfSweep = {
  yes: { type: "boolean" },
  max: { type: "string" },
  "grace-minutes": { type: "string" },
  "allow-empty": { type: "boolean" },
  "stack-pattern": { type: "string" },
  "work-dir": { type: "string" },
} as const;

const flags = {
  project: { type: "string" },
  prefix: { type: "string" },
  "open-prs": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  ...flagsOfSweep,
} as const satisfies ParseArgsConfig["options"];

/** A command line that cannot be followed; the message is all that the user needs to see. */
export class CommandLineError extends Error {}

export interface StatusCommand {
  readonly kind: "status";
  readonly project: string;
  readonly prefix: string;
  readonly json: boolean;
  readonly openPrs?: string;
}

export interface SweepCommand extends Omit<StatusCommand, "kind" | "openPrs"> {
  readonly kind: "sweep";
  readonly openPrs: string;
  readonly yes: boolean;
  readonly allowEmpty: boolean;
  readonly max: number;
  readonly graceMinutes: number;
  readonly stackPattern?: string;
  readonly workDir: string;
}

export type Command = { readonly kind: "help" } | StatusCommand | SweepCommand;

export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parsed(args);
  if (values.help === true) return { kind: "help" };
  const [kind, ...rest] = positionals;
  if ((kind !== "sweep" && kind !== "status") || rest.length > 0) {
    throw new CommandLineError(`give one command, sweep or status; got ${positionals.join(" ") || "none"}`);
  }
  const { project, prefix = "pr-", json = false, "open-prs": openPrs } = values;
  if (project === undefined || !/^[a-z]{20}$/.test(project)) {
    throw new CommandLineError("--project takes the project's reference, twenty lower-case letters");
  }
  if (prefix === "")
    throw new CommandLineError("--prefix takes a text, so that other branches are left alone");
  const common = { project, prefix, json };
  if (kind === "status") {
    const foreign = Object.keys(flagsOfSweep).find((name) => Object.hasOwn(values, name));
    if (foreign !== undefined) throw new CommandLineError(`--${foreign} belongs to sweep`);
    return { kind, ...common, ...(openPrs === undefined ? {} : { openPrs }) };
  }
  if (openPrs === undefined || openPrs === "") {
    throw new CommandLineError("sweep needs --open-prs, a file with the open pull requests, or -");
  }
  const { "stack-pattern": stackPattern, "work-dir": workDir = "." } = values;
  if (stackPattern !== undefined && !stackPattern.includes("{number}")) {
    throw new CommandLineError(
      "--stack-pattern takes a name with {number}: a stack belongs to one pull request",
    );
  }
  return {
    ...{ kind, ...common, openPrs, workDir },
    yes: values.yes === true,
    allowEmpty: values["allow-empty"] === true,
    max: numberOf("max", values.max, 10),
    graceMinutes: numberOf("grace-minutes", values["grace-minutes"], 60),
    ...(stackPattern === undefined ? {} : { stackPattern }),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error));
  }
}

function numberOf(name: string, value: string | undefined, byDefault: number): number {
  if (value === undefined) return byDefault;
  if (!/^\d{1,6}$/.test(value)) throw new CommandLineError(`--${name} takes a whole number; got ${value}`);
  return Number(value);
}
