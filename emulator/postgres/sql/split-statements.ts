/** The statements of a script without the semicolons between them; what is only comment is left out. */
export function splitStatements(script: string): string[] {
  return statementsOf(script).map(({ text }) => text);
}

/** Each with where it begins in the script, as `splitStatements` has them. */
export function locateStatements(script: string): readonly LocatedStatement[] {
  return statementsOf(script);
}

interface LocatedStatement {
  readonly text: string;
  readonly start: number;
  /** Its first words in lower case, without quoted names. */
  readonly words: readonly string[];
}

const KINDS = ["space", "comment", "string", "dollar", "word", "other"] as const;

interface Token {
  /** A quoted name counts as a string, as does what stands between dollar quotes as `dollar`. */
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly end: number;
}

/** What a script consists of, without gaps. */
export function* tokensOf(script: string): Generator<Token> {
  let at = 0;
  while (at < script.length) {
    tokens.lastIndex = at;
    const groups = tokens.exec(script)?.groups ?? {};
    const kind = KINDS.find((each) => groups[each] !== undefined) ?? "other";
    const end = kind === "comment" ? endOfComment(script, at) : endOfToken(script, at, groups["dollar"]);
    // What follows `--` up to the end of its line is found with the blanks.
    const isComment = kind === "space" && script.startsWith("--", at);
    yield { kind: isComment ? "comment" : kind, text: script.slice(at, end), end };
    at = end;
  }
}

const tokens = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    String.raw`(?<comment>/\*)`,
    // A string that is never closed reaches to the end: Postgres will say so.
    String.raw`(?<string>[eE]'(?:[^'\\]|\\[^]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$))`,
    String.raw`(?<dollar>\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`,
    String.raw`(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    // A number takes what follows it, so that no string or quote begins inside.
    String.raw`(?<other>[0-9][\w.]*|\$[0-9]+|[^])`,
  ].join("|"),
  "iy",
);

function statementsOf(script: string): LocatedStatement[] {
  const statements: LocatedStatement[] = [];
  let start = 0;
  let scope = newScope();
  let isEmpty = true;

  function finish(end: number, next: number): void {
    if (!isEmpty) {
      const whole = script.slice(start, end);
      const blanks = whole.length - whole.trimStart().length;
      statements.push({ text: whole.trim(), start: start + blanks, words: scope.words });
    }
    start = next;
    scope = newScope();
    isEmpty = true;
  }

  for (const { kind, text, end } of tokensOf(script)) {
    if (text === ";" && scope.parentheses === 0 && scope.blocks === 0) finish(end - 1, end);
    else if (kind !== "space" && kind !== "comment") {
      isEmpty = false;
      if (text === "(") scope.parentheses += 1;
      else if (text === ")") scope.parentheses = Math.max(0, scope.parentheses - 1);
      else if (kind === "word") takeWord(scope, text.toLowerCase());
    }
  }
  finish(script.length, script.length);
  return statements;
}

interface Scope {
  parentheses: number;
  /** Depth of `begin atomic` and of `case` inside it, where semicolons belong to the routine's body. */
  blocks: number;
  readonly words: string[];
}

function newScope(): Scope {
  return { parentheses: 0, blocks: 0, words: [] };
}

const WORDS_KEPT = 5;

function takeWord(scope: Scope, word: string): void {
  if (scope.words.length < WORDS_KEPT) scope.words.push(word);
  if (
    scope.parentheses > 0 ||
    !/^create (?:or replace )?(?:function|procedure)\b/.test(scope.words.join(" "))
  )
    return;
  if (word === "begin" || (word === "case" && scope.blocks > 0)) scope.blocks += 1;
  else if (word === "end" && scope.blocks > 0) scope.blocks -= 1;
}

function endOfToken(script: string, at: number, dollar: string | undefined): number {
  if (dollar === undefined) return tokens.lastIndex;
  const close = script.indexOf(dollar, at + dollar.length);
  return close === -1 ? script.length : close + dollar.length;
}

/** Comments nest. */
function endOfComment(script: string, at: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  let depth = 0;
  for (let mark = marks.exec(script); mark !== null; mark = marks.exec(script)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return script.length;
}

/**
 * The script without the transaction that is put around the whole of it, which the caller opens by itself; undefined when
 * it begins or ends one in the middle.
 */
export function withinOneTransaction(script: string): string | undefined {
  const statements = statementsOf(script);
  const isWrapped = statements.length > 1 && begins(statements[0]) && ends(statements.at(-1)) !== undefined;
  const inner = isWrapped ? statements.slice(1, -1) : statements;
  if (inner.some((statement) => begins(statement) || ends(statement) !== undefined)) return undefined;
  if (!isWrapped) return script;
  return ends(statements.at(-1)) === "commit" ? inner.map(({ text }) => `${text};`).join("\n") : undefined;
}

function begins(statement: LocatedStatement | undefined): boolean {
  const [first, second] = statement?.words ?? [];
  return first === "begin" || (first === "start" && second === "transaction");
}

function ends(statement: LocatedStatement | undefined): "commit" | "rollback" | undefined {
  const [first, second, third] = statement?.words ?? [];
  if (first === "commit" || first === "end") return "commit";
  if (first === "abort" || (first === "prepare" && second === "transaction")) return "rollback";
  // Back to a savepoint is within the transaction.
  const isToSavepoint = second === "to" || third === "to";
  return first === "rollback" && !isToSavepoint ? "rollback" : undefined;
}
