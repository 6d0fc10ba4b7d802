import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { parseJson } from "../provider/client/parse-json";
import { findWorkTree } from "../provider/core/regular-files";
import { quoteForShell } from "../spec/shown-text";
import type { StackState, StateResource } from "./stack-state";
import { readTextFile } from "../spec/regular-file";

// A pull request's program writes the state of its stack. What a destroy would run of it runs with the secrets of the default branch.

/** What the classes of this package write (provider/dynamic). */
const OUR_PROVIDER =
  /^exports\.handler = \(\) => require\("pulumi-management\/dynamic"\)\.provider\("[A-Za-z]+"\)$/;
const PROVIDER = /^pulumi:providers:([^]+)$/;
/** What the engine brings along: code of the state is looked at by itself. */
const OF_THE_ENGINE = ["pulumi", "pulumi-nodejs", "pulumi-python"];
const OWN = "management";
/** The name of code in a state, for the option that allows it. */
export const DYNAMIC = "dynamic";

/** Where package managers record what is installed. */
const LOCK_FILES = [
  ...["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"],
  ...["uv.lock", "poetry.lock", "requirements.txt", "go.sum", "packages.lock.json"],
];

/** What a stack is removed with. */
export interface RemovalTrust {
  /** Folder of the program. */
  readonly workDir: string;
  /** Names of what may run beside it, as the error gives them. */
  readonly allowed: readonly string[];
}

/** A stack whose removal would run what the program of this checkout does not use: nothing of it was changed. */
export class UntrustedStateError extends Error {}

export function requireTrustedCode(
  stackName: string,
  { resources }: StackState,
  { workDir, allowed }: RemovalTrust,
): void {
  const locked = readLocked(workDir);
  const foreign = new Map(
    resources
      .flatMap((resource) => listCode(resource, locked))
      .map(({ name, why }) => [name, why] as const)
      .filter(([name]) => !allowed.includes(name)),
  );
  if (foreign.size === 0) return;
  const options = [...foreign.keys()].map((name) => `--allow-package ${quoteForShell(name)}`).join(" ");
  throw new UntrustedStateError(
    `The stack ${stackName} was not removed, because its removal would run code that a pull request chose: ${[...foreign.values()].join("; ")}. ` +
      `If the repository's own program uses it, merge that program with its lock file, or pass ${options}. Otherwise look at the stack, and remove it by hand on a machine without the job's secrets.`,
  );
}

interface Code {
  readonly name: string;
  readonly why: string;
}

function listCode(resource: StateResource, locked: readonly string[]): Code[] {
  const { types, inputs, outputs } = resource;
  const dynamic = [inputs["__provider"], outputs["__provider"]].filter((each) => each !== undefined);
  const code: Code[] = dynamic.some((each) => typeof each !== "string" || !OUR_PROVIDER.test(each))
    ? [{ name: DYNAMIC, why: `the dynamic provider of a ${types[0] ?? "resource"}` }]
    : [];
  for (const name of listPackages(resource)) {
    if (!isKnownPackage(name, locked))
      code.push({ name, why: `the package ${name}, which no lock file of the program has` });
  }
  for (const provider of listProviders(resource)) {
    const all = [inputs, outputs];
    for (const address of new Set(all.flatMap((each) => listPluginAddresses(each)))) {
      code.push({
        name: formatPackage(provider, address),
        why: `the package ${provider} from the address ${address} (pluginDownloadURL)`,
      });
    }
    for (const address of new Set(
      all.flatMap((each) => (provider === OWN ? listForeignServices(each) : [])),
    )) {
      code.push({
        name: formatPackage(provider, address),
        why: `the package ${provider}, which would send the token of the job to the address ${address} (baseUrl)`,
      });
    }
  }
  return code;
}

/** Whether a removal may start the plugin of a package: this one, the engine's, and those whose SDK a text of lock files names. */
export function isKnownPackage(name: string, locked: readonly string[]): boolean {
  return name === OWN || OF_THE_ENGINE.includes(name) || locked.some((text) => isSdkOf(text, name));
}

/** What allows a package whose plugin comes from an address of its own. */
export function formatPackage(name: string, address: string): string {
  return `${name}=${address}`;
}

/** The packages of which a resource is the provider. */
function listProviders({ types }: StateResource): string[] {
  return types.flatMap((type) => PROVIDER.exec(type)?.[1] ?? []);
}

/** Whose plugins are started for a resource: where it names no provider, the engine takes that of its type's package. */
function listPackages(resource: StateResource): ReadonlySet<string> {
  const { types, isCustom, inputs, outputs } = resource;
  const providers = listProviders(resource);
  return new Set([
    ...providers,
    ...(providers.length === 0 ? [] : [inputs, outputs].flatMap(listPluginNames)),
    ...(isCustom ? types.map((type) => type.split(":", 1).join()) : []),
  ]);
}

/** Where a provider of ours that names its service would send the token, if not to the job's own. */
function listForeignServices({ baseUrl }: StateResource["inputs"]): string[] {
  if (baseUrl === undefined || baseUrl === "") return [];
  const trimEnd = (address: string): string => address.replace(/\/+$/, "");
  if (typeof baseUrl !== "string") return [JSON.stringify(baseUrl)];
  return trimEnd(baseUrl) === trimEnd(process.env["MANAGEMENT_BASE_URL"] ?? "") ? [] : [baseUrl];
}

const internal = z.looseObject({ name: z.string() });

/** The plugin of a package that is made of another one. */
function listPluginNames({ __internal: own }: StateResource["inputs"]): string[] {
  const { success, data } = internal.safeParse(own);
  return success ? [data.name] : [];
}

/** Where the engine would take the plugin from, at any depth. */
export function listPluginAddresses(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
    key === "pluginDownloadURL" && each !== "" && each != null
      ? [typeof each === "string" ? each : JSON.stringify(each)]
      : listPluginAddresses(each),
  );
}

/** The lock files of the program: in its folder, or above it up to the repository's. */
export function readLocked(workDir: string): string[] {
  const folder = resolve(workDir);
  const root = findWorkTree(folder) ?? folder;
  const folders: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    folders.push(each);
    if (each === root || each === dirname(each)) break;
  }
  return folders.flatMap((each) =>
    LOCK_FILES.map((name) => join(each, name))
      .filter((file) => existsSync(file))
      .map(readLockedNames),
  );
}

const npmLock = z.looseObject({ packages: z.record(z.string(), z.unknown()) });

/** Of a lock file of npm, the names alone; of another, its text. */
function readLockedNames(file: string): string {
  const text = readTextFile(file);
  const { success, data } = npmLock.safeParse(parseJson(text));
  return success
    ? Object.keys(data.packages)
        .map((path) => path.replace(/^.*node_modules\//, ""))
        .join("\n")
    : text;
}

/** Whether a text names the SDK of a package, as `@pulumi/aws`, `pulumi-aws`, `pulumi_aws` or `@acme/pulumi-aws`. */
function isSdkOf(text: string, name: string): boolean {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) return false;
  return [`@pulumi/${name}`, `pulumi-${name}`, `pulumi_${name.replaceAll("-", "_")}`].some((spelling) =>
    text
      .split(spelling)
      .slice(1)
      .some((after) => !/^[\w-]/.test(after)),
  );
}
