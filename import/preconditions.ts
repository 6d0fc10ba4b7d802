import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { listConnectionFaults } from "../provider/process/config";
import { PYTHON_SDK, VIRTUAL_ENVIRONMENT } from "./documents";
import type { ImportOptions } from "./import-options";
import { findPluginFolder } from "./import-into-stack";
import { explainUnknownChoice } from "./inventory";
import { findSchemaFile } from "./languages/python";
import { isFolder } from "./source-folders";
import { createPulumi, runTool, type Pulumi, type PulumiCommandResult } from "./pulumi";
import { readTextFile } from "../spec/regular-file";

/** The engine before this one does not take the programs and commands of this version. */
const OLDEST_ENGINE = "3.250";
const OLDEST_PYTHON = "3.10";

/** What of a program's folder the command would take for its own. */
const WRITTEN = ["Pulumi.yaml", "README.md", "index.ts", "__main__.py"];

const RUNTIMES = { typescript: "nodejs", yaml: "yaml", python: "python" } as const;

/**
 * Throws for everything that would stop the command later, all at once, before anything is read from the service or written.
 * `folder` is for what is made meanwhile, and is where the engine runs while the program's folder does not exist.
 */
export async function requirePreconditions(
  options: ImportOptions,
  out: string,
  folder: string,
): Promise<void> {
  const { env, imports } = options;
  const lacking = [
    ...listConnectionFaults(env, () => undefined).map(({ reason }) => reason),
    ...findOptionFaults(options),
    ...findFolderFaults(out, options),
  ];
  if (imports) {
    const runsIn = existsSync(out) && statSync(out).isDirectory() ? out : folder;
    lacking.push(...findPackageFaults(options));
    const pulumi = createPulumi(runsIn, env);
    const ofEngine = await findEngineFaults(pulumi, out, options);
    lacking.push(...ofEngine, ...(await findToolFaults(runsIn, out, options)));
    if (ofEngine.length === 0) lacking.push(...(await findSdkFaults(pulumi, out, options, folder)));
  }
  const [only] = lacking;
  if (only === undefined) return;
  const list = lacking.length === 1 ? ` ${only}` : `\n${lacking.map((each) => `- ${each}`).join("\n")}`;
  throw new Error(`Nothing was read or written.${list}`);
}

function findOptionFaults(options: ImportOptions): string[] {
  const { choose, stack, dotenv, fromTerraform, fromConfig } = options;
  const files = { "--dotenv": dotenv, "--from-terraform": fromTerraform, "--from-config": fromConfig };
  return [
    ...choose.flatMap((type) => explainUnknownChoice(type) ?? []),
    ...(/^(?:[\w.-]+\/){0,2}[\w.-]{1,100}$/.test(stack)
      ? []
      : [
          `\`--stack ${stack}\` is not the name of a stack. Use letters, digits, \`_\`, \`.\` and \`-\`, with the organization and the project in front of it if needed.`,
        ]),
    ...(["functions", "migrations"] as const).flatMap((option) => {
      const path = options[option];
      if (path === undefined || isFolder(resolve(path))) return [];
      return [
        `\`--${option}\`: ${resolve(path)} is not a folder. Pass a folder that exists, or omit the option.`,
      ];
    }),
    ...Object.entries(files).flatMap(([option, path]) =>
      path === undefined || isFile(resolve(path))
        ? []
        : [
            `\`${option}\`: there is no file ${resolve(path)}. Pass the path of the file, or omit the option.`,
          ],
    ),
  ];
}

/** A pipe is read like a file. */
function isFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isDirectory();
}

/** The folder is empty of programs, or has one that an earlier run wrote in this language. */
function findFolderFaults(out: string, { language }: ImportOptions): string[] {
  if (!existsSync(out)) {
    const above = findNearestFolder(out);
    return isWritable(above)
      ? []
      : [`${above} cannot be written, so ${out} cannot be created. Pass another \`--out\`.`];
  }
  if (!statSync(out).isDirectory()) return [`${out} is a file. Pass a folder with \`--out\`.`];
  if (!isWritable(out)) return [`${out} cannot be written. Pass another \`--out\`.`];
  const names = readdirSync(out);
  const runtime = names.includes("Pulumi.yaml") ? readRuntime(join(out, "Pulumi.yaml")) : undefined;
  if (runtime !== undefined && runtime !== RUNTIMES[language])
    return [
      `${out} has a program with the runtime \`${runtime}\`, and \`--language ${language}\` writes one for \`${RUNTIMES[language]}\`. Pass the language of the program, or another \`--out\`.`,
    ];
  const foreign = names.filter((name) => WRITTEN.includes(name));
  if (foreign.length === 0 || names.includes("import.json") || runtime !== undefined) return [];
  return [
    `${out} has ${foreign.join(", ")}, which no run of this command wrote and this one would overwrite. Pass an empty folder with \`--out\`.`,
  ];
}

function findNearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(above) ? above : findNearestFolder(above);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined for a file of which the engine will say what is wrong. */
function readRuntime(file: string): string | undefined {
  const { runtime } = (readYaml(file) ?? {}) as { runtime?: string | { name?: string } };
  return typeof runtime === "object" ? runtime.name : runtime;
}

function readYaml(file: string): unknown {
  try {
    return parse(readTextFile(file));
  } catch {
    return undefined;
  }
}

function findPackageFaults({ language }: ImportOptions): string[] {
  const parts = language === "python" ? [findPluginFolder, findSchemaFile] : [findPluginFolder];
  return parts.flatMap((part) => {
    try {
      part();
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
}

const WITHOUT_ENGINE = "or pass `--no-import` to write the program only";

async function findEngineFaults(pulumi: Pulumi, out: string, options: ImportOptions): Promise<string[]> {
  const version = await ignoreFailure(pulumi(["version"]));
  if (version === undefined)
    return [`\`pulumi\` is not on PATH. Install Pulumi ${OLDEST_ENGINE} or later, ${WITHOUT_ENGINE}.`];
  const [, found = ""] = /v?(\d+\.\d+\.\d+)/.exec(version.stdout) ?? [];
  if (!isAtLeast(found, OLDEST_ENGINE))
    return [
      `The command needs Pulumi ${OLDEST_ENGINE} or later, and \`pulumi\` on PATH is ${found || `broken: ${version.said.trim()}`}. Install a later version, ${WITHOUT_ENGINE}.`,
    ];
  const who = await pulumi(["whoami", "--json"]);
  if (who.code !== 0)
    return [
      `Pulumi is not logged in to a state backend (Pulumi says: ${lastLineOf(who)}). Run \`pulumi login\`, or \`pulumi login --local\` to keep the state on this machine.`,
    ];
  const { url = "" } = JSON.parse(who.stdout) as { readonly url?: string };
  return findSecretsFaults(pulumi, out, url, options);
}

/** Who encrypts the secrets of the stack: a service, a key elsewhere, or a passphrase that must be known. */
async function findSecretsFaults(
  pulumi: Pulumi,
  out: string,
  backend: string,
  { stack, env, secretsProvider = "default" }: ImportOptions,
): Promise<string[]> {
  const own = stack.slice(stack.lastIndexOf("/") + 1);
  const config = (readYaml(join(out, `Pulumi.${own}.yaml`)) ?? {}) as {
    readonly secretsprovider?: string;
    readonly encryptionsalt?: string;
  };
  const recorded = config.encryptionsalt === undefined ? config.secretsprovider : "passphrase";
  const provider = recorded ?? secretsProvider;
  const isOfService = provider === "default" && /^https?:/.test(backend);
  if (isOfService || !["default", "passphrase"].includes(provider)) return [];
  const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (passphrase === undefined && file === undefined)
    return [
      `The secrets of the stack ${stack} are encrypted with a passphrase, and none is set. Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE, or pass the address of a key with \`--secrets-provider\`.`,
    ];
  if (passphrase === undefined && file !== undefined && !isFile(resolve(out, file)))
    return [`PULUMI_CONFIG_PASSPHRASE_FILE: there is no file ${resolve(out, file)}. Correct the path.`];
  if (!existsSync(join(out, "Pulumi.yaml"))) return [];
  // Each decrypts something of an existing stack; what they print stays here.
  for (const args of [
    ["config", "--show-secrets", "--json"],
    ["stack", "export", "--show-secrets"],
  ]) {
    const { code, said } = await pulumi([...args, "--stack", stack]);
    if (code !== 0 && /incorrect passphrase/.test(said))
      return [
        `The passphrase is not the one of the stack ${stack}. Set the right one in PULUMI_CONFIG_PASSPHRASE.`,
      ];
  }
  return [];
}

/** The SDK for Python is generated here already: it does not depend on the project, and an old language host cannot do it. */
async function findSdkFaults(
  pulumi: Pulumi,
  out: string,
  { language, say }: ImportOptions,
  folder: string,
): Promise<string[]> {
  if (language !== "python" || existsSync(join(out, PYTHON_SDK))) return [];
  say("pulumi package gen-sdk --language python");
  const to = join(folder, dirname(PYTHON_SDK));
  const made = await pulumi(["package", "gen-sdk", findSchemaFile(), "--language", "python", "--out", to]);
  if (made.code === 0 && existsSync(join(folder, PYTHON_SDK))) return [];
  return [
    `\`pulumi package gen-sdk --language python\` failed (it says: ${lastLineOf(made)}). Install Pulumi ${OLDEST_ENGINE} or later with all of its language hosts, or put the SDK into ${join(out, PYTHON_SDK)}.`,
  ];
}

/** What installs the packages of the program, where they are not installed. */
async function findToolFaults(cwd: string, out: string, { language, env }: ImportOptions): Promise<string[]> {
  const faults: string[] = [];
  if (!existsSync(join(out, "node_modules", "pulumi-management"))) {
    const npm = await ignoreFailure(runTool("npm", ["--version"], { cwd, env }));
    if (npm?.code !== 0)
      faults.push("`npm` is not on PATH. It comes with Node.js: install it, and put its folder on PATH.");
  }
  if (language !== "python" || existsSync(join(out, VIRTUAL_ENVIRONMENT))) return faults;
  const version = "import sys, venv, ensurepip; print('%d.%d.%d' % sys.version_info[:3])";
  const python = await ignoreFailure(runTool(choosePython(), ["-c", version], { cwd, env }));
  const found = python?.stdout.trim() ?? "";
  if (python === undefined)
    faults.push(`\`${choosePython()}\` is not on PATH. Install Python ${OLDEST_PYTHON} or later.`);
  else if (python.code !== 0)
    faults.push(
      `\`${choosePython()}\` lacks the module \`venv\` or \`ensurepip\` (it says: ${lastLineOf(python)}). Install it, on Debian with the package \`python3-venv\`, or create the folder ${VIRTUAL_ENVIRONMENT} by another tool with the packages of the program.`,
    );
  else if (!isAtLeast(found, OLDEST_PYTHON))
    faults.push(
      `The SDK needs Python ${OLDEST_PYTHON} or later, and \`${choosePython()}\` on PATH is ${found}. Put a later version first on PATH.`,
    );
  return faults;
}

/** The name of the interpreter with which the virtual environment is made. */
export function choosePython(): string {
  return process.platform === "win32" ? "python" : "python3";
}

/** Undefined where there is no such program. */
function ignoreFailure(command: Promise<PulumiCommandResult>): Promise<PulumiCommandResult | undefined> {
  return command.catch(() => undefined);
}

function lastLineOf({ said }: PulumiCommandResult): string {
  return said.trim().split("\n").at(-1)?.trim() ?? "";
}

function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
