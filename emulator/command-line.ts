import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { z } from "zod";
import type { Emulator, EmulatorOptions } from "./emulator";
import { packageFile } from "./package-file";
import { plan, type Plan } from "./rules/records/organization";
import type { OrganizationSeed } from "./world/create-state";

export const usage = `Usage: management-emulator [options]

Runs the Management API on this machine, with its states, limits and errors.

  --port <number>        port to listen on (default 0: any free port)
  --host <address>       address to listen on (default 127.0.0.1)
  --allowed-host <name>  name by which callers may reach it, beside localhost and the
                         address listened on; repeatable (default: no other)
  --pace <factor>        factor on every settling duration: 1 is as slow as the
                         running service, 0.01 a hundred times faster (default 1)
  --call-log <number>    calls that the log keeps, the newest ones (default 100000)
  --limits <rule>        what the limit of 120 calls a minute counts together: a whole
                         scope, as documented, or one operation of it, as recorded
                         headers look: scope or operation (default scope)
  --newer                answers carry the fields that no document lists, and bodies
                         take them (default: as documented)
  --micro-addon          the smallest size of a paid plan shows as an add-on, as in some
                         installations (default: it is the absence of one)
  --organization <slug>  organization that exists at the start; repeatable
                         (default acme on the plan pro, and hobby on free)
  --plan <plan>          plan of the organizations: free, pro, team, enterprise or
                         platform; one for all, or one for each in their order
                         (default pro)
  --data <folder>        keeps everything in this folder over a restart, even when
                         the process is killed (default: nothing is kept)
  --names <file>         JSON file of the names that callers use in place of the
                         specification's stand-ins (default: the stand-ins)
  --token <token>        access token with every privilege; repeatable
                         (default: one at random)
  --control-token        calls to /_control need a token, which is printed at the start:
                         for a machine that others use too (default: they need none)
  --help                 prints this text
  --version              prints the version
`;

const flags = {
  port: { type: "string" },
  host: { type: "string" },
  "allowed-host": { type: "string", multiple: true },
  pace: { type: "string" },
  "call-log": { type: "string" },
  limits: { type: "string" },
  newer: { type: "boolean" },
  "micro-addon": { type: "boolean" },
  organization: { type: "string", multiple: true },
  plan: { type: "string", multiple: true },
  data: { type: "string" },
  names: { type: "string" },
  token: { type: "string", multiple: true },
  "control-token": { type: "boolean" },
  help: { type: "boolean" },
  version: { type: "boolean" },
} as const satisfies ParseArgsConfig["options"];

/** What a command line asks for: text to print, or an emulator to start. */
export type Command =
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "start"; readonly options: EmulatorOptions };

/** A command line that cannot be followed; the message is all that the user needs to see. */
export class CommandLineError extends Error {}

export function readCommandLine(args: readonly string[]): Command {
  const values = parseFlags(args);
  if (values.help === true) return { kind: "print", text: usage };
  if (values.version === true) return { kind: "print", text: `${packageVersion()}\n` };
  const organizations = organizationsOf(values.organization, values.plan);
  if (values.token?.some((token) => !/^\S+$/.test(token)) === true) {
    throw new CommandLineError("--token takes a text without spaces");
  }
  const allowedHosts = values["allowed-host"];
  for (const name of allowedHosts ?? []) {
    if (!/^[\w.-]+$/.test(name))
      throw new CommandLineError(`--allowed-host takes a name without a port: got "${name}"`);
  }
  if (values.data === "") throw new CommandLineError("--data takes a folder");
  if (values.names === "") throw new CommandLineError("--names takes a file");
  const port = numberOf("port", values.port);
  if (port !== undefined && !(Number.isInteger(port) && port <= 65_535)) {
    throw new CommandLineError(`--port takes a whole number from 0 to 65535: got "${port}"`);
  }
  const pace = numberOf("pace", values.pace);
  const callLogSize = numberOf("call-log", values["call-log"]);
  if (callLogSize !== undefined && !(Number.isInteger(callLogSize) && callLogSize > 0)) {
    throw new CommandLineError(`--call-log takes a whole number from 1 up: got "${callLogSize}"`);
  }
  const { limits } = values;
  if (limits !== undefined && limits !== "scope" && limits !== "operation") {
    throw new CommandLineError(`--limits takes scope or operation: got "${limits}"`);
  }
  return {
    kind: "start",
    options: {
      ...(port !== undefined && { port }),
      ...(values.host !== undefined && { host: values.host }),
      ...(allowedHosts && { allowedHosts }),
      ...(pace !== undefined && { pace }),
      ...(callLogSize !== undefined && { callLogSize }),
      ...(limits !== undefined && { limits }),
      ...(values.newer !== undefined && { newer: values.newer }),
      ...(values["micro-addon"] !== undefined && { microIsAddon: values["micro-addon"] }),
      // Not the caller's own: everybody on the machine can read a command line.
      ...(values["control-token"] === true && { controlToken: randomBytes(24).toString("base64url") }),
      ...(values.data !== undefined && { dataFolder: values.data }),
      ...(values.names !== undefined && { names: values.names }),
      seed: {
        ...(organizations && { organizations }),
        ...(values.token && { tokens: values.token.map((token) => ({ token })) }),
      },
    },
  };
}

/** What a user needs to call the emulator, in one block. */
export function describeStart({
  url,
  accessToken,
  control,
  dataFolder,
  names,
  controlToken,
}: Pick<Emulator, "url" | "accessToken" | "control"> &
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
${controlToken === undefined ? "" : `  control token  ${controlToken}\n`}${dataFolder === undefined ? "" : `  data           ${dataFolder}\n`}${names === undefined ? "" : `  names          ${names}\n`}
Try:  curl -H "Authorization: Bearer ${accessToken}" ${url}/v1/projects
Stop: Ctrl-C
`;
}

function parseFlags(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof flags }>>["values"] {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(/\.?\n|\. /);
    throw new CommandLineError(`${reason}; see management-emulator --help`);
  }
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new CommandLineError(`--${flag} takes a number from 0 up: got "${text}"`);
  return Number(text);
}

/** Those that are named; a plan alone is that of `acme`. */
function organizationsOf(
  named: readonly string[] | undefined,
  plans: readonly string[] = [],
): OrganizationSeed[] | undefined {
  if (named === undefined && plans.length === 0) return undefined;
  const slugs = named ?? ["acme"];
  if (plans.length > 1 && plans.length !== slugs.length) {
    throw new CommandLineError(
      `--plan takes one plan for all organizations, or one for each of ${slugs.length}: got ${plans.length}`,
    );
  }
  return slugs.map((slug, index) => {
    if (!/^[\w-]+$/.test(slug)) {
      throw new CommandLineError(`--organization takes letters, digits, _ and -: got "${slug}"`);
    }
    const given = plans[index] ?? plans[0];
    return { slug, name: nameOf(slug), ...(given !== undefined && { plan: planOf(given) }) };
  });
}

function planOf(given: string): Plan {
  const found = plan.options.find((option) => option === given);
  if (found === undefined) {
    throw new CommandLineError(`--plan takes one of ${plan.options.join(", ")}: got "${given}"`);
  }
  return found;
}

function nameOf(slug: string): string {
  return slug.charAt(0).toUpperCase() + slug.slice(1);
}

function packageVersion(): string {
  const file = packageFile("package.json");
  if (file === undefined) return "unknown";
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
}
