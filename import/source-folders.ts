import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { resourceByType } from "../provider/catalog/catalog";
import { hasForm } from "../provider/define/list";
import { sha256 } from "../provider/core/sha256";
import { checkInputs } from "../provider/engine/check";
import type { Values } from "../provider/define/values";
import { DEPLOYED_SLUG } from "../provider/resources/functions/shared/edge-functions/calls";
import { SourceFault } from "../provider/resources/functions/shared/edge-functions/problems";
import { readSource } from "../provider/resources/functions/shared/edge-functions/source";
import { findUsualConfigFile } from "../provider/resources/functions/shared/edge-functions/usual-config-file";
import { formatRelativePath } from "../spec/relative-path";
import { quoteText, showName } from "../spec/shown-text";
import type { InventoryObject } from "./inventory";

/** Folders that the team has, by absolute paths. */
export interface SourceFolders {
  readonly functions?: string | undefined;
  readonly migrations?: string | undefined;
}

/** The folders of the platform's tool in a repository: beside a configuration file in it, or one level below. */
export function findToolFolders(repository: string): SourceFolders {
  const names = readdirSync(repository, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map(({ name }) => join(repository, name));
  for (const folder of [repository, ...names]) {
    if (findUsualConfigFile(join(folder, "functions")) === undefined) continue;
    const findPresent = (name: string): string | undefined =>
      isFolder(join(folder, name)) ? join(folder, name) : undefined;
    return { functions: findPresent("functions"), migrations: findPresent("migrations") };
  }
  return {};
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** A path as the program writes it: with forward slashes, seen from its folder. */
export function toProgramPath(folder: string, path: string): string {
  return formatRelativePath(folder, path) || ".";
}

/** A function whose source is in a folder, and what there is to say of it. */
interface Placed {
  readonly found: InventoryObject;
  readonly note?: string;
}

/**
 * Gives a function the team's folder where that has what is deployed, else a folder with what the service has. What is
 * there is never overwritten, and nothing is written into folders that are `taken`. Runs in the program's folder, as the paths of the program begin there.
 */
export function placeSource(
  found: InventoryObject,
  folder: string,
  functions: string | undefined,
  taken: readonly string[] = [],
): Placed {
  const { files, entrypointPath, importMapPath, ...others } = found.inputs;
  if (found.type !== "EdgeFunction" || files === undefined) return { found };
  const slug = String(others["slug"]);
  const paths = {
    ...(entrypointPath === undefined ? {} : { entrypointPath }),
    ...(importMapPath === undefined ? {} : { importMapPath }),
  };
  const placeInProgram = (why: string): Placed => ({
    found,
    note: `${showName(slug)}: its source is in the program, because ${why}.`,
  });
  if (!hasForm(slug, DEPLOYED_SLUG)) return placeInProgram("no folder can have its name");
  const texts = Object.entries(files as Record<string, string>);
  const unfit = texts.find(
    ([name]) => !isPathBelow(name) || texts.some(([other]) => other.startsWith(`${name}/`)),
  );
  if (unfit !== undefined) return placeInProgram(`${quoteText(unfit[0])} is not a path within a folder`);
  const deployed = hashOf(found.inputs);
  if (deployed === undefined) return placeInProgram("it would not be accepted in a folder");
  const own = functions === undefined ? undefined : join(functions, slug);
  const toFolderInputs = (path: string): Values => ({
    ...others,
    sourceDir: toProgramPath(folder, path),
    ...paths,
  });
  const isSame = (path: string): boolean => isFolder(path) && hashOf(toFolderInputs(path)) === deployed;
  if (own !== undefined && isSame(own)) return { found: { ...found, inputs: toFolderInputs(own) } };
  const rooted = own === undefined ? undefined : rootInFolder(own, found.inputs, folder);
  if (rooted !== undefined) return { found: { ...found, inputs: rooted } };
  const differs = own !== undefined && isFolder(own);
  const target = ["functions", "deployed-functions"]
    .filter((name) => !taken.includes(name))
    .map((name) => resolve(folder, name, slug))
    .find((path) => isSame(path) || !existsSync(path));
  if (target === undefined) return placeInProgram("the folders for it already exist");
  for (const [name, text] of texts) {
    const path = resolve(target, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  // A file that a reader of folders leaves out, as one with a dot in front, would be missing from the next deploy.
  if (!isSame(target)) return placeInProgram("a folder would deploy something else");
  const at = toProgramPath(folder, target);
  return {
    found: { ...found, inputs: toFolderInputs(target) },
    ...(differs && {
      note: `${slug}: ${toProgramPath(folder, own)} differs from what is deployed, which was written to ${at}. To deploy yours, change \`sourceDir\`.`,
    }),
  };
}

/** A source as its files lie around the entrypoint, wherever they are rooted. */
interface Layout {
  readonly entrypoint: string;
  readonly importMap: string | undefined;
  /** The hashes of the files by path from the folder of the entrypoint. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The inputs with which a folder has what is deployed from another root, as a deploy places the files beside what they import.
 * The folder may have files that the platform's tool does not send, as no module imports them. Undefined where it differs.
 */
function rootInFolder(path: string, deployed: Values, folder: string): Values | undefined {
  const there = layoutOf(deployed);
  if (there === undefined || !isFolder(path)) return undefined;
  const { entrypointPath = "index.ts" } = deployed;
  const others = Object.fromEntries(
    Object.entries(deployed).filter(([name]) => !["files", "entrypointPath", "importMapPath"].includes(name)),
  );
  const parts = String(entrypointPath).split("/");
  const entrypoints = parts
    .map((_part, index) => parts.slice(index).join("/"))
    .filter((entrypoint) => existsSync(join(path, entrypoint)));
  const forms = entrypoints.flatMap((entrypoint) => {
    const own = {
      ...{ ...others, sourceDir: toProgramPath(folder, path) },
      ...(entrypoint === "index.ts" ? {} : { entrypointPath: entrypoint }),
    };
    const { importMap } = there;
    return importMap === undefined
      ? [own]
      : [own, { ...own, importMapPath: posix.join(posix.dirname(entrypoint), importMap) }];
  });
  return forms.find((inputs) => {
    const here = hashOf(inputs) === undefined ? undefined : layoutOf(inputs);
    return (
      here?.entrypoint === there.entrypoint &&
      here.importMap === there.importMap &&
      [...there.files].every(([file, hash]) => here.files.get(file) === hash)
    );
  });
}

/** Undefined where the source cannot be read. */
function layoutOf(inputs: Values): Layout | undefined {
  try {
    const { content, entrypoint, importMap } = readSource(inputs);
    const from = posix.dirname(entrypoint);
    return {
      entrypoint: posix.basename(entrypoint),
      importMap: importMap === undefined ? undefined : posix.relative(from, importMap),
      files: new Map(
        content.listPaths().map((path) => [posix.relative(from, path), sha256(content.bytesOf(path))]),
      ),
    };
  } catch (error) {
    if (error instanceof SourceFault) return undefined;
    throw error;
  }
}

/** Whether a path leads to a file below any folder, on every system. */
function isPathBelow(path: string): boolean {
  return path
    .split("/")
    .every(
      (part) =>
        part !== "" &&
        part !== "." &&
        part !== ".." &&
        /^[^\\:*?"<>|]{1,200}$/.test(part) &&
        quoteText(part) === `"${part}"`,
    );
}

/** The hash of a source as it would be deployed; undefined where it would be refused, which equals no other. */
export function hashOf(inputs: Values): string | undefined {
  const { inputs: checked, failures } = checkInputs(resourceByType("EdgeFunction"), inputs, inputs);
  const { sourceHash } = checked;
  return failures.length === 0 && typeof sourceHash === "string" ? sourceHash : undefined;
}
