/** Why a text is no `.env` file, with the line; never what stands there. */
export class EnvTextError extends Error {}

/** What a `.env` file says. */
export interface EnvText {
  readonly values: ReadonlyMap<string, string>;
  /** Names whose value has a `$NAME`, which stays as it is here and which the platform's own tool expands. */
  readonly unexpanded: readonly string[];
}

const NOTHING = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const NAME = /[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=/y;
const QUOTED = /[ \t]*(?:"([^"\\]*(?:\\[^][^"\\]*)*)"|'([^']*)'|`([^`]*)`)/y;
const QUOTE = /[ \t]*["'`]/y;
const BARE = /[^\n]*/y;
const COMMENT = /[ \t]#.*/;
/** What may follow a value. */
const REST = /(?:[ \t]*|[ \t]+#[^\n]*)(?:\n|$)/y;

const ESCAPED = /\\(["\\$nr])/g;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r" };
/** What that tool takes for a variable. */
const VARIABLE = /\$\(?\{?[A-Z0-9_]/;

/** Reads the dialect that docs/env-files.md describes. Throws `EnvTextError` for what it would not take whole. */
export function parseEnvText(source: string): EnvText {
  const rest = new Rest(source.replace(/\r\n?/g, "\n"));
  const values = new Map<string, string>();
  const lines = new Map<string, number>();
  const unexpanded: string[] = [];
  while (!rest.isEmpty) {
    if (rest.take(NOTHING) !== undefined) continue;
    const { line } = rest;
    const [, name] = rest.take(NAME) ?? [];
    if (name === undefined) throw new EnvTextError(`line ${line} is no \`NAME=value\``);
    const { value, hasVariable } = takeValue(rest);
    if (rest.take(REST) === undefined) {
      throw new EnvTextError(`line ${rest.line} goes on behind its closing quote`);
    }
    const first = lines.get(name);
    if (first !== undefined) throw new EnvTextError(`line ${line} sets the name of line ${first} again`);
    lines.set(name, line);
    values.set(name, value);
    if (hasVariable) unexpanded.push(name);
  }
  return { values, unexpanded };
}

function takeValue(rest: Rest): { readonly value: string; readonly hasVariable: boolean } {
  const quoted = rest.take(QUOTED);
  if (quoted === undefined) {
    if (rest.take(QUOTE) !== undefined) {
      throw new EnvTextError(`the quote that line ${rest.line} opens is not closed`);
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
class Rest {
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
