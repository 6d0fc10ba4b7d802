import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { findUrlPasswords } from "../../provider/client/redaction/url-passwords";
import type { ForgeEnvironment } from "../forge/from-environment";

// What a step of GitHub hands to later ones: lines of files, and commands in its output.

export type JobValues = Readonly<Record<string, string>>;

/** A control character, or another end of a line: no host, user or password of an address has one. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/u;

/** Variables for later steps, masked in the log first. Elsewhere nothing hides what a mask says, so none is printed. */
export function writeJobVariables(
  env: ForgeEnvironment,
  values: JobValues,
  print: (line: string) => void,
): void {
  if ((env["GITHUB_ENV"] ?? "") === "") return;
  for (const value of Object.values(values))
    for (const secret of listSecretForms(value)) print(formatMask(secret));
  appendValues(env["GITHUB_ENV"], values);
}

export function writeJobOutputs(env: ForgeEnvironment, values: JobValues): void {
  appendValues(env["GITHUB_OUTPUT"], values);
}

/** As the runner reads the data of a command. */
export function formatMask(value: string): string {
  const data = value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  return `::add-mask::${data}\n`;
}

/** An address, and its passwords as they stand there, as a parser writes them, and as they are. */
function listSecretForms(value: string): string[] {
  const passwords = findUrlPasswords(value).map(({ from, to }) => value.slice(from, to));
  if (URL.canParse(value)) passwords.push(new URL(value).password);
  return [...new Set([value, ...passwords, ...passwords.map(decodeUri)])].filter((text) => text !== "");
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function appendValues(file: string | undefined, values: JobValues): void {
  if (file === undefined || file === "") return;
  const lines = Object.entries(values).map(([name, value]) => {
    if (!/^[A-Za-z_][\w-]*$/.test(name) || UNSAFE.test(value))
      throw new Error(
        `${name} is not handed to later steps: its value has a line end or a control character.`,
      );
    const delimiter = `end-${randomUUID()}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  });
  appendFileSync(file, lines.join(""));
}
