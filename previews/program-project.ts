import { join } from "node:path";
import { parse } from "yaml";
import { quoteText } from "../spec/shown-text";
import { readTextFile } from "../spec/regular-file";
import { isObject } from "../spec/is-object";
import { tryStat } from "../provider/core/regular-files";
import { adviseRemoval, type Preview } from "./preview";

/** The CLI takes any of them. */
export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
/** Names stand in a command of a workflow as they are. */
const PROJECT_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** Whether a text can be the name of a project of Pulumi. */
export function isProjectName(text: string): boolean {
  return PROJECT_NAME.test(text);
}

/**
 * Throws where the program is of another project. Its stack would be in that one, and the job that removes it, which has the program of
 * the default branch, would not find it.
 */
export function requireProject(workDir: string, expected: string): void {
  const what = explainOtherProject(workDir, expected);
  if (what === undefined) return;
  throw new Error(
    `${what}, but previews of this repository are of the project ${quoteText(expected)}: the job that removes this preview would not find its stack. Nothing was changed. Name the project ${quoteText(expected)}. To rename it, close the pull requests that have a preview, and then change it on the default branch together with --pulumi-project in the job.`,
  );
}

/** What stays where the stack that is to be removed is of another project than the program; undefined where it is not. */
export function explainMissedStack(workDir: string, expected: string, preview: Preview): string | undefined {
  const what = explainOtherProject(workDir, expected);
  return what === undefined
    ? undefined
    : `${what}, but this job is for previews of the project ${quoteText(expected)}: a stack of that one is not found, and stays. If there is one, ${adviseRemoval(preview, preview.gitBranch, `the folder of a program of the project ${quoteText(expected)}`)}.`;
}

/** What the program is of instead; undefined where it is of that project. */
function explainOtherProject(workDir: string, expected: string): string | undefined {
  const files = PROJECT_FILES.filter((name) => tryStat(join(workDir, name)) !== undefined);
  const other = files.find((name) => readProjectName(join(workDir, name)) !== expected);
  if (files.length > 0 && other === undefined) return undefined;
  const named = other === undefined ? undefined : readProjectName(join(workDir, other));
  if (other === undefined) return "The folder of the program has no Pulumi.yaml";
  return named === undefined
    ? `${other} has no name of a project that can be read`
    : `${other} names the project ${quoteText(named)}`;
}

/** The name that a project file says; undefined where it cannot be read. */
function readProjectName(file: string): string | undefined {
  try {
    return findProjectName(parseYaml(readTextFile(file)));
  } catch {
    return undefined;
  }
}

/** What a file of YAML says, as of a project; undefined where it cannot be parsed. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: "error" });
  } catch {
    return undefined;
  }
}

export function findProjectName(project: unknown): string | undefined {
  return isObject(project) && typeof project["name"] === "string" ? project["name"] : undefined;
}
