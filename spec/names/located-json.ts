/** What is wrong with a file, and in which of its lines, counted from 1. */
export interface Fault {
  readonly line: number;
  readonly reason: string;
}

/** A text that is no JSON. */
export class MalformedJsonError extends Error {
  constructor(
    readonly line: number,
    what: string,
  ) {
    super(what);
  }
}

/** A JSON document that still knows where its keys stand, and which of them are there twice. */
export interface LocatedJson {
  readonly value: unknown;
  readonly repeated: readonly { readonly key: string; readonly line: number }[];
  /** The line of the key that a path ends with, or of the last key of it that there is. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

const TOKEN = /[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /\s*/y;

/** `JSON.parse` tells of neither. */
export function locatedJson(text: string): LocatedJson {
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  #at = 0;
  readonly #lines = new Map<string, number>();
  readonly #repeated: { key: string; line: number }[] = [];

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "");
  }

  read(): LocatedJson {
    const value = this.#value([]);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected("the end");
    return {
      value,
      repeated: this.#repeated,
      lineOf: (path) => {
        for (let length = path.length; length > 0; length -= 1) {
          const line = this.#lines.get(placeOf(path.slice(0, length)));
          if (line !== undefined) return line;
        }
        return 1;
      },
    };
  }

  #value(path: readonly PropertyKey[]): unknown {
    const token = this.#take("a value");
    if (token === "{") return Object.fromEntries(this.#members(path));
    if (token === "[") return this.#items(path);
    if (/^[}\],:]/.test(token)) throw this.#unexpected("a value", token);
    return this.#plain(token);
  }

  #members(path: readonly PropertyKey[]): [string, unknown][] {
    const members: [string, unknown][] = [];
    if (this.#skips("}")) return members;
    for (;;) {
      const token = this.#take("a key in quotes");
      if (!token.startsWith('"')) throw this.#unexpected("a key in quotes", token);
      const key = String(this.#plain(token));
      this.#note([...path, key], key);
      this.#need(":");
      members.push([key, this.#value([...path, key])]);
      if (this.#skips("}")) return members;
      this.#need(",", "}");
    }
  }

  #items(path: readonly PropertyKey[]): unknown[] {
    const items: unknown[] = [];
    if (this.#skips("]")) return items;
    for (;;) {
      items.push(this.#value([...path, items.length]));
      if (this.#skips("]")) return items;
      this.#need(",", "]");
    }
  }

  #note(path: readonly PropertyKey[], key: string): void {
    const place = placeOf(path);
    const line = this.#line();
    if (this.#lines.has(place)) this.#repeated.push({ key, line });
    else this.#lines.set(place, line);
  }

  #plain(token: string): unknown {
    try {
      return JSON.parse(token);
    } catch {
      throw new MalformedJsonError(this.#line(), `${token} is no text of JSON`);
    }
  }

  #need(token: string, ...others: readonly string[]): void {
    if (!this.#skips(token)) throw this.#unexpected([token, ...others].map((one) => `"${one}"`).join(" or "));
  }

  #skips(token: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #take(expected: string): string {
    this.#skipSpace();
    TOKEN.lastIndex = this.#at;
    const [token] = TOKEN.exec(this.#text) ?? [];
    if (token === undefined) throw this.#unexpected(expected);
    this.#at += token.length;
    return token;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#text)?.[0].length ?? 0;
  }

  #unexpected(expected: string, found = this.#text.slice(this.#at, this.#at + 1)): MalformedJsonError {
    const given = found === "" ? "the file ends" : `there is ${found}`;
    return new MalformedJsonError(this.#line(), `no JSON: ${expected} is expected, and ${given}`);
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
