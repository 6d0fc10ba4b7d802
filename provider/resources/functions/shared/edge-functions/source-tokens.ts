/** What a module consists of, besides white space, comments and the text and attributes of JSX. */
export interface Token {
  readonly kind: "word" | "string" | "template" | "punctuator" | "end";
  /** As written; of a string, and of a template without substitutions, what it stands for. */
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
}

/** What a closing bracket goes back to. */
type Open =
  /** `endsOperand`: whether a `/` behind the bracket divides, where otherwise it opens a regular expression. */
  | { readonly bracket: "(" | "[" | "{"; readonly endsOperand: boolean; readonly isLoop?: boolean }
  /** In a template, in the attributes or in the children of an element. */
  | { readonly bracket: "${" | "{tag" | "{children" }
  | { readonly bracket: "tag" | "children" };

const WORD = /(?:[\w$#@\\]|[^\0-\x7f\s])+/y;
const NUMBER = /\.?\d[\w.]*/y;
const GAP = /\s+/y;
const JSX_NAME = /[\w$.:-]*/y;
/** What follows the name of a type parameter and never that of an element, and what may follow either. */
const AFTER_TYPE_PARAMETER = /\s*(?:,|=|extends\s+[^=>/\s])/y;
const AFTER_EITHER = /\s*>\s*\(|\s+[\w$]+\s*(?:,|>\s*\(|extends\s)/y;

/** After these, a value begins: a `/` there opens a regular expression, and a `<` an element. */
const BEFORE_VALUES = new Set(
  "return typeof instanceof in new delete void throw case do else yield await default extends".split(" "),
);
const BEFORE_CONDITIONS = new Set(["if", "while", "for", "with"]);
/** After these, a `{` opens a block. */
const BEFORE_BLOCKS = new Set([";", "{", "}", ")", "=>", ">", "]", "else", "do", "extends"]);

/**
 * Reads the tokens of a module in JavaScript or TypeScript, in time that grows with its text alone. It knows comments,
 * strings, templates, regular expressions and, with `isJsx`, elements; what it cannot read, it takes for punctuation.
 */
export class Tokens {
  readonly #text: string;
  readonly #isJsx: boolean;
  readonly #open: Open[] = [];
  readonly #pushedBack: Token[] = [];
  readonly #lastClosings = new Map<string, number>();
  #at = 0;
  #endsOperand = false;
  #before = "";
  /** Up to here, a `/` opens no regular expression: none ends on this line. */
  #noRegexUntil = 0;

  constructor(text: string, isJsx: boolean) {
    this.#text = text;
    this.#isJsx = isJsx;
    if (text.startsWith("#!")) this.#at = this.#endOfLine();
  }

  next(): Token {
    return this.#pushedBack.pop() ?? this.#read();
  }

  /** Tokens that were read, in their order, to be read again. */
  pushBack(...tokens: Token[]): void {
    this.#pushedBack.push(...tokens.reverse());
  }

  #read(): Token {
    for (;;) {
      const bracket = this.#open.at(-1)?.bracket;
      if (this.#at >= this.#text.length) return { kind: "end", text: "", at: this.#text.length };
      if (bracket === "tag") this.#readTag();
      else if (bracket === "children") this.#readChildren();
      else {
        const token = this.#skipGap() ? undefined : this.#readToken();
        if (token !== undefined) return token;
      }
    }
  }

  /** Whether white space or a comment was there. */
  #skipGap(): boolean {
    if (this.#match(GAP) !== undefined) return true;
    if (this.#text.startsWith("//", this.#at)) this.#at = this.#endOfLine();
    else if (this.#text.startsWith("/*", this.#at)) this.#skipBeyond("*/", 2);
    else return false;
    return true;
  }

  /** Undefined for what is no token of its own, as the beginning of an element. */
  #readToken(): Token | undefined {
    const at = this.#at;
    const first = this.#text.charAt(at);
    const next = this.#text.charAt(at + 1);
    if (/[\d.]/.test(first)) {
      const number = this.#match(NUMBER);
      if (number !== undefined) return this.#value("word", number, at);
    }
    const word = this.#match(WORD);
    if (word !== undefined) return this.#word(word, at);
    if (first === '"' || first === "'") return this.#value("string", this.#readString(first), at);
    if (first === "`") return this.#template(at);
    if (first === "/" && !this.#endsOperand && this.#skipRegex()) return this.#value("punctuator", "/", at);
    if (first === "<" && this.#isJsx && !this.#endsOperand && this.#opensElement()) {
      this.#open.push({ bracket: "tag" });
      this.#at += 1;
      return { kind: "punctuator", text: "<", at };
    }
    if (this.#text.startsWith("...", at)) return this.#operator("...", at);
    if ((first === "=" && next === ">") || (first === "?" && next === "." && !this.#isDigitAt(at + 2)))
      return this.#operator(first + next, at);
    // Before or after its operand: what follows is as it was.
    if ((first === "+" || first === "-") && next === first) {
      this.#at += 2;
      return { kind: "punctuator", text: first + next, at };
    }
    if (first === "!" && next !== "=" && this.#endsOperand) {
      this.#at += 1;
      return { kind: "punctuator", text: "!", at };
    }
    if (first === "(" || first === "[" || first === "{") this.#opened(first);
    if (first === ")" || first === "]") return this.#closed(first, at);
    if (first === "}") return this.#closedBrace(at);
    return this.#operator(first, at);
  }

  #word(text: string, at: number): Token {
    const isProperty = this.#before === "." || this.#before === "?.";
    const top = this.#open.at(-1);
    const isOf = text === "of" && top?.bracket === "(" && top.isLoop === true;
    this.#endsOperand = isProperty || !(BEFORE_VALUES.has(text) || isOf);
    this.#before = isProperty ? "property" : text;
    return { kind: "word", text, at };
  }

  #value(kind: Token["kind"], text: string, at: number): Token {
    this.#endsOperand = true;
    this.#before = "value";
    return { kind, text, at };
  }

  #operator(text: string, at: number): Token {
    this.#at = at + text.length;
    this.#endsOperand = false;
    this.#before = text;
    return { kind: "punctuator", text, at };
  }

  #opened(bracket: "(" | "[" | "{"): void {
    const isWord = /^[\w$#@\\]/.test(this.#before);
    if (bracket === "(") {
      const endsOperand = !BEFORE_CONDITIONS.has(this.#before);
      this.#open.push({ bracket, endsOperand, isLoop: this.#before === "for" || this.#before === "await" });
    } else if (bracket === "[") {
      this.#open.push({ bracket, endsOperand: true });
    } else {
      const around = this.#open.at(-1);
      const isAfterLabel =
        this.#before === ":" && (around === undefined || (around.bracket === "{" && !around.endsOperand));
      const isBlock =
        this.#before === "" ||
        isAfterLabel ||
        BEFORE_BLOCKS.has(this.#before) ||
        (isWord && !BEFORE_VALUES.has(this.#before));
      this.#open.push({ bracket, endsOperand: !isBlock });
    }
  }

  #closed(text: ")" | "]", at: number): Token {
    const top = this.#open.at(-1);
    const isPair = top?.bracket === (text === ")" ? "(" : "[");
    if (isPair) this.#open.pop();
    const token = this.#operator(text, at);
    this.#endsOperand = isPair && "endsOperand" in top ? top.endsOperand : true;
    return token;
  }

  #closedBrace(at: number): Token | undefined {
    let top = this.#open.pop();
    // Brackets that nothing closed end with the braces around them.
    while (top?.bracket === "(" || top?.bracket === "[") top = this.#open.pop();
    if (top?.bracket === "${") {
      this.#at += 1;
      this.#readTemplate();
      return undefined;
    }
    if (top?.bracket === "{tag" || top?.bracket === "{children") {
      this.#at += 1;
      return undefined;
    }
    const token = this.#operator("}", at);
    this.#endsOperand = top !== undefined && "endsOperand" in top && top.endsOperand;
    return token;
  }

  /** What stands between quotes, which end with the line at the latest. */
  #readString(quote: string): string {
    const from = this.#at + 1;
    let at = from;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === quote || character === "\n") break;
      if (character === "\\") at += 1;
    }
    this.#at = at + 1;
    return unescaped(this.#text.slice(from, at));
  }

  #template(at: number): Token {
    this.#at += 1;
    const isWhole = this.#readTemplate();
    if (isWhole) return this.#value("string", unescaped(this.#text.slice(at + 1, this.#at - 1)), at);
    return { kind: "template", text: "`", at };
  }

  /** Goes on with a template; whether it ends here, without a substitution. */
  #readTemplate(): boolean {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === "\\") {
        this.#at += 1;
      } else if (character === "`") {
        this.#at += 1;
        this.#endsOperand = true;
        this.#before = "value";
        return true;
      } else if (character === "$" && this.#text.charAt(this.#at + 1) === "{") {
        this.#at += 2;
        this.#open.push({ bracket: "${" });
        this.#endsOperand = false;
        this.#before = "${";
        return false;
      }
    }
    return false;
  }

  /** Whether a regular expression is here; then it is passed over with its flags. */
  #skipRegex(): boolean {
    if (this.#at < this.#noRegexUntil) return false;
    let isInClass = false;
    let at = this.#at + 1;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === "\n") break;
      if (character === "\\") at += 1;
      else if (character === "[") isInClass = true;
      else if (character === "]") isInClass = false;
      else if (character === "/" && !isInClass) {
        this.#at = at + 1;
        this.#match(WORD);
        return true;
      }
    }
    this.#noRegexUntil = at;
    return false;
  }

  /** Whether `<` opens an element where it could open type parameters as well. */
  #opensElement(): boolean {
    const after = this.#at + 1;
    if (this.#text.charAt(after) === ">") return true;
    const name = matchAt(JSX_NAME, this.#text, after) ?? "";
    if (!/^[\w$]/.test(name)) return false;
    const end = after + name.length;
    if (matchAt(AFTER_TYPE_PARAMETER, this.#text, end) !== undefined) return false;
    return matchAt(AFTER_EITHER, this.#text, end) === undefined || this.#isClosedLater(name);
  }

  #isClosedLater(name: string): boolean {
    let last = this.#lastClosings.get(name);
    if (last === undefined) {
      const closing = `</${name}`;
      last = this.#text.lastIndexOf(closing);
      while (last >= 0 && matchAt(JSX_NAME, this.#text, last + closing.length) !== "")
        last = last === 0 ? -1 : this.#text.lastIndexOf(closing, last - 1);
      this.#lastClosings.set(name, last);
    }
    return last > this.#at;
  }

  /** Passes over what stands in a tag, up to a value in braces or to its end. */
  #readTag(): void {
    if (this.#skipGap()) return;
    const first = this.#text.charAt(this.#at);
    if (first === '"' || first === "'") {
      this.#skipBeyond(first, 1);
    } else if (first === "{") {
      this.#enter("{tag");
    } else if (first === "<") {
      // The value of an attribute, or type arguments, which have no closing tag of their own.
      if (/=\s*$/.test(this.#text.slice(Math.max(0, this.#at - 20), this.#at))) {
        this.#open.push({ bracket: "tag" });
        this.#at += 1;
      } else this.#skipTypeArguments();
    } else if (first === ">") {
      this.#open.pop();
      this.#open.push({ bracket: "children" });
      this.#at += 1;
    } else if (this.#text.startsWith("/>", this.#at)) {
      this.#at += 2;
      this.#leaveElement();
    } else {
      this.#at += 1;
    }
  }

  #readChildren(): void {
    const at = this.#at;
    const first = this.#text.charAt(at);
    if (first === "{") {
      this.#enter("{children");
    } else if (this.#text.startsWith("</", at)) {
      this.#skipBeyond(">", 2);
      this.#leaveElement();
    } else if (first === "<") {
      this.#open.push({ bracket: "tag" });
      this.#at += 1;
    } else {
      while (this.#at < this.#text.length && !"{<".includes(this.#text.charAt(this.#at))) this.#at += 1;
    }
  }

  #enter(bracket: "{tag" | "{children"): void {
    this.#open.push({ bracket });
    this.#at += 1;
    this.#endsOperand = false;
    this.#before = "(";
  }

  #leaveElement(): void {
    this.#open.pop();
    this.#endsOperand = true;
    this.#before = "value";
  }

  #skipTypeArguments(): void {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === "<") depth += 1;
      else if (character === ">" && this.#text.charAt(this.#at - 1) !== "=") depth -= 1;
      if (depth === 0) break;
    }
    this.#at += 1;
  }

  #skipBeyond(end: string, from: number): void {
    const found = this.#text.indexOf(end, this.#at + from);
    this.#at = found < 0 ? this.#text.length : found + end.length;
  }

  #endOfLine(): number {
    const found = this.#text.indexOf("\n", this.#at);
    return found < 0 ? this.#text.length : found;
  }

  #isDigitAt(at: number): boolean {
    return /\d/.test(this.#text.charAt(at));
  }

  #match(pattern: RegExp): string | undefined {
    const found = matchAt(pattern, this.#text, this.#at);
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const ESCAPE =
  /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|([^]))/g;
const CONTROL: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
};

/** What a literal with escapes stands for. */
function unescaped(literal: string): string {
  if (!literal.includes("\\")) return literal;
  return literal.replace(
    ESCAPE,
    (
      _,
      long: string | undefined,
      unit: string | undefined,
      byte: string | undefined,
      line: string | undefined,
      plain: string = "",
    ) => {
      const hex = long ?? unit ?? byte;
      if (hex === undefined) return line === undefined ? (CONTROL[plain] ?? plain) : "";
      const code = Number.parseInt(hex, 16);
      return long === undefined ? String.fromCharCode(code) : String.fromCodePoint(Math.min(code, 0x10ffff));
    },
  );
}
