import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../provider/client/parse-json";
import { readFileWithin, resolveRealFolder, UnreadableFile } from "../../provider/core/regular-files";
import { isObject } from "../../spec/is-object";
import { quoteText } from "../../spec/shown-text";
import { findProjectName, isProjectName, parseYaml, PROJECT_FILES } from "../program-project";
import { listPluginAddresses, DYNAMIC, isKnownPackage, readLocked, formatPackage } from "../state-code";
import { readFolderEntries } from "./glob-files";

/** What a program uses that its stack is refused for when it is removed, and what is not known of that. */
export interface ProgramPackages {
  /** As `--allow-package` takes them. */
  readonly allowed: readonly string[];
  readonly notes: readonly string[];
  /** The name of its project, where a command of a workflow can have it. */
  readonly pulumiProject: string | undefined;
}

/** A package, and what its SDK is called where the program installs one. */
interface Used {
  readonly name: string;
  readonly sdk?: string;
  readonly address?: string | undefined;
}

/** They stand in a command of a workflow as they are. */
const ALLOWED = /^[a-z0-9][a-z0-9-]{0,99}(?:=[a-z][a-z0-9+.-]*:\/\/[\w.:/@%~-]{1,200})?$/;
const MOST_FOLDERS = 2_000;
const SOURCES = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".py"];
const DYNAMIC_PROVIDER = /\bpulumi[./]dynamic\b|\bdynamic\s*\.\s*Resource/;

export function findProgramPackages(repositoryDir: string, programDir: string): ProgramPackages {
  const read = createFileReader(repositoryDir);
  const notes: string[] = [];
  const project = readPulumiProject(programDir, read);
  const used = [
    ...findUsedByNode(repositoryDir, programDir, read, notes),
    ...findUsedByPython(programDir, project, read),
    ...findUsedByYaml(programDir, project, read),
  ];
  const locked = readLocked(programDir);
  const names = used.flatMap(({ name, sdk, address = "" }) => [
    ...(isKnownPackage(name, sdk === undefined ? locked : [sdk]) ? [] : [name]),
    ...(address === "" ? [] : [formatPackage(name, address)]),
  ]);
  if (definesDynamicProvider(programDir, read)) names.push(DYNAMIC);
  const all = [...new Set(names)].sort();
  for (const name of all.filter((each) => !ALLOWED.test(each)))
    notes.push(
      `The jobs allow what the program uses, but not ${quoteText(name)}: such a name is for people to judge.`,
    );
  const name = findProjectName(project) ?? "";
  const pulumiProject = isProjectName(name) ? name : undefined;
  return { allowed: all.filter((each) => ALLOWED.test(each)), notes, pulumiProject };
}

type FileReader = (path: string) => string | undefined;

/** What cannot be read says nothing. */
export function createFileReader(repositoryDir: string): FileReader {
  const root = resolveRealFolder(repositoryDir);
  return (path) => {
    try {
      return existsSync(path) ? readFileWithin(path, [root]).toString("utf8") : undefined;
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  };
}

function readPulumiProject(programDir: string, read: FileReader): unknown {
  const texts = PROJECT_FILES.map((name) => read(join(programDir, name)));
  return parseYaml(texts.find((text) => text !== undefined) ?? "");
}

const manifest = z.looseObject({ dependencies: z.record(z.string(), z.unknown()).optional() });

/** The packages of npm that a `package.json` names; none where it is no such file. */
export function readDependencies(text = ""): Readonly<Record<string, unknown>> {
  return manifest.safeParse(parseJson(text)).data?.dependencies ?? {};
}

const plugin = z.looseObject({
  resource: z.literal(true),
  name: z.string().optional(),
  server: z.string().optional(),
});
const installed = z.looseObject({ pulumi: plugin.optional().catch(undefined) });
const NPM_NAME = /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*$/;

/** An installed package of npm says of which plugin it is the SDK. */
function findUsedByNode(
  repositoryDir: string,
  programDir: string,
  read: FileReader,
  notes: string[],
): Used[] {
  const dependencies = readDependencies(read(join(programDir, "package.json")));
  const names = Object.keys(dependencies).filter((name) => NPM_NAME.test(name));
  const missing: string[] = [];
  const used = names.flatMap((sdk): Used[] => {
    const text = findInstalled(sdk, repositoryDir, programDir, read);
    if (text === undefined) missing.push(sdk);
    const own = installed.safeParse(parseJson(text ?? "")).data?.pulumi;
    if (own === undefined) return [];
    return [{ name: own.name ?? sdk.replace(/^@pulumi\//, ""), sdk, address: own.server }];
  });
  const unknown = missing.filter((name) => !/^@pulumi\/|^pulumi-management$/.test(name));
  if (unknown.length > 0)
    notes.push(
      `${unknown.join(", ")} ${unknown.length === 1 ? "is" : "are"} not installed, so it is not known whether a removal needs --allow-package for ${unknown.length === 1 ? "it" : "them"}: install the program's packages first, and run this again.`,
    );
  return used;
}

function findInstalled(
  name: string,
  repositoryDir: string,
  programDir: string,
  read: FileReader,
): string | undefined {
  for (let folder = programDir; ; folder = dirname(folder)) {
    const text = read(join(folder, "node_modules", name, "package.json"));
    if (text !== undefined || folder === repositoryDir || folder === dirname(folder)) return text;
  }
}

/** An installed package of Python has a file that says so. */
function findUsedByPython(programDir: string, project: unknown, read: FileReader): Used[] {
  const options = fieldOf(fieldOf(project, "runtime"), "options");
  const named = fieldOf(options, "virtualenv");
  const folders = [...(typeof named === "string" ? [named] : []), "venv", ".venv"];
  const libraries = [...new Set(folders)].map((folder) => join(programDir, folder, "lib"));
  return libraries
    .flatMap((lib) => readFolderEntries(lib).map(({ name }) => join(lib, name, "site-packages")))
    .flatMap((site) => readFolderEntries(site).map(({ name }) => join(site, name)))
    .flatMap((folder): Used[] => {
      const text = read(join(folder, "pulumi-plugin.json"));
      const { data } = plugin.safeParse(parseJson(text ?? ""));
      const sdk = basename(folder);
      return data === undefined ? [] : [{ name: data.name ?? sdk, sdk, address: data.server }];
    });
}

/** A program in YAML names packages by the types of its resources, and installs none. */
function findUsedByYaml(programDir: string, project: unknown, read: FileReader): Used[] {
  const runtime = fieldOf(project, "runtime");
  const isYaml = runtime === "yaml" || fieldOf(runtime, "name") === "yaml";
  const documents = isYaml
    ? [project, ...["Main.yaml", "Main.yml"].map((name) => parseYaml(read(join(programDir, name)) ?? ""))]
    : [];
  const providers = fieldOf(fieldOf(project, "plugins"), "providers");
  const named = [
    ...Object.keys(toFields(fieldOf(project, "packages"))),
    ...(Array.isArray(providers) ? providers.map((each) => fieldOf(each, "name")) : []),
  ];
  return [
    ...named.filter((name) => typeof name === "string").map((name) => ({ name })),
    ...documents.flatMap(listTokens),
  ];
}

/** The packages of types and functions, at any depth. */
function listTokens(value: unknown): Used[] {
  if (Array.isArray(value)) return value.flatMap(listTokens);
  if (!isObject(value)) return [];
  const own = [value["type"], value["function"]].flatMap((token): Used[] => {
    if (typeof token !== "string" || !token.includes(":")) return [];
    const [first = "", second = "", third = ""] = token.split(":");
    const name = first === "pulumi" && second === "providers" ? third : first;
    return [{ name }, ...listPluginAddresses(value["options"]).map((address) => ({ name, address }))];
  });
  return [...own, ...Object.values(value).flatMap(listTokens)];
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function fieldOf(value: unknown, name: string): unknown {
  return toFields(value)[name];
}

function definesDynamicProvider(programDir: string, read: FileReader): boolean {
  const waiting = [programDir];
  for (let looked = 0; looked < MOST_FOLDERS; looked += 1) {
    const folder = waiting.pop();
    if (folder === undefined) return false;
    for (const entry of readFolderEntries(folder)) {
      const path = join(folder, entry.name);
      const isPassedOver = entry.name.startsWith(".") || ["node_modules", "venv"].includes(entry.name);
      if (entry.isDirectory() && !isPassedOver) waiting.push(path);
      if (entry.isFile() && SOURCES.includes(extname(entry.name)) && DYNAMIC_PROVIDER.test(read(path) ?? ""))
        return true;
    }
  }
  return false;
}
