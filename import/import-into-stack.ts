import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parse } from "yaml";
import { formatImportFile } from "./documents";
import type { ImportOptions } from "./import-options";
import type { LeftOut } from "./inventory";
import type { ProgramResource, NamedBefore, Program } from "./model";
import { requireExitZero, type Pulumi } from "./pulumi";
import { isSet } from "./sets";
import { toProgramPath } from "./source-folders";
import { applyDeclared, listNamedBefore, type StackDeployment } from "./state";
import { readTextFile } from "../spec/regular-file";

export interface Importing {
  readonly pulumi: Pulumi;
  readonly out: string;
  readonly scratch: string;
  readonly program: Program;
  readonly added: readonly ProgramResource[];
  readonly options: ImportOptions;
  readonly env: NodeJS.ProcessEnv;
}

/** Takes what is new into the stack's state; what could not be. */
export async function importIntoStack({
  pulumi,
  out,
  scratch,
  program,
  added,
  options,
  env,
}: Importing): Promise<LeftOut[]> {
  const { stack, language, say } = options;
  const { secretsProvider } = options;
  const provider = secretsProvider === undefined ? [] : ["--secrets-provider", secretsProvider];
  await requireExitZero(
    pulumi(["stack", "select", "--create", "--stack", stack, ...provider]),
    "pulumi stack select",
  );
  const inStack = ["--stack", stack];
  for (const [key, value] of listInstallationSettings(env, out))
    await requireExitZero(
      pulumi(["config", "set", ...inStack, `management:${key}`, value]),
      "pulumi config set",
    );
  for (const [key, value] of program.secrets)
    await requireExitZero(
      pulumi(["config", "set", "--secret", ...inStack, key], { input: value }),
      "pulumi config set",
    );
  const declared = added.filter(({ comment }) => comment === undefined);
  if (declared.length === 0) return [];
  say(`pulumi import: ${declared.length} resources into the stack ${stack}`);
  // A project of the same name that names the plugin by its path: that of the program may not be installed yet.
  const folder = prepareImportFolder(declared, out, scratch);
  const runtime = language === "typescript" ? "nodejs" : "yaml";
  const plugins = { providers: [{ name: "management", path: findPluginFolder() }] };
  const { name: declaredName = program.name } = (parse(readTextFile(join(out, "Pulumi.yaml"))) ?? {}) as {
    readonly name?: unknown;
  };
  const name = String(declaredName);
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name, runtime, plugins }));
  // The host of the classes, which a stack has from its second import on, runs with the packages of the program.
  symlinkSync(join(out, "node_modules"), join(folder, "node_modules"), "junction");
  const file = join(folder, "import.json");
  const own = stack.slice(stack.lastIndexOf("/") + 1);
  const flags = ["--yes", "--skip-preview", "--protect=true", "--generate-code=false", "--suppress-progress"];
  const runImport = (resources: readonly ProgramResource[]) => {
    writeFileSync(file, formatImportFile(resources));
    return pulumi(
      ["import", "--file", file, ...flags, ...inStack, "--config-file", join(out, `Pulumi.${own}.yaml`)],
      { cwd: folder },
    );
  };
  const failed: LeftOut[] = [];
  const single = declared.filter(({ type }) => !isSet(type));
  const together = single.length === 0 ? undefined : await runImport(single);
  if (together !== undefined && together.code !== 0) {
    say("At least one could not be imported. Each is now tried separately.");
    const there = new Set(
      (await exportRecorded(pulumi, stack)).map(({ type, importId }) => `${type} ${importId}`),
    );
    for (const each of single) {
      if (there.has(`${each.type} ${each.importId}`)) continue;
      const alone = await runImport([each]);
      if (alone.code !== 0)
        failed.push({ type: each.type, label: each.name, why: alone.said.trim().slice(-600) });
    }
  }
  const exported = await requireExitZero(pulumi(["stack", "export", ...inStack]), "pulumi stack export");
  const owner = `${await readStackOrganization(pulumi, stack)}/${name}/${own}`;
  const state = JSON.parse(exported.stdout) as StackDeployment;
  const next = applyDeclared(state, declared, { owner, hasClasses: language === "typescript" });
  // By its input: secrets are in clear here until the engine has encrypted them.
  await requireExitZero(
    pulumi(["stack", "import", ...inStack], { input: JSON.stringify(next) }),
    "pulumi stack import",
  );
  return failed;
}

/** What says where the service is and how it names things, which every later run needs as well. */
export function listInstallationSettings(
  env: NodeJS.ProcessEnv,
  out: string,
): (readonly [key: string, value: string])[] {
  const {
    MANAGEMENT_BASE_URL: baseUrl,
    MANAGEMENT_BASE_URL_ALIASES: baseUrlAliases,
    MANAGEMENT_NAMES: names,
  } = env;
  const settings = { baseUrl, baseUrlAliases, names: names ? toProgramPath(out, names) : undefined };
  return Object.entries(settings).flatMap(([key, value]) => (value ? [[key, value] as const] : []));
}

async function exportRecorded(pulumi: Pulumi, stack: string): Promise<NamedBefore[]> {
  const exported = await requireExitZero(
    pulumi(["stack", "export", "--stack", stack]),
    "pulumi stack export",
  );
  return listNamedBefore(JSON.parse(exported.stdout) as StackDeployment);
}

/** The organization of the stack: a backend of files has one by this name. */
async function readStackOrganization(pulumi: Pulumi, stack: string): Promise<string> {
  const parts = stack.split("/");
  if (parts.length > 1 && parts[0] !== undefined) return parts[0];
  const asked = await pulumi(["org", "get-default"]);
  const name = asked.stdout.trim();
  return asked.code === 0 && /^[\w.-]+$/.test(name) ? name : "organization";
}

/** The bundled plugin of this package, whether this runs from its build or from its source. */
export function findPluginFolder(): string {
  for (const folder of [resolve(__dirname, "..", "plugin"), resolve(__dirname, "..", "dist", "plugin")]) {
    if (existsSync(join(folder, "pulumi-resource-management"))) return folder;
  }
  throw new Error("The plugin is missing from this package. Install pulumi-management again.");
}

/** A new folder in which the folders of the program's migrations have the paths that they have in the program's folder. */
function prepareImportFolder(declared: readonly ProgramResource[], out: string, scratch: string): string {
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

/** 0 where the program and the stack agree. */
export async function previewStack({ pulumi, options }: Importing): Promise<number> {
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
