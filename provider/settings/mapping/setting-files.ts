import { resolve } from "node:path";
import { InvalidInputError } from "../../client/errors/errors";
import type { CheckFailure } from "../../define/resource";
import { isObject } from "../../../spec/is-object";
import type { SettingValues } from "./original-values";
import { settingFileProblems } from "../../define/problems";
import { putAt, valueAt, type SettingFields } from "./setting-fields";
import { readNamedFile, UnreadableFile } from "../../core/regular-files";
import { sha256 } from "../../core/sha256";

type FileSettings = SettingFields["files"];

/** The computed input with the SHA-256 of every file, by the input that names it. */
export const FILE_HASHES = "fileHashes";

/** Stands for a text that is known by its hash only. */
const HASH = "sha256:";

/** What stands for the text of a setting that a file holds. */
export function formatTextHash(inputs: SettingValues, fileInput: string): string {
  const hashes = inputs[FILE_HASHES];
  const hash = isObject(hashes) ? hashes[fileInput] : undefined;
  return HASH + (typeof hash === "string" ? hash : "");
}

/** Whether two texts are the same, of which one may be known by its hash only; a text of which nothing is known equals none. */
export function isSameText(one: string, other: string): boolean {
  const toHash = (text: string): string => (text.startsWith(HASH) ? text : HASH + sha256(text));
  return one !== HASH && toHash(one) === toHash(other);
}

/** The inputs with the texts of the files that they name. */
export function insertFileTexts(files: FileSettings, inputs: SettingValues): SettingValues {
  const declared = listDeclaredFiles(files, inputs);
  if (declared.length === 0) return inputs;
  // Copied, as the texts are put into its groups.
  const whole: Record<string, unknown> = structuredClone({ ...inputs });
  for (const { setting, input, file } of declared) putAt(whole, setting, readNonEmpty(input, file));
  return whole;
}

/** The hashes of the files that inputs name, and what is wrong with them. */
export function checkFiles(
  files: FileSettings,
  inputs: SettingValues,
): { readonly failures: CheckFailure[]; readonly computed: Record<string, unknown> } {
  const failures: CheckFailure[] = [];
  const hashes: Record<string, string> = {};
  for (const { setting, input, file } of listDeclaredFiles(files, inputs)) {
    if (typeof valueAt(inputs, setting) === "string") {
      failures.push({ path: input, reason: settingFileProblems.textTwice.message({ setting }) });
      continue;
    }
    try {
      hashes[input] = sha256(readNonEmpty(input, file));
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      failures.push({ path: input, reason: error.message });
    }
  }
  return { failures, computed: Object.keys(hashes).length === 0 ? {} : { [FILE_HASHES]: hashes } };
}

interface DeclaredFile {
  readonly setting: string;
  readonly input: string;
  readonly file: string;
}

function listDeclaredFiles(files: FileSettings, inputs: SettingValues): DeclaredFile[] {
  return [...files].flatMap(([setting, input]) => {
    const file = valueAt(inputs, input);
    return typeof file === "string" ? [{ setting, input, file }] : [];
  });
}

function readNonEmpty(input: string, file: string): string {
  const path = resolve(file);
  const text = readSettingFile(input, path);
  // An unwritten template would take the place of the one that the service has.
  if (text.trim() === "") throw new InvalidInputError(input, settingFileProblems.emptyFile.message({ path }));
  return text;
}

function readSettingFile(input: string, path: string): string {
  try {
    return readNamedFile(path).toString("utf8");
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const why = `it ${error.why}`;
    throw new InvalidInputError(input, settingFileProblems.unreadableFile.message({ path, why }));
  }
}
