import { basename, dirname, join, resolve } from "node:path";
import { tryStat } from "../../../../core/regular-files";

/** The configuration file of the platform's tool, where the tool would look for it, if there is one. */
export function findUsualConfigFile(sourceDir: string): string | undefined {
  const folder = resolve(sourceDir);
  if (basename(folder) !== "functions") return undefined;
  return ["config.toml", "config.json", "config.jsonc"]
    .map((name) => join(dirname(folder), name))
    .find((path) => tryStat(path)?.isFile());
}
