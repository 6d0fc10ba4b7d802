/** A script as words and what separates statements; texts, names in quotes and comments are none of both. */
const TOKENS = new RegExp(
  [
    String.raw`(?<skipped>\s+|--[^\n]*)`,
    String.raw`(?<comment>/\*)`,
    // What is never closed reaches to the end: Postgres will say so.
    String.raw`(?<quoted>e'(?:[^'\\]|\\[^]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$))`,
    String.raw`(?<dollar>\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`,
    String.raw`(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<other>[0-9][\w.]*|\$[0-9]+|[^])`,
  ].join("|"),
  "iy",
);

/** Statements that begin or end a transaction, or that Postgres runs in none that is open. */
const ALONE = [
  /^(?:begin|start transaction|commit|end|rollback|abort|savepoint|release|prepare transaction)\b/,
  /^(?:vacuum|alter system|discard all)\b/,
  /^(?:create|drop) (?:database|tablespace|subscription)\b/,
  /^(?:create (?:unique )?index|drop index) concurrently\b/,
  /^reindex (?:(?:index|table) )?(?:concurrently|database|system|schema)\b/,
  /^alter table .*\bdetach partition .*\bconcurrently\b/,
];

/** The first words of a statement that cannot run within a transaction; undefined where all can. In linear time. */
export function statementAlone(script: string): string | undefined {
  const words = statementsOf(script).map((statement) => statement.words);
  return words.find((each) => ALONE.some((rule) => rule.test(each)));
}

/** Statements of a script without the semicolons between them. */
export function splitStatements(script: string): string[] {
  return statementsOf(script).map(({ text }) => text);
}

/**
 * A script without the transaction that is put around the whole of it, as whoever runs it opens one; its lines stay where
 * they were.
 */
export function withoutTransaction(script: string): string {
  const statements = statementsOf(script);
  const [first, last] = [statements[0], statements.at(-1)];
  if (first === undefined || last === undefined || statements.length < 2) return script;
  if (!/^(?:begin|start transaction)(?: work| transaction)?$/.test(first.words)) return script;
  if (!/^(?:commit|end)(?: work| transaction)?$/.test(last.words)) return script;
  const [opens, closes] = [script.slice(0, first.end), script.slice(last.start)];
  return `${blank(opens)}${script.slice(first.end, last.start)}${blank(closes)}`;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

/** As many tell what a statement is. */
const WORDS_KEPT = 64;

export interface Statement {
  /** As it stands there, with the comments before and within it. */
  readonly text: string;
  /** Its first words in lower case, without texts, names in quotes and comments. */
  readonly words: string;
  /** Where it begins and, its semicolon included, ends. */
  readonly start: number;
  readonly end: number;
  /** Whether what it opens is closed: a text, a comment, a parenthesis. */
  readonly isWhole: boolean;
}

/** What is only a comment is no statement. */
export function statementsOf(script: string): Statement[] {
  const statements: Statement[] = [];
  let words: string[] = [];
  let previous = "";
  let depth = 0;
  /** How deep in `begin atomic`, whose semicolons belong to a routine. */
  let blocks = 0;
  let start = 0;
  let isEmpty = true;
  let isOpen = false;
  const finish = (end: number, next: number): void => {
    const text = script.slice(start, end).trim();
    const isWhole = !isOpen && depth === 0 && blocks === 0;
    if (!isEmpty) statements.push({ text, words: words.join(" "), start, end: next, isWhole });
    [words, previous, start, isEmpty] = [[], "", next, true];
  };
  for (let at = 0; at < script.length;) {
    const from = at;
    TOKENS.lastIndex = at;
    const { skipped, comment, quoted, dollar, word, other } = TOKENS.exec(script)?.groups ?? {};
    at = TOKENS.lastIndex;
    if (other === ";" && depth === 0 && blocks === 0) {
      finish(from, at);
      continue;
    }
    if (skipped === undefined && comment === undefined) isEmpty = false;
    if (comment !== undefined) {
      at = endOfComment(script, at);
      isOpen ||= !script.slice(from, at).endsWith("*/");
    } else if (quoted !== undefined) isOpen ||= !isClosed(quoted);
    else if (dollar !== undefined) {
      at = endOfText(script, at, dollar);
      isOpen ||= at - from < 2 * dollar.length || !script.slice(from, at).endsWith(dollar);
    } else if (word !== undefined) {
      const lower = word.toLowerCase();
      if (words.length < WORDS_KEPT) words.push(lower);
      if (blocks > 0) blocks += lower === "case" ? 1 : lower === "end" ? -1 : 0;
      else if (lower === "atomic" && previous === "begin" && isRoutine(words)) blocks = 1;
      previous = lower;
    } else if (other === "(") depth += 1;
    else if (other === ")") depth = Math.max(0, depth - 1);
  }
  finish(script.length, script.length);
  return statements;
}

function isClosed(quoted: string): boolean {
  const plain = quoted.startsWith("'") || quoted.startsWith('"') ? quoted : quoted.replaceAll(/\\[^]/g, "");
  const mark = plain.includes("'") && !plain.startsWith('"') ? "'" : '"';
  return plain.split(mark).length % 2 === 1;
}

function isRoutine(words: readonly string[]): boolean {
  return /^create (?:or replace )?(?:function|procedure)\b/.test(words.join(" "));
}

function endOfText(script: string, at: number, dollar: string): number {
  const close = script.indexOf(dollar, at);
  return close === -1 ? script.length : close + dollar.length;
}

/** Comments nest. */
function endOfComment(script: string, at: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = at;
  let depth = 1;
  for (let mark = marks.exec(script); mark !== null; mark = marks.exec(script)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return script.length;
}
