import { basename, dirname, join, resolve } from "node:path";
import { isObject } from "../../../../../spec/is-object";
import { readTextFile } from "../../../../../spec/regular-file";
import { tryStat } from "../../../../core/regular-files";
import { parseToolConfig, ToolConfigError } from "../tool-config";

/** The tables of the platform's tool. */
const SECTIONS = new Set([
  ...["analytics", "api", "auth", "compute", "db", "edge_runtime", "experimental", "former_local_smtp"],
  ...["functions", "local", "local_smtp", "realtime", "remotes", "storage", "studio"],
]);

/** The configuration file of the platform's tool, where the tool would look for it, if there is one. */
export function findUsualConfigFile(sourceDir: string): string | undefined {
  const folder = resolve(sourceDir);
  if (basename(folder) !== "functions") return undefined;
  return ["config.toml", "config.json", "config.jsonc"]
    .map((name) => join(dirname(folder), name))
    .find((path) => tryStat(path)?.isFile() === true && !isOfAnother(path));
}

/** Applications have files of these names, too. What is empty, or cannot be read, is not known to be another's. */
function isOfAnother(path: string): boolean {
  try {
    const values = Object.entries(parseToolConfig(path, readTextFile(path)));
    return values.length > 0 && !values.some(([key, value]) => isOfTool(key.toLowerCase(), value));
  } catch (error) {
    // JSON that is no object; a mistake in TOML is said where the file is read.
    return error instanceof ToolConfigError && !path.endsWith(".toml");
  }
}

function isOfTool(key: string, value: unknown): boolean {
  return key === "project_id" || (SECTIONS.has(key) && isObject(value));
}
