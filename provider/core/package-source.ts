import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "../../spec/is-object";
import { readTextFile } from "../../spec/regular-file";
import { formatRelativePath } from "../../spec/relative-path";

/**
 * What the `package.json` of a program says of this package so that `npm install` finds it: the clone or the tarball that
 * the command runs from, and otherwise the version of the registry.
 */
export function chooseRequirement(out: string, version: string, from: string = __dirname): string {
  const root = findOwnPackageRoot(from);
  return formatRequirement(out, version, root !== undefined && !isInstalled(root) ? root : findTarball(root));
}

/** The same where a clone says nothing: the tarball that this package was installed from, or the version of the registry. */
export function chooseInstalledRequirement(out: string, version: string, from: string = __dirname): string {
  return formatRequirement(out, version, findTarball(findOwnPackageRoot(from)));
}

function isInstalled(root: string): boolean {
  return basename(dirname(root)) === "node_modules";
}

function formatRequirement(out: string, version: string, path: string | undefined): string {
  return path === undefined ? `^${version}` : `file:${formatRelativePath(out, path)}`;
}

function findOwnPackageRoot(folder: string): string | undefined {
  if (readPackageName(join(folder, "package.json")) === "pulumi-management") return folder;
  return folder === dirname(folder) ? undefined : findOwnPackageRoot(dirname(folder));
}

function readPackageName(file: string): unknown {
  const manifest = existsSync(file) ? readJson(file) : undefined;
  return isObject(manifest) ? manifest["name"] : undefined;
}

/** The file that npm notes beside the packages that it has installed; undefined where none is, or it came from a registry or is gone. */
function findTarball(root: string | undefined): string | undefined {
  if (root === undefined || !isInstalled(root)) return undefined;
  const modules = dirname(root);
  const file = join(modules, ".package-lock.json");
  const lock = existsSync(file) ? readJson(file) : undefined;
  const packages = isObject(lock) && isObject(lock["packages"]) ? lock["packages"] : {};
  const entry = packages[`node_modules/${basename(root)}`];
  const resolved = isObject(entry) ? entry["resolved"] : undefined;
  if (typeof resolved !== "string" || !resolved.startsWith("file:")) return undefined;
  const path = resolved.slice("file:".length);
  const tarball = isAbsolute(path) ? path : resolve(dirname(modules), path);
  return existsSync(tarball) ? tarball : undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch {
    return undefined;
  }
}
