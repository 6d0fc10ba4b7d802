import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PACKAGE = "pulumi-management";

/** `pulumi-management/<version>`; the package's folder is found from sources and from the build alike. */
export function defaultUserAgent(from: string = __dirname): string {
  const version = versionIn(from);
  return version === undefined ? PACKAGE : `${PACKAGE}/${version}`;
}

function versionIn(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (existsSync(file)) {
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown; version?: unknown };
    if (name === PACKAGE && typeof version === "string") return version;
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : versionIn(parent);
}
