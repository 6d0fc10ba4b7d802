import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Command as CommandLine, Option } from "commander";
import { z } from "zod";
import type { Emulator, EmulatorOptions } from "./desk/emulator";
import { packageFile } from "./machine/package-file";
import { EmulatorCommandError, parse, some } from "./parse-command";
import { plan, type OrganizationPlan } from "./service/world/records/organization";
import { serviceVersion } from "./service/world/state";
import type { OrganizationSeed } from "./service/create-state";
import { readExport, readImport, type WorldCommand } from "./world-command-line";

/** What a command line asks for: text to print, an emulator to start, one to run a program against, or a world to move. */
export type Command =
  | WorldCommand
  | { readonly kind: "start"; readonly options: EmulatorOptions }
  | {
      readonly kind: "exec";
      readonly options: EmulatorOptions;
      readonly program: string;
      readonly args: readonly string[];
    };

export function readCommandLine(args: readonly string[]): Command {
  const [first, ...others] = args;
  if (first === EXEC) return readExec(others);
  if (first === "export") return readExport(others);
  if (first === "import") return readImport(others);
  return readStart(args);
}

const EXEC = "exec";

function readStart(args: readonly string[]): Command {
  const line = commandLine()
    .usage(
      `[options]\n       management-emulator ${EXEC} [options] -- <program> [argument...]\n` +
        "       management-emulator export <file> [options]\n" +
        "       management-emulator import <file> --data <folder>",
    )
    .addHelpText(
      "after",
      `\n${EXEC} starts an emulator, runs the program with MANAGEMENT_BASE_URL and MANAGEMENT_ACCESS_TOKEN set, and ends as it does.` +
        "\nexport writes all that an emulator has into one file, and import makes a data folder of it.",
    );
  const text = parse(line, args);
  if (text !== undefined) return { kind: "print", text };
  const [surplus] = line.args;
  if (surplus !== undefined) {
    throw new EmulatorCommandError(`unexpected argument "${surplus}"; see management-emulator --help`);
  }
  return { kind: "start", options: optionsOf(line) };
}

function readExec(args: readonly string[]): Command {
  const line = commandLine()
    .name(`management-emulator ${EXEC}`)
    .description("Starts an emulator, runs a program against it, and ends as the program ends.")
    .usage("[options] -- <program> [argument...]")
    .passThroughOptions();
  const text = parse(line, args);
  if (text !== undefined) return { kind: "print", text };
  const [program, ...itsArgs] = line.args;
  if (program === undefined) {
    throw new EmulatorCommandError(
      `${EXEC} needs a program to run: management-emulator ${EXEC} -- <program> [argument...]`,
    );
  }
  return { kind: "exec", options: optionsOf(line), program, args: itsArgs };
}

function optionsOf(line: ReturnType<typeof commandLine>): EmulatorOptions {
  const {
    allowedHost: allowedHosts,
    callLog: callLogSize,
    data: dataFolder,
    seed: seedFile,
    world: worldFile,
    ...of
  } = line.opts();
  const { port, host, pace, limits, service, newer, microAddon: microIsAddon, names } = of;
  const postgresPort = of.postgresPort === true ? USUAL_POSTGRES_PORT : of.postgresPort;
  // Not the caller's own: everybody on the machine can read a command line.
  const controlToken = of.controlToken === true ? randomBytes(24).toString("base64url") : undefined;
  const tokens = of.token?.map((token) => ({ token }));
  return {
    ...given({
      port,
      host,
      allowedHosts,
      pace,
      callLogSize,
      limits,
      service,
      newer,
      microIsAddon,
      dataFolder,
      seedFile,
      worldFile,
      names,
      postgresPort,
    }),
    ...given({ controlToken }),
    seed: given({ organizations: organizationsOf(of.organization, of.plan), tokens }),
  };
}

/** Without what is absent. */
function given<T extends object>(values: T) {
  const some = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(some) as { [key in keyof T]?: Exclude<T[key], undefined> };
}

/** At which clients look for Postgres unless they are told another. */
const USUAL_POSTGRES_PORT = 5_432;

function commandLine() {
  return new CommandLine("management-emulator")
    .description("Runs the Management API on this machine, with its states, limits and errors.")
    .option("--port <number>", "port to listen on (default 0: any free port)", wholeNumber("port", 0, 65_535))
    .option("--host <address>", "address to listen on (default 127.0.0.1)")
    .option(
      "--allowed-host <name>",
      "name by which callers may reach it, beside localhost and the address listened on; repeatable (default: no other)",
      each(/^[\w.-]+$/, (got) => `--allowed-host takes a name without a port: got "${got}"`),
    )
    .option(
      "--pace <factor>",
      "factor on every settling duration: 1 is as slow as the running service, 0.01 a hundred times faster (default 1)",
      factor,
    )
    .option(
      "--call-log <number>",
      "calls that the log keeps, the newest ones (default 100000)",
      wholeNumber("call-log", 1),
    )
    .addOption(
      new Option(
        "--limits <rule>",
        "what the limit of 120 calls a minute counts together: a whole scope, as documented, or one operation of it, as recorded headers look (default scope)",
      ).choices(["scope", "operation"] as const),
    )
    .addOption(
      new Option(
        "--service <version>",
        "how the service behaves: current is as it was measured last, 2026-06 is as its documents of that month say (default current)",
      ).choices(serviceVersion.options),
    )
    .option(
      "--newer",
      "answers carry the fields that no document lists, and bodies take them (default: as documented)",
    )
    .option(
      "--micro-addon",
      "the smallest size of a paid plan shows as an add-on, as in some installations (default: it is the absence of one)",
    )
    .option(
      "--organization <slug>",
      "organization that exists at the start; repeatable (default acme on the plan pro, and hobby on free)",
      each(/^[\w-]+$/, (got) => `--organization takes letters, digits, _ and -: got "${got}"`),
    )
    .option(
      "--plan <plan>",
      `plan of the organizations: ${plan.options.join(", ")}; one for all, or one for each in their order (default pro)`,
      withPlan,
    )
    .option(
      "--seed <file>",
      "JSON or YAML file of the organizations, tokens and projects that exist at the start (default: no project)",
      some("--seed takes a file"),
    )
    .option(
      "--world <file>",
      "begins with an exported world, and goes back to it with a reset; not together with --data",
      some("--world takes a file"),
    )
    .option(
      "--data <folder>",
      "keeps everything in this folder over a restart, even when the process is killed (default: nothing is kept)",
      some("--data takes a folder"),
    )
    .option(
      "--postgres-port [number]",
      `port at which clients of Postgres reach the databases, each on an address of its own (default: none; without a number ${USUAL_POSTGRES_PORT})`,
      wholeNumber("postgres-port", 0, 65_535),
    )
    .option(
      "--names <file>",
      "JSON file of the names that callers use in place of the specification's placeholders (default: the placeholders)",
      some("--names takes a file"),
    )
    .addOption(
      new Option("--token <token>", "access token with every privilege; repeatable (default: one at random)")
        .argParser(each(/^\S+$/, () => "--token takes a text without spaces"))
        // Everybody on the machine can read a command line.
        .env("MANAGEMENT_EMULATOR_TOKEN"),
    )
    .option(
      "--control-token",
      "calls to /_control need a token, which is printed at the start: for a machine that others use too (default: they need none)",
    )
    .allowExcessArguments() // Those are refused by their name, which the library leaves out.
    .helpOption("--help", "prints this text")
    .version(packageVersion(), "--version", "prints the version");
}

/** What a user needs to call the emulator, in one block. */
export function describeStart({
  url,
  accessToken,
  control,
  world: { addresses },
  dataFolder,
  names,
  controlToken,
}: Pick<Emulator, "url" | "accessToken" | "control" | "world"> &
  Pick<EmulatorOptions, "dataFolder" | "names" | "controlToken">): string {
  const organizations = control.call("listOrganizations", {}).map(({ slug }) => {
    const { plan: itsPlan = "" } = control.call("getOrganization", { slug });
    return `${slug} (${itsPlan})`;
  });
  return `The Management API is emulated at ${url}

  base URL       ${url}
  access token   ${accessToken}
  organization   ${organizations.join(", ")}
  control        ${url}/_control
  page           ${url}/${controlToken === undefined ? "" : `#control-token=${controlToken}`} (open it in a browser)
${controlToken === undefined ? "" : `  control token  ${controlToken}\n`}${addresses === undefined ? "" : `  postgres       ${addresses.pooler.host}:${addresses.pooler.port}, as the user postgres.<ref>\n`}${dataFolder === undefined ? "" : `  data           ${dataFolder}\n`}${names === undefined ? "" : `  names          ${names}\n`}
Try:  curl -H "Authorization: Bearer ${accessToken}" ${url}/v1/projects
Stop: Ctrl-C
`;
}

function wholeNumber(flag: string, from: number, to = Infinity) {
  return (text: string): number => {
    if (/^\d+$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text);
    const range = to === Infinity ? `${from} up` : `${from} to ${to}`;
    throw new EmulatorCommandError(`--${flag} takes a whole number from ${range}: got "${text}"`);
  };
}

function factor(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new EmulatorCommandError(`--pace takes a number from 0 up: got "${text}"`);
}

/** Of an option that may be repeated. */
function each(allowed: RegExp, refusal: (got: string) => string) {
  return (text: string, before: readonly string[] = []): readonly string[] => {
    if (!allowed.test(text)) throw new EmulatorCommandError(refusal(text));
    return [...before, text];
  };
}

/** Those that are named; a plan alone is that of `acme`. */
function organizationsOf(
  named: readonly string[] | undefined,
  plans: readonly OrganizationPlan[] = [],
): OrganizationSeed[] | undefined {
  if (named === undefined && plans.length === 0) return undefined;
  const slugs = named ?? ["acme"];
  if (plans.length > 1 && plans.length !== slugs.length) {
    throw new EmulatorCommandError(
      `--plan takes one plan for all organizations, or one for each of ${slugs.length}: got ${plans.length}`,
    );
  }
  return slugs.map((slug, index) => {
    const its = plans[index] ?? plans[0];
    return { slug, name: nameOf(slug), ...(its !== undefined && { plan: its }) };
  });
}

function withPlan(named: string, before: readonly OrganizationPlan[] = []): readonly OrganizationPlan[] {
  const found = plan.options.find((option) => option === named);
  if (found !== undefined) return [...before, found];
  throw new EmulatorCommandError(`--plan takes one of ${plan.options.join(", ")}: got "${named}"`);
}

function nameOf(slug: string): string {
  return slug.charAt(0).toUpperCase() + slug.slice(1);
}

function packageVersion(): string {
  const file = packageFile("package.json");
  if (file === undefined) return "unknown";
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
}
