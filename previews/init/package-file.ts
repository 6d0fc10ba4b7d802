import { posix } from "node:path";
import { showPath } from "../../spec/shown-text";
import { readDependencies } from "./program-packages";

// A program that depends on a file of this package: a job has it only if it is in the repository.

/** What a `package.json` says of this package; undefined where it names none. */
export function readRequirement(text: string | undefined): string | undefined {
  const requirement = readDependencies(text)["pulumi-management"];
  return typeof requirement === "string" ? requirement : undefined;
}

/** The file that a program in a folder depends on, as seen from the repository; undefined where the package is in a registry. */
export function findPackageFile(folder: string, requirement: string | undefined): string | undefined {
  const [, path] = /^file:(.+)$/.exec(requirement ?? "") ?? [];
  if (path === undefined) return undefined;
  return posix.isAbsolute(path) ? path : posix.join(folder, path);
}

export function isInRepository(path: string): boolean {
  return !posix.isAbsolute(path) && path !== ".." && !path.startsWith("../");
}

/** What a workflow takes for the package where `npm ci` failed; undefined where the registry has to have it. */
export function formatPackagePath(path: string | undefined): string | undefined {
  return path === undefined || !isInRepository(path) || !IN_A_LINE.test(path) ? undefined : `./${path}`;
}

/** It stands in a line of YAML, as a word of a shell. */
const IN_A_LINE = /^[\w./@+-]+\.tgz$/;

/** What has to be in the repository, for people. */
export function describePackageFile(path: string | undefined, writesProgram: boolean): string[] {
  if (path === undefined) return [];
  const named = `   The program depends on ${showPath(path)}`;
  if (isInRepository(path)) return [`${named}: commit it, too.`];
  return [
    `${named}, which is not in this repository, so no job can install it.`,
    writesProgram
      ? "   Copy it into the repository, install it from there, and run this command again with --force."
      : "   Copy it into the repository, and install it from there in the folder of the program.",
  ];
}
