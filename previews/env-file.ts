import { lstatSync } from "node:fs";
import { writeOwnFile } from "../provider/core/own-file";
import { ENV_HEADER, formatEnv, type Output } from "./env-text";
import { holdsJobSecret } from "./job-secrets";
import { SUMMARY } from "./stacks";
import { readTextFile } from "../spec/regular-file";

export interface EnvFile {
  readonly file: string;
  /** What the names of its variables begin with. */
  readonly prefix: string;
  readonly withSecrets: boolean;
}

/** Writes the outputs of a stack into a `.env` file, in place of the former one as a whole; what it says of the file. */
export function writeEnvFile(
  { file, prefix, withSecrets }: EnvFile,
  outputs: readonly Output[],
  warn: (line: string) => void,
): string {
  const shown = outputs.filter(({ name, isSecret }) => name !== SUMMARY && (withSecrets || !isSecret));
  const refused = shown.filter(
    ({ name, isSecret, value }) => !isSecret && holdsJobSecret({ [name]: value }, process.env),
  );
  const { text, leftOut: unreadable } = formatEnv(
    shown.filter((output) => !refused.includes(output)),
    prefix,
  );
  const leftOut = [...refused.map(({ name }) => explainLeftOutOutput(name)), ...unreadable];
  for (const line of leftOut) warn(`Warning: ${line}`);
  requireOwnFile(file);
  writeOwnFile(file, text);
  return `${file}: ${shown.length - leftOut.length} variables`;
}

/** Why a secret of the job goes nowhere. */
export function explainLeftOutOutput(output: string): string {
  return `The output ${output} is left out: it has a secret of the job in it.`;
}

function requireOwnFile(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && readTextFile(file).startsWith(ENV_HEADER))) return;
  throw new Error(`${file} exists, and this command did not write it. Pass another --file, or move it away.`);
}
