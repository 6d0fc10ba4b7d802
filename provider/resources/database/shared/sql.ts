/** A text as SQL on one line, whatever the server's settings. */
export function quoteLiteral(text: string): string {
  const quoted = text.replaceAll("'", "''");
  if (!/[\\\n\r]/.test(text)) return `'${quoted}'`;
  return `E'${quoted.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
}

/** A name as SQL. */
export function quoteName(...parts: readonly string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(".");
}

/** Texts as an array of SQL. */
export function formatTextArray(all: readonly string[]): string {
  return `array[${all.map(quoteLiteral).join(", ")}]::text[]`;
}

/** A block of statements that runs by itself, on one line. */
export function formatDoBlock(statements: string): string {
  let tag = "$management$";
  while (statements.includes(tag)) tag = tag.replace(/\$$/, "_$");
  return `do ${tag} begin ${statements} end ${tag};`;
}

/** A script as words and what separates statements; texts, names in quotes and comments are none of both. */
const TOKENS = new RegExp(
  [
    String.raw`(?<skipped>\s+|--[^\n]*)`,
    String.raw`(?<comment>/\*)`,
    // What is never closed reaches to the end: Postgres will say so.
    String.raw`(?<quoted>e'(?:[^'\\]|\\[^]|'')*(?:'|$)|(?:u&|[bnx])?'(?:[^']|'')*(?:'|$)|(?:u&)?"(?:[^"]|"")*(?:"|$))`,
    String.raw`(?<command>\\[^\n]*)`,
    String.raw`(?<dollar>\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`,
    String.raw`(?<word>[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<other>[0-9][\w.]*|\$[0-9]+|[^])`,
  ].join("|"),
  "iy",
);

/** Statements that Postgres runs in no transaction that is open. */
const ALONE = [
  /^(?:vacuum|alter system|discard all)\b/,
  /^cluster(?: verbose)?$/,
  /^(?:create|drop) (?:database|tablespace|subscription)\b/,
  /^alter database .*\bset tablespace\b/,
  /^alter subscription .*\b(?:refresh|publication)\b/,
  /^(?:create (?:unique )?index|drop index) concurrently\b/,
  /^reindex (?:(?:verbose|true|false|tablespace) )*(?:(?:index|table) )?(?:concurrently|database|system|schema)\b/,
  /^alter table .*\bdetach partition .*\bconcurrently\b/,
];

/** Those of them that do no more when they are run again. */
const REPEATABLE = [
  /^(?:vacuum|alter system|discard all|cluster|reindex)\b/,
  /^drop (?:database|tablespace|subscription) if exists\b/,
  /^drop index concurrently if exists\b/,
];

/** Those of them that change nothing but how rows are stored. */
const MAINTENANCE = /^(?:vacuum|cluster|reindex)\b/;

/** Rows that only psql can send. */
export const ROWS = /^copy\b.*\bfrom stdin\b/;

export function runsAlone({ words }: SqlStatement): boolean {
  return ALONE.some((rule) => rule.test(words));
}

export function isRepeatable({ words }: SqlStatement): boolean {
  return REPEATABLE.some((rule) => rule.test(words));
}

export function isMaintenance({ words }: SqlStatement): boolean {
  return MAINTENANCE.test(words);
}

/** What does not show whose values a statement has. */
export function shortenStatement(words: string): string {
  return words.split(" ").slice(0, 4).join(" ");
}

/** The line of a script, counted from 1, that a place is in. */
export function lineAt(script: string, at: number): number {
  return script.slice(0, at).split("\n").length;
}

/** A script without the lines for psql that every dump has around it; its lines stay where they were. */
export function omitDumpLines(script: string): string {
  if (!DUMP_LINE.test(script)) return script;
  let text = "";
  let from = 0;
  scanStatements(script, (start, end) => {
    text += script.slice(from, start) + blankOut(script.slice(start, end));
    from = end;
  });
  return text + script.slice(from);
}

const DUMP_LINE = /^\\(?:un)?restrict(?:[ \t][^\n]*)?$/m;

/** Statements of a script without the semicolons between them. */
export function splitStatements(script: string): string[] {
  return splitScript(script).map(({ text }) => text);
}

/** Blanks in the place of a text; its lines stay. */
export function blankOut(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

/** As many tell what a statement is; a `copy` names each of a table's columns. */
const WORDS_KEPT = 64;
const WORDS_OF_COPY = 1_700;

export interface SqlStatement {
  /** As it stands there, with the comments before and within it. */
  readonly text: string;
  /** Its first words in lower case, without texts, names in quotes and comments. */
  readonly words: string;
  /** Where it begins and, its semicolon included, ends. */
  readonly start: number;
  readonly end: number;
  /** Where its own text begins, after comments. */
  readonly first: number;
  /** The first command of psql in it. */
  readonly command: { readonly name: string; readonly at: number } | undefined;
  /** Whether what it opens is closed: a text, a comment, a parenthesis. */
  readonly isWhole: boolean;
}

/** What is only a comment is no statement. */
export function splitScript(script: string): SqlStatement[] {
  return scanStatements(script);
}

function scanStatements(script: string, onDumpLine?: (start: number, end: number) => void): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let words: string[] = [];
  let previous = "";
  let depth = 0;
  /** How deep in `begin atomic`, whose semicolons belong to a routine. */
  let blocks = 0;
  let start = 0;
  let isEmpty = true;
  let first = 0;
  let command: SqlStatement["command"];
  let isOpen = false;
  const finish = (end: number, next: number): void => {
    const text = script.slice(start, end).trim();
    const isWhole = !isOpen && depth === 0 && blocks === 0;
    if (!isEmpty)
      statements.push({ text, words: words.join(" "), start, end: next, first, command, isWhole });
    [words, previous, start, isEmpty, command] = [[], "", next, true, undefined];
  };
  for (let at = 0; at < script.length;) {
    const from = at;
    TOKENS.lastIndex = at;
    const {
      skipped,
      comment,
      quoted,
      command: ofPsql,
      dollar,
      word,
      other,
    } = TOKENS.exec(script)?.groups ?? {};
    at = TOKENS.lastIndex;
    if (other === ";" && depth === 0 && blocks === 0) {
      if (ROWS.test(words.join(" "))) at = endOfRows(script, at);
      finish(from, at);
      continue;
    }
    if (ofPsql !== undefined && isEmpty && DUMP_LINE.test(ofPsql) && isLineStart(script, from)) {
      onDumpLine?.(from, at);
      if (onDumpLine !== undefined) continue;
    }
    if (skipped === undefined && comment === undefined) {
      if (isEmpty) first = from;
      isEmpty = false;
    }
    if (comment !== undefined) {
      at = endOfComment(script, at);
      isOpen ||= !script.slice(from, at).endsWith("*/");
    } else if (ofPsql !== undefined) command ??= { name: /^\\\S*/.exec(ofPsql)?.[0] ?? "", at: from };
    else if (quoted !== undefined) isOpen ||= !isClosed(quoted);
    else if (dollar !== undefined) {
      at = endOfText(script, at, dollar);
      isOpen ||= at - from < 2 * dollar.length || !script.slice(from, at).endsWith(dollar);
    } else if (word !== undefined) {
      const lower = word.toLowerCase();
      if (words.length < (words[0] === "copy" ? WORDS_OF_COPY : WORDS_KEPT)) words.push(lower);
      if (blocks > 0) blocks += lower === "case" ? 1 : lower === "end" ? -1 : 0;
      else if (lower === "atomic" && previous === "begin" && isRoutine(words)) blocks = 1;
      previous = lower;
    } else if (other === "(") depth += 1;
    else if (other === ")") depth = Math.max(0, depth - 1);
  }
  finish(script.length, script.length);
  return statements;
}

const OPERATOR = /^[-+*/<>=~!@#%^&|`?]+$/;

/**
 * A script by its meaning: equal for two that differ in blanks, comments, empty statements, the case of words or the transaction
 * around their statements, and different where a literal or a name in quotes is.
 */
export function toComparableSql(script: string): string {
  const plain = omitDumpLines(script.replaceAll("\r\n", "\n"));
  return splitScript(plain)
    .filter(({ words }) => !ROUND_TRANSACTION.test(words))
    .map(({ text, words, start, end }) =>
      // Rows are data as they stand there.
      ROWS.test(words) ? plain.slice(start, end) : JSON.stringify(toComparableTokens(text)),
    )
    .join(";");
}

/** `begin` and `commit`, in the forms that say nothing more. */
export const ROUND_TRANSACTION = /^(?:begin|start transaction|commit|end)(?: work| transaction)?$/;

function toComparableTokens(statement: string): string[] {
  const found: string[] = [];
  let operator = "";
  const finishOperator = (): void => {
    // As Postgres does: an operator of plain characters does not end with a sign.
    const [, own = operator, signs = ""] = /[~!@#%^&|`?]/.test(operator)
      ? []
      : (/^(.+?)([-+]+)$/.exec(operator) ?? []);
    if (own !== "") found.push(own, ...(signs.match(/./g) ?? []));
    operator = "";
  };
  for (let at = 0; at < statement.length;) {
    const from = at;
    TOKENS.lastIndex = at;
    const { skipped, comment, quoted, dollar, word, other = "" } = TOKENS.exec(statement)?.groups ?? {};
    at = TOKENS.lastIndex;
    if (comment !== undefined) at = endOfComment(statement, at);
    if (dollar !== undefined) at = endOfText(statement, at, dollar);
    if (OPERATOR.test(other) || (other === ":" && /^:*$/.test(operator))) {
      operator += other;
      continue;
    }
    finishOperator();
    if (skipped !== undefined || comment !== undefined) continue;
    const text = statement.slice(from, at);
    const isFolded = word !== undefined || quoted !== undefined;
    const [, prefix = ""] = isFolded ? (/^([^'"]*)/.exec(text) ?? []) : [];
    found.push(prefix.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) + text.slice(prefix.length));
  }
  finishOperator();
  return found;
}

/** An index that a statement builds concurrently. */
export interface IndexBuild {
  readonly index: string;
  /** Its table, as SQL. */
  readonly table: string;
}

/** The index that a statement builds concurrently under a name of its own. */
export function parseIndexBuild(statement: string): IndexBuild | undefined {
  const tokens = readNameTokens(statement);
  const at = tokens.findIndex(({ text }) => text === "concurrently");
  if (!/^create (?:unique )?index$/.test(joinTokens(tokens.slice(0, at)))) return undefined;
  const rest = tokens.slice(at + 1);
  if (joinTokens(rest.slice(0, 3)) === "if not exists") rest.splice(0, 3);
  const [index, on, ...of] = rest;
  if (index === undefined || on?.text !== "on" || (index.text === "on" && !index.isQuoted)) return undefined;
  if (of[0]?.text === "only") of.shift();
  const [first, dot, second] = of;
  if (first === undefined) return undefined;
  const parts = dot?.text === "." && second !== undefined ? [first, second] : [first];
  return { index: index.text, table: quoteName(...parts.map(({ text }) => text)) };
}

interface NameToken {
  readonly text: string;
  readonly isQuoted: boolean;
}

function joinTokens(tokens: readonly NameToken[]): string {
  return tokens.map(({ text }) => text).join(" ");
}

/** The first tokens of a statement, with names as the database has them. */
function readNameTokens(statement: string): NameToken[] {
  const found: NameToken[] = [];
  for (let at = 0; at < statement.length && found.length < 16;) {
    TOKENS.lastIndex = at;
    const { skipped, comment, quoted, word, other = "" } = TOKENS.exec(statement)?.groups ?? {};
    at = comment === undefined ? TOKENS.lastIndex : endOfComment(statement, TOKENS.lastIndex);
    if (skipped !== undefined || comment !== undefined) continue;
    const isQuoted = quoted !== undefined;
    const text = isQuoted
      ? quoted.replace(/^[^"]*"|"$/g, "").replaceAll('""', '"')
      : (word?.toLowerCase() ?? other);
    found.push({ text, isQuoted });
  }
  return found;
}

function isLineStart(script: string, at: number): boolean {
  return at === 0 || script[at - 1] === "\n";
}

/** The rows of a dump end with a line of their own. */
function endOfRows(script: string, at: number): number {
  const end = /^\\\.[ \t]*$/gm;
  end.lastIndex = at;
  return end.exec(script) === null ? script.length : end.lastIndex;
}

function isClosed(quoted: string): boolean {
  const plain = /^e'/i.test(quoted) ? quoted.replaceAll(/\\[^]/g, "") : quoted;
  const mark = /^(?:u&)?"/i.test(plain) ? '"' : "'";
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
