import { Tokens, type Token } from "./source-tokens";

/** What a module names by a literal specifier. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /**
   * Whether a bundle needs what it names: not where it is a type, which a bundler erases, nor where the module only
   * asks for its address or calls a `require` of its own.
   */
  readonly isRequired: boolean;
  /** It is required by a call, which may never be made. */
  readonly isCall?: true;
}

/** What a module imports or re-exports, by statements and by calls, in the order of its text. */
export function findImports(text: string, isJsx = false): Import[] {
  const tokens = new Tokens(text, isJsx);
  const lineAt = linesOf(text);
  const found: Import[] = [];
  let before = "";
  for (let token = tokens.next(); token.kind !== "end"; token = tokens.next()) {
    const read = token.kind === "word" && before !== "." && before !== "?." ? readers[token.text] : undefined;
    const named = read?.(tokens, before);
    if (named !== undefined) found.push({ ...named, line: lineAt(token.at) });
    before = token.text;
  }
  return found;
}

type Named = Omit<Import, "line">;
type Reader = (tokens: Tokens, before: string) => Named | undefined;

/** By the word that a statement or a call begins with. */
const readers: Readonly<Record<string, Reader | undefined>> = Object.assign(
  Object.create(null) as Record<string, Reader>,
  { import: readImport, export: readExport, require: readRequire },
);

function readImport(tokens: Tokens, before: string): Named | undefined {
  const first = tokens.next();
  if (first.kind === "string") return { specifier: first.text, isRequired: true };
  if (isMark(first, "(")) {
    const specifier = readArgument(tokens);
    if (specifier === undefined) return undefined;
    return before === "typeof" || isPartOfType(tokens) ? { specifier, isRequired: false } : called(specifier);
  }
  if (isMark(first, ".")) return readMeta(tokens);
  return readClause(tokens, first);
}

/** `import.meta.resolve("…")`, and the phases of an import that are called, as `import.defer("…")`. */
function readMeta(tokens: Tokens): Named | undefined {
  const word = tokens.next().text;
  if (word === "meta") {
    const [dot, resolve] = [tokens.next(), tokens.next()];
    if (!isMark(dot, ".") || resolve.text !== "resolve") {
      tokens.pushBack(dot, resolve);
      return undefined;
    }
  } else if (word !== "defer" && word !== "source") return undefined;
  const opening = tokens.next();
  if (!isMark(opening, "(")) {
    tokens.pushBack(opening);
    return undefined;
  }
  const specifier = readArgument(tokens);
  if (specifier === undefined) return undefined;
  return word === "meta" ? { specifier, isRequired: false } : called(specifier);
}

function called(specifier: string): Named {
  return { specifier, isRequired: true, isCall: true };
}

/** What stands between `import` and the specifier, and that. */
function readClause(tokens: Tokens, first: Token): Named | undefined {
  let isInBraces = false;
  let second: Token | undefined;
  let count = 0;
  let before = "";
  for (let token = first; ; token = tokens.next()) {
    if (count === 1) second = token;
    if (token.kind === "string" && !isInBraces) {
      if (before !== "from") return undefined;
      const isType =
        first.text === "type" && !isEndOfName(second) && !(second?.text === "from" && count === 2);
      return { specifier: token.text, isRequired: !isType };
    }
    if (isMark(token, "=")) {
      const isType = first.text === "type" && count > 1;
      const required = tokens.next();
      if (required.text !== "require") {
        tokens.pushBack(required);
        return undefined;
      }
      const named = readRequire(tokens);
      return named && { ...named, isRequired: !isType };
    }
    if (isMark(token, "{")) isInBraces = true;
    else if (isMark(token, "}")) isInBraces = false;
    else if (token.kind !== "word" && !isMark(token, ",") && !isMark(token, "*") && token.kind !== "string") {
      tokens.pushBack(token);
      return undefined;
    }
    before = token.text;
    count += 1;
  }
}

/** Whether `type` before it is a name itself. */
function isEndOfName(token: Token | undefined): boolean {
  return token !== undefined && isMark(token, ",");
}

function readExport(tokens: Tokens): Named | undefined {
  let token = tokens.next();
  const isType = token.text === "type";
  if (isType) token = tokens.next();
  if (isMark(token, "*")) {
    token = tokens.next();
    if (token.text === "as") {
      tokens.next();
      token = tokens.next();
    }
  } else if (isMark(token, "{")) {
    do token = tokens.next();
    while (token.kind === "word" || token.kind === "string" || isMark(token, ","));
    if (isMark(token, "}")) token = tokens.next();
  } else {
    tokens.pushBack(token);
    return undefined;
  }
  const specifier = token.text === "from" ? tokens.next() : token;
  if (token.text === "from" && specifier.kind === "string")
    return { specifier: specifier.text, isRequired: !isType };
  tokens.pushBack(specifier);
  return undefined;
}

function readRequire(tokens: Tokens): Named | undefined {
  const opening = tokens.next();
  if (!isMark(opening, "(")) {
    tokens.pushBack(opening);
    return undefined;
  }
  const specifier = readArgument(tokens);
  return specifier === undefined ? undefined : { specifier, isRequired: false };
}

/** The first argument of a call where it is one literal; what follows it is left to be read. */
function readArgument(tokens: Tokens): string | undefined {
  const argument = tokens.next();
  if (argument.kind !== "string") {
    tokens.pushBack(argument);
    return undefined;
  }
  const after = tokens.next();
  if (!isMark(after, ")")) tokens.pushBack(after);
  return isMark(after, ")") || isMark(after, ",") ? argument.text : undefined;
}

const OF_PROMISES = new Set(["then", "catch", "finally"]);

/** Whether what follows an import that looks like a call takes a type out of the module, as no promise has it. */
function isPartOfType(tokens: Tokens): boolean {
  const dot = tokens.next();
  if (!isMark(dot, ".")) {
    tokens.pushBack(dot);
    return false;
  }
  const name = tokens.next();
  tokens.pushBack(dot, name);
  return name.kind === "word" && !OF_PROMISES.has(name.text);
}

function isMark(token: Token, text: string): boolean {
  return token.kind === "punctuator" && token.text === text;
}

/** Numbers of lines, asked for in the order of the text. */
function linesOf(text: string): (at: number) => number {
  let line = 1;
  let end = text.indexOf("\n");
  return (at) => {
    for (; end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
    return line;
  };
}
