import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { operations, type OperationName } from "../spec/table";
import { InvalidInputError } from "../provider/client/errors/errors";
import { createProcessRuntime } from "../provider/process/process-runtime";
import { readEnvFile } from "../provider/resources/functions/secret-set/env-file";
import { VERSION } from "../provider/version.generated";
import { readAppliedMigrations } from "./applied-migrations";
import {
  envExample,
  importFile,
  PYTHON_SDK,
  readme,
  supportFiles,
  VIRTUAL_ENVIRONMENT,
  type Language,
} from "./documents";
import { fromConfig, fromTerraform, type Elsewhere } from "./elsewhere";
import { takeInventory, type Inventory, type LeftOut } from "./inventory";
import { partFor } from "./languages/source-files";
import { addedTypeScript, typeScriptFiles, typeScriptProgram } from "./languages/typescript";
import { addedPython, pythonFiles, pythonProgram, schemaFile } from "./languages/python";
import { yamlProgram } from "./languages/yaml";
import { programOf, type Declared, type NamedBefore, type Program } from "./model";
import { importPermissions } from "./permissions.generated";
import { pulumiIn, required, run, type Pulumi } from "./pulumi";
import { besideSets, folderOf, isSet, withFunctionSet, withSecretSet } from "./sets";
import { foldersOfTool, fromProgram, isFolder, placeSource } from "./source-folders";
import { asDeclared, recordedIn, type Deployment } from "./state";

export interface ImportOptions {
  readonly projectRef: string;
  /** Folder of the program. */
  readonly out: string;
  readonly language: Language;
  readonly stack: string;
  /** Whether the stack takes the objects over, or only the files are written. */
  readonly imports: boolean;
  readonly full: boolean;
  readonly choose: readonly string[];
  readonly envFile?: string | undefined;
  readonly functions?: string | undefined;
  readonly migrations?: string | undefined;
  /** A state of Terraform, of which only what it manages is taken over. */
  readonly fromTerraform?: string | undefined;
  /** A configuration file of the platform's tool, whose settings the program declares. */
  readonly fromConfig?: string | undefined;
  /** Which generation of the tool wrote that file. */
  readonly generation?: "2" | "3" | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

/** Writes the program of a project and brings the project under it; the exit code. */
export async function importProject(options: ImportOptions): Promise<number> {
  refuseSets(options);
  const { say, language } = options;
  const out = resolve(options.out);
  mkdirSync(out, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "management-import-"));
  const traced = options.env["MANAGEMENT_TRACE"];
  const trace = traced === undefined || traced === "" ? join(scratch, "trace.jsonl") : resolve(traced);
  const earlier = existsSync(trace) ? readFileSync(trace, "utf8").length : 0;
  const env = { ...options.env, MANAGEMENT_TRACE: trace };
  const began = process.cwd();
  say(`Fine-grained permissions that this needs of the token: ${importPermissions.join(", ")}.`);
  try {
    const pulumi = pulumiIn(out, env);
    const inStack = options.imports ? await recordedBefore(pulumi, out, options) : [];
    const written = listedBefore(out).filter(isInProgram(out, options));
    const recorded = [...inStack, ...without(written, inStack)];
    const found = await readProject(options, out, env, recorded);
    // The paths of a program begin in its folder.
    process.chdir(out);
    for (const line of found.inventory.differences) say(line);
    const { inventory, notes } = withSets(withFolders(found, out, recorded), out, options, recorded);
    const program = programOf(inventory, recorded);
    const added = without(program.resources, recorded);
    writeProgramFiles({ program, inventory, added, out, language });
    say(`The program is in ${options.out}: ${count(added)} new, ${recorded.length} existing.`);
    const documents = (notImported: readonly LeftOut[]): void =>
      writeFileSync(join(out, "README.md"), readme(program, inventory, { language, notes, notImported }));
    documents([]);
    let code = 0;
    let notTaken: readonly LeftOut[] = [];
    if (options.imports) {
      // An earlier run may have ended between the program and the import.
      const toImport = without(program.resources, inStack);
      const importing = { pulumi, out, scratch, program, added: toImport, options, env };
      await installPackages(importing);
      const notImported = await importIntoStack(importing);
      documents(notImported);
      notTaken = notImported;
      for (const { type, label, why } of notImported) say(`Not imported: ${type} ${label}: ${why}`);
      code = await previewShowsNothing(importing);
    }
    for (const line of secretLines(inventory)) say(line);
    for (const { type, label, why } of inventory.failed) say(`Not possible: ${type} ${label}: ${why}`);
    if (options.imports) {
      const isTaken = ({ type, name, comment }: Declared): boolean =>
        comment === undefined && !notTaken.some((each) => each.type === type && each.label === name);
      const taken = program.resources.filter(isTaken).map(({ type, importId }) => `${type} ${importId}`);
      for (const line of found.elsewhere?.afterwards(new Set(taken)) ?? []) say(line);
    }
    const { calls, writes } = countCalls(trace, earlier);
    say(`${calls} calls to the service, of which ${writes} were writes.`);
    return writes > 0 ? 1 : code;
  } finally {
    process.chdir(began);
    rmSync(scratch, { recursive: true, force: true });
  }
}

function count(resources: readonly Declared[]): number {
  return resources.filter(({ comment }) => comment === undefined).length;
}

interface Located {
  readonly inventory: Inventory;
  readonly functions: string | undefined;
  readonly notes: string[];
  readonly elsewhere: Elsewhere | undefined;
}

async function readProject(
  options: ImportOptions,
  out: string,
  env: NodeJS.ProcessEnv,
  recorded: readonly NamedBefore[],
): Promise<Located> {
  const { projectRef, full, choose, say, envFile } = options;
  const elsewhere = elsewhereOf(options, out);
  const beside = options.fromConfig === undefined ? process.cwd() : dirname(resolve(options.fromConfig));
  const usual = foldersOfTool(beside);
  const functions = namedFolder("functions", options) ?? usual.functions;
  const migrations = namedFolder("migrations", options) ?? usual.migrations;
  const secretValues = new Map([
    ...(elsewhere?.secretValues ?? []),
    ...(envFile === undefined ? [] : readEnvFile(envFile).values),
  ]);
  const notes: string[] = [...(elsewhere?.notes ?? [])];
  const state = mkdtempSync(join(tmpdir(), "management-import-state-"));
  // What it remembers of objects is this command's alone: the stack's own provider takes them over.
  const processRuntime = createProcessRuntime({ ...env, XDG_STATE_HOME: state }, ({ message, severity }) => {
    if (severity !== "info" && !notes.includes(message)) notes.push(message);
    return Promise.resolve();
  });
  const began = process.cwd();
  try {
    process.chdir(out);
    const runtime = processRuntime.runtime();
    let folder = migrations === undefined ? undefined : fromProgram(out, migrations);
    if (folder === undefined && elsewhere?.isAll !== true && !choose.includes("Migration")) {
      const applied = await readAppliedMigrations(runtime, projectRef, out);
      notes.push(...applied.notes);
      folder = applied.folder;
    }
    const inventory = await takeInventory(runtime, {
      ...{ projectRef, full, choose, secretValues, elsewhere, onProgress: say },
      present: recorded.map(({ type }) => type),
      migrations: folder,
    });
    await runtime.client().close();
    return { inventory, functions, notes, elsewhere };
  } finally {
    process.chdir(began);
    rmSync(state, { recursive: true, force: true });
  }
}

function namedFolder(option: "functions" | "migrations", options: ImportOptions): string | undefined {
  const { [option]: given } = options;
  if (given === undefined) return undefined;
  const folder = resolve(given);
  if (isFolder(folder)) return folder;
  throw new InvalidInputError(
    option,
    `--${option}: ${folder} is not a folder. Pass a folder that exists, or omit the option.`,
  );
}

function elsewhereOf(options: ImportOptions, out: string): Elsewhere | undefined {
  const reading = { projectRef: options.projectRef, env: options.env, out, generation: options.generation };
  if (options.fromTerraform !== undefined) return fromTerraform(options.fromTerraform, reading);
  return options.fromConfig === undefined ? undefined : fromConfig(options.fromConfig, reading);
}

function withFolders(located: Located, out: string, recorded: readonly NamedBefore[]): Located {
  const { functions, notes } = located;
  const inventory = besideSets(located.inventory, recorded, out);
  const ofSets = recorded.flatMap(({ type, importId }) =>
    type === "FunctionSet" ? [folderOf(importId)] : [],
  );
  const objects = inventory.objects.map((each) => {
    const { found, note } = placeSource(each, out, functions, ofSets);
    if (note !== undefined) notes.push(note);
    return found;
  });
  return { ...located, inventory: { ...inventory, objects } };
}

/** With the sets that were asked for, unless the stack has one. */
function withSets(
  located: Located,
  out: string,
  { choose }: ImportOptions,
  recorded: readonly NamedBefore[],
): Located {
  const isNew = (wanted: string): boolean =>
    choose.includes(wanted) && !recorded.some(({ type }) => type === wanted);
  const folder = located.functions ?? join(out, "functions");
  const first = isNew("FunctionSet") ? withFunctionSet(located.inventory, out, folder) : located.inventory;
  return { ...located, inventory: isNew("SecretSet") ? withSecretSet(first) : first };
}

/** A set is in no file that `pulumi import` takes, and Terraform names what it has one by one. */
function refuseSets({ choose, imports, fromTerraform: state }: ImportOptions): void {
  const set = choose.find(isSet);
  const option = imports ? (state === undefined ? undefined : "--from-terraform") : "--no-import";
  if (set === undefined || option === undefined) return;
  throw new InvalidInputError(
    "choose",
    `\`--choose ${set}\` cannot be combined with \`${option}\`: \`pulumi import\` does not take a ${set}, so its first \`pulumi up\` would write. Omit one of the two options.`,
  );
}

interface Identified {
  readonly type: string;
  readonly importId: string;
}

function without<T extends Identified>(all: readonly T[], those: readonly Identified[]): T[] {
  const keys = new Set(those.map(({ type, importId }) => `${type} ${importId}`));
  return all.filter(({ type, importId }) => !keys.has(`${type} ${importId}`));
}

/** Whether the program in a folder declares what an earlier run listed: a user may have removed it since. */
function isInProgram(out: string, { language, imports }: ImportOptions): (listed: NamedBefore) => boolean {
  if (!imports) return () => true;
  const ending = { typescript: ".ts", python: ".py", yaml: "Pulumi.yaml" }[language];
  const sources = readdirSync(out)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(out, name), "utf8"));
  return ({ type, name }) => {
    const declaration =
      language === "yaml" ? `^ +${name}:\\s+type: \\S+:${type}$` : `^[^/#\n]*\\b${type}\\(\\s*"${name}"`;
    return sources.some((text) => new RegExp(declaration, "m").test(text));
  };
}

/** What the stack has. */
async function recordedBefore(
  pulumi: Pulumi,
  out: string,
  { stack, language }: ImportOptions,
): Promise<NamedBefore[]> {
  if (!existsSync(join(out, "Pulumi.yaml"))) return [];
  const exported = await pulumi(["stack", "export", "--stack", stack]);
  if (exported.code !== 0) {
    if (/no stack named/.test(exported.said)) return [];
    throw new Error(`pulumi stack export failed (${language}): ${exported.said.trim().slice(-4_000)}`);
  }
  return recordedIn(JSON.parse(exported.stdout) as Deployment);
}

/** A new folder in which the folders of the program's migrations have the paths that they have in the program's folder. */
function seeingFolders(declared: readonly Declared[], out: string, scratch: string): string {
  const paths = declared.flatMap(({ type, inputs: { directory } }) =>
    type === "MigrationSet" && typeof directory === "string" && !isAbsolute(directory) ? [directory] : [],
  );
  const ascents = paths.map((path) => path.split("/").filter((part) => part === "..").length);
  const folder = join(scratch, "importing", ...Array<string>(Math.max(0, ...ascents)).fill("in"));
  mkdirSync(folder, { recursive: true });
  for (const path of paths) {
    const link = resolve(folder, path);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(out, path), link, "junction");
  }
  return folder;
}

/** What an earlier run wrote and imported nowhere. */
function listedBefore(out: string): NamedBefore[] {
  const file = join(out, "import.json");
  if (!existsSync(file)) return [];
  const { resources = [] } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly resources?: readonly { readonly type: string; readonly name: string; readonly id: string }[];
  };
  return resources.map(({ type, name, id }) => ({ type: type.split(":").at(-1) ?? "", name, importId: id }));
}

interface ToWrite {
  readonly program: Program;
  readonly inventory: Inventory;
  readonly added: readonly Declared[];
  readonly out: string;
  readonly language: Language;
}

const MAIN: Readonly<Record<Language, string>> = {
  typescript: "index.ts",
  yaml: "Pulumi.yaml",
  python: "__main__.py",
};

/** The files of a new program, and what a later run adds to one of them. */
const SOURCES = {
  typescript: { ending: ".ts", files: typeScriptFiles, whole: typeScriptProgram, added: addedTypeScript },
  python: { ending: ".py", files: pythonFiles, whole: pythonProgram, added: addedPython },
} as const;

/** What is there stays: a later run adds to the program, and writes no other file that exists. */
function writeProgramFiles({ program, inventory, added, out, language }: ToWrite): void {
  const write = (name: string, text: string): void => {
    const path = join(out, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const main = join(out, MAIN[language]);
  const present = existsSync(main) ? readFileSync(main, "utf8") : undefined;
  const news = { ...program, resources: added };
  if (language === "yaml") {
    if (present === undefined || added.some(({ comment }) => comment === undefined))
      write(MAIN.yaml, yamlProgram(news, present));
  } else {
    const { ending, files, whole, added: addition } = SOURCES[language];
    // Of an area that has no file of its own, the main file has what is new.
    const fileOf = (declared: Declared): string => {
      const own = `${partFor(declared)}${ending}`;
      return existsSync(join(out, `options${ending}`)) && existsSync(join(out, own)) ? own : MAIN[language];
    };
    const declared = added.filter(({ comment }) => comment === undefined);
    if (present === undefined) {
      const parts = files(program);
      const isInTheWay = Object.keys(parts).some((name) => existsSync(join(out, name)));
      const wanted = isInTheWay ? { [MAIN[language]]: whole(program) } : parts;
      for (const [name, text] of Object.entries(wanted)) write(name, text);
    } else {
      for (const name of new Set(declared.map(fileOf))) {
        const text = readFileSync(join(out, name), "utf8");
        const resources = declared.filter((each) => fileOf(each) === name);
        write(name, text + addition({ ...program, resources }, text));
      }
    }
  }
  for (const [name, text] of Object.entries(supportFiles(program, language, VERSION))) {
    if (name === "import.json" || !existsSync(join(out, name))) write(name, text);
  }
  write(".env.example", envExample(inventory));
}

interface Importing {
  readonly pulumi: Pulumi;
  readonly out: string;
  readonly scratch: string;
  readonly program: Program;
  readonly added: readonly Declared[];
  readonly options: ImportOptions;
  readonly env: NodeJS.ProcessEnv;
}

async function installPackages(importing: Importing): Promise<void> {
  const { out, env, options } = importing;
  if (!existsSync(join(out, "node_modules", "pulumi-management"))) {
    options.say("npm install");
    await required(run("npm", ["install", "--no-audit", "--no-fund"], { cwd: out, env }), "npm install");
  }
  if (options.language === "python") await installForPython(importing);
}

/** Generates the SDK and installs it into a virtual environment, as the program's README says. */
async function installForPython({ pulumi, out, env, options: { say } }: Importing): Promise<void> {
  if (!existsSync(join(out, PYTHON_SDK))) {
    const folder = dirname(PYTHON_SDK);
    say(`pulumi package gen-sdk --language python --out ${folder}`);
    await required(
      pulumi(["package", "gen-sdk", schemaFile(), "--language", "python", "--out", folder]),
      `pulumi package gen-sdk (an older language host cannot generate: then put the SDK into ${PYTHON_SDK} as docs/installation-configuration.md describes, and run the command again)`,
    );
  }
  if (existsSync(join(out, VIRTUAL_ENVIRONMENT))) return;
  const ofEnvironment = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  const python = join(out, VIRTUAL_ENVIRONMENT, ...ofEnvironment);
  say(`python3 -m venv ${VIRTUAL_ENVIRONMENT}`);
  const outside = process.platform === "win32" ? "python" : "python3";
  await required(run(outside, ["-m", "venv", VIRTUAL_ENVIRONMENT], { cwd: out, env }), "python3 -m venv");
  say("pip install -r requirements.txt");
  await required(
    run(python, ["-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"], {
      ...{ cwd: out, env },
    }),
    "pip install",
  );
}

/** Takes what is new into the stack's state; what could not be. */
async function importIntoStack({
  pulumi,
  out,
  scratch,
  program,
  added,
  options,
  env,
}: Importing): Promise<LeftOut[]> {
  const { stack, language, say } = options;
  await required(pulumi(["stack", "select", "--create", "--stack", stack]), "pulumi stack select");
  const baseUrl = env["MANAGEMENT_BASE_URL"];
  const inStack = ["--stack", stack];
  if (baseUrl !== undefined)
    await required(pulumi(["config", "set", ...inStack, "management:baseUrl", baseUrl]), "pulumi config set");
  for (const [key, value] of program.secrets)
    await required(
      pulumi(["config", "set", "--secret", ...inStack, key], { input: value }),
      "pulumi config set",
    );
  const declared = added.filter(({ comment }) => comment === undefined);
  if (declared.length === 0) return [];
  say(`pulumi import: ${declared.length} resources into the stack ${stack}`);
  // A project of the same name that names the plugin by its path: that of the program may not be installed yet.
  const folder = seeingFolders(declared, out, scratch);
  const runtime = language === "typescript" ? "nodejs" : "yaml";
  const plugins = { providers: [{ name: "management", path: pluginFolder() }] };
  const name = /^name: *(.+)$/m.exec(readFileSync(join(out, "Pulumi.yaml"), "utf8"))?.[1] ?? program.name;
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name, runtime, plugins }));
  // The host of the classes, which a stack has from its second import on, runs with the packages of the program.
  symlinkSync(join(out, "node_modules"), join(folder, "node_modules"), "junction");
  const file = join(folder, "import.json");
  const own = stack.slice(stack.lastIndexOf("/") + 1);
  const flags = ["--yes", "--skip-preview", "--protect=true", "--generate-code=false", "--suppress-progress"];
  const importing = (resources: readonly Declared[]) => {
    writeFileSync(file, importFile(resources));
    return pulumi(
      ["import", "--file", file, ...flags, ...inStack, "--config-file", join(out, `Pulumi.${own}.yaml`)],
      { cwd: folder },
    );
  };
  const failed: LeftOut[] = [];
  const single = declared.filter(({ type }) => !isSet(type));
  const together = single.length === 0 ? undefined : await importing(single);
  if (together !== undefined && together.code !== 0) {
    say("At least one could not be imported. Each is now tried separately.");
    const there = new Set((await stateOf(pulumi, stack)).map(({ type, importId }) => `${type} ${importId}`));
    for (const each of single) {
      if (there.has(`${each.type} ${each.importId}`)) continue;
      const alone = await importing([each]);
      if (alone.code !== 0)
        failed.push({ type: each.type, label: each.name, why: alone.said.trim().slice(-600) });
    }
  }
  const exported = await required(pulumi(["stack", "export", ...inStack]), "pulumi stack export");
  const owner = `${await organizationOf(pulumi, stack)}/${name}/${own}`;
  const state = JSON.parse(exported.stdout) as Deployment;
  const next = asDeclared(state, declared, { owner, hasClasses: language === "typescript" });
  // By its input: secrets are in clear here until the engine has encrypted them.
  await required(
    pulumi(["stack", "import", ...inStack], { input: JSON.stringify(next) }),
    "pulumi stack import",
  );
  return failed;
}

async function stateOf(pulumi: Pulumi, stack: string): Promise<NamedBefore[]> {
  const exported = await required(pulumi(["stack", "export", "--stack", stack]), "pulumi stack export");
  return recordedIn(JSON.parse(exported.stdout) as Deployment);
}

/** The organization of the stack: a backend of files has one by this name. */
async function organizationOf(pulumi: Pulumi, stack: string): Promise<string> {
  const parts = stack.split("/");
  if (parts.length > 1 && parts[0] !== undefined) return parts[0];
  const asked = await pulumi(["org", "get-default"]);
  const name = asked.stdout.trim();
  return asked.code === 0 && /^[\w.-]+$/.test(name) ? name : "organization";
}

/** The bundled plugin of this package, whether this runs from its build or from its source. */
function pluginFolder(): string {
  for (const folder of [resolve(__dirname, "..", "plugin"), resolve(__dirname, "..", "dist", "plugin")]) {
    if (existsSync(join(folder, "pulumi-resource-management"))) return folder;
  }
  throw new Error("The plugin is missing from this package. Install pulumi-management again.");
}

/** 0 where the program and the stack agree. */
async function previewShowsNothing({ pulumi, options }: Importing): Promise<number> {
  const { say, stack } = options;
  say("pulumi preview --expect-no-changes");
  const preview = await pulumi(["preview", "--expect-no-changes", "--diff", "--stack", stack]);
  say(
    preview.code === 0
      ? "The preview shows no change."
      : `The preview shows changes or failed. Do not run \`pulumi up\` before you have read it:\n${preview.said.trim()}`,
  );
  return preview.code === 0 ? 0 : 1;
}

function secretLines({ secrets }: Inventory): string[] {
  return secrets.map(
    ({ name, compared }) =>
      ({
        equal: `Secret ${name}: the given value matches the service's.`,
        different: `Secret ${name}: the given value differs from the service's, so it is not declared.`,
        "not given": `Secret ${name}: no value was given, so it is not declared.`,
      })[compared],
  );
}

/** The requests of this run, by this process and the engine's, and those among them that can change something. */
function countCalls(trace: string, from: number): { readonly calls: number; readonly writes: number } {
  if (!existsSync(trace)) return { calls: 0, writes: 0 };
  const names = readFileSync(trace, "utf8")
    .slice(from)
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { readonly operation: string }).operation);
  return { calls: names.length, writes: names.filter(isWrite).length };
}

function isWrite(name: string): boolean {
  const operation = Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined;
  if (operation === undefined) return true;
  return (
    operation.method !== "GET" && operation.method !== "HEAD" && operation.scope?.endsWith(":read") !== true
  );
}
