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
  return statementsIn(script).find((words) => ALONE.some((rule) => rule.test(words)));
}

/** As many tell what a statement is. */
const WORDS_KEPT = 64;

/** The first words of each statement, in lower case. */
function statementsIn(script: string): string[] {
  const statements: string[] = [];
  let words: string[] = [];
  let previous = "";
  let depth = 0;
  /** How deep in `begin atomic`, whose semicolons belong to a routine. */
  let blocks = 0;
  for (let at = 0; at < script.length;) {
    TOKENS.lastIndex = at;
    const { comment, dollar, word, other } = TOKENS.exec(script)?.groups ?? {};
    at = TOKENS.lastIndex;
    if (comment !== undefined) at = endOfComment(script, at);
    else if (dollar !== undefined) at = endOfText(script, at, dollar);
    else if (word !== undefined) {
      const lower = word.toLowerCase();
      if (words.length < WORDS_KEPT) words.push(lower);
      if (blocks > 0) blocks += lower === "case" ? 1 : lower === "end" ? -1 : 0;
      else if (lower === "atomic" && previous === "begin" && isRoutine(words)) blocks = 1;
      previous = lower;
    } else if (other === "(") depth += 1;
    else if (other === ")") depth = Math.max(0, depth - 1);
    else if (other === ";" && depth === 0 && blocks === 0) {
      statements.push(words.join(" "));
      words = [];
    }
  }
  return [...statements, words.join(" ")];
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
