import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmulatedOptions, type Stack, startEmulated } from "./emulated-program";
import { findPackageRoot } from "./package-root";

export const PLUGIN_FOLDER = join(findPackageRoot(), "dist", "plugin");

/** A resource as a YAML program declares it. */
export interface Declared {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface YamlProgram {
  readonly resources: Readonly<Record<string, Declared>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

export interface YamlStack extends Stack {
  /** Puts another program in the place of the present one. */
  rewrite(program: YamlProgram | string): void;
}

export interface EmulatedYamlOptions extends EmulatedOptions {
  /** How the engine finds the plugin; the path in Pulumi.yaml by default. */
  readonly plugins?: object;
}

/** A YAML program with the bundled plugin, with a stack named `test`. */
export async function startEmulatedYaml(
  program: YamlProgram | string,
  { plugins = { providers: [{ name: "management", path: PLUGIN_FOLDER }] }, ...options }: EmulatedYamlOptions,
): Promise<YamlStack> {
  const write = (folder: string, next: YamlProgram | string): void =>
    writeFileSync(join(folder, "Pulumi.yaml"), projectText({ name: "shop", runtime: "yaml", plugins }, next));
  const stack = await startEmulated((folder) => {
    mkdirSync(folder, { recursive: true });
    write(folder, program);
    return folder;
  }, options);
  return { ...stack, rewrite: (next) => write(stack.projectDir, next) };
}

/** JSON is YAML; generated declarations come as text. */
function projectText(head: object, program: YamlProgram | string): string {
  if (typeof program !== "string") return JSON.stringify({ ...head, ...program }, undefined, 2);
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${lines.join("\n")}\n${program}`;
}

/** A resource of this package. */
export function declare(
  type: string,
  properties: Declared["properties"],
  options?: Declared["options"],
): Declared {
  return { type: `management:index:${type}`, properties, ...(options === undefined ? {} : { options }) };
}
