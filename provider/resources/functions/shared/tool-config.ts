import type * as Toml from "smol-toml" with { "resolution-mode": "import" };
import { isObject } from "../../../../spec/is-object";
import { parseJsonWithComments } from "./edge-functions/source-imports";

/** The tables of a configuration file of the platform's tool. */
export type ConfigTables = Readonly<Record<string, unknown>>;

/** The text is no TOML, or no JSON where the file's name says so; the message has nothing of the text, which may hold secrets. */
export class ToolConfigError extends Error {}

/** What a configuration file of the platform's tool says: TOML, or JSON by its name. */
export function parseToolConfig(path: string, text: string): ConfigTables {
  if (/\.jsonc?$/.test(path)) {
    const values = parseJsonWithComments(text);
    if (isObject(values)) return values;
    throw new ToolConfigError("it is not a JSON object");
  }
  const { parse, TomlError } = loadToml();
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // What follows the first line are lines of the file, which may hold secrets.
    const [what = ""] = error.message.split("\n");
    throw new ToolConfigError(`line ${error.line}, column ${error.column}: ${what}`);
  }
}

/** Loaded on first use, as CommonJS: only its types are those of a module. */
function loadToml() {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at the start
  return require("smol-toml") as typeof Toml;
}

export function tableOf(value: unknown): ConfigTables {
  return isObject(value) ? value : {};
}

/** Table by table and key by key; all else of the second is instead of the first. */
export function mergeTables(base: ConfigTables, over: ConfigTables): ConfigTables {
  const entries = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(value) && isObject(below) ? mergeTables(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(entries) };
}

/** The environment variable whose value stands for this one: of `env(NAME)`. */
export function parseVariable(value: unknown): string | undefined {
  return typeof value === "string" ? /^env\((.*)\)$/.exec(value)?.[1] : undefined;
}
