import { resolve } from "node:path";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { readNamedFile, UnreadableFile } from "../../../core/regular-files";

export const envFileProblems = {
  unreadableFile: defineProblem({
    says: "{path} cannot be read: {why}",
    means: "The file with the secrets does not exist, or a line of it cannot be read.",
    remedy: "Correct the line or the path, which is relative to the program's folder",
  }),
};

/** What a `.env` file says. */
interface EnvFileContent {
  readonly values: ReadonlyMap<string, string>;
  /** Names whose value has a `$NAME`, which stays as it is here and which the platform's own tool expands. */
  readonly unexpanded: readonly string[];
}

/** What a `.env` file says; throws where it, or a line of it, cannot be read. */
export function readEnvFile(file: string): EnvFileContent {
  const path = resolve(file);
  const text = readText(path);
  try {
    return parseEnvText(text);
  } catch (error) {
    if (!(error instanceof EnvFileError)) throw error;
    throw createUnreadableError(path, error.message);
  }
}

function readText(path: string): string {
  const bytes = readBytes(path);
  try {
    // Without the byte order mark that editors of some systems put first.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw createUnreadableError(path, "it is not UTF-8");
  }
}

function readBytes(path: string): Uint8Array {
  try {
    return readNamedFile(path);
  } catch (error) {
    throw error instanceof UnreadableFile ? createUnreadableError(path, `it ${error.why}`) : error;
  }
}

function createUnreadableError(path: string, why: string): InvalidInputError {
  return new InvalidInputError("envFile", envFileProblems.unreadableFile.message({ path, why }));
}

/** Why a text is no `.env` file, with the line; never what stands there. */
class EnvFileError extends Error {}

const NOTHING = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const NAME = /[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=/y;

/** What may follow a value. */
const REST = /(?:[ \t]*|[ \t]+#[^\n]*)(?:\n|$)/y;

/** Reads the dialect that docs/env-files.md describes. Throws `EnvFileError` for what it would not take whole. */
export function parseEnvText(source: string): EnvFileContent {
  const rest = new UnreadText(source.replace(/\r\n?/g, "\n"));
  const values = new Map<string, string>();
  const lines = new Map<string, number>();
  const unexpanded: string[] = [];
  while (!rest.isEmpty) {
    if (rest.take(NOTHING) !== undefined) continue;
    const { line } = rest;
    const [, name] = rest.take(NAME) ?? [];
    if (name === undefined) throw new EnvFileError(`line ${line} is not \`NAME=value\``);
    const { value, hasVariable } = takeValue(rest);
    if (rest.take(REST) === undefined) {
      throw new EnvFileError(`line ${rest.line} has text after its closing quote`);
    }
    const first = lines.get(name);
    if (first !== undefined) throw new EnvFileError(`line ${line} repeats the name of line ${first}`);
    lines.set(name, line);
    values.set(name, value);
    if (hasVariable) unexpanded.push(name);
  }
  return { values, unexpanded };
}

const QUOTED = /[ \t]*(?:"([^"\\]*(?:\\[^][^"\\]*)*)"|'([^']*)'|`([^`]*)`)/y;
const QUOTE = /[ \t]*["'`]/y;
const BARE = /[^\n]*/y;
const COMMENT = /[ \t]#.*/;

const ESCAPED = /\\(["\\$nr])/g;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r" };
/** What that tool takes for a variable. */
const VARIABLE = /\$\(?\{?[A-Z0-9_]/;

function takeValue(rest: UnreadText): { readonly value: string; readonly hasVariable: boolean } {
  const quoted = rest.take(QUOTED);
  if (quoted === undefined) {
    if (rest.take(QUOTE) !== undefined) {
      throw new EnvFileError(`the quote in line ${rest.line} is not closed`);
    }
    const [line = ""] = rest.take(BARE) ?? [];
    const value = line.replace(COMMENT, "").replace(/^[ \t]+|[ \t]+$/g, "");
    return { value, hasVariable: VARIABLE.test(value) };
  }
  const [, text, single, back = ""] = quoted;
  if (text === undefined) return { value: single ?? back, hasVariable: false };
  return {
    value: text.replace(ESCAPED, (_, escaped: string) => CONTROLS[escaped] ?? escaped),
    hasVariable: VARIABLE.test(text.replace(ESCAPED, " ")),
  };
}

/** What of a text is not taken yet. */
class UnreadText {
  readonly #text: string;
  #at = 0;
  /** The number of the line that it begins in. */
  line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#at === this.#text.length;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    this.line += found[0].split("\n").length - 1;
    return found;
  }
}
