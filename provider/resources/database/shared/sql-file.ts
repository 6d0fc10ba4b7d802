import {
  blankOut,
  lineAt,
  ROUND_TRANSACTION,
  ROWS,
  runsAlone,
  shortenStatement,
  splitScript,
  omitDumpLines,
  type SqlStatement,
} from "./sql";

/** What keeps SQL from being run, with its line. */
export interface ScriptFault {
  /**
   * `rows` for psql, a `command` of psql, a `transaction` that has no second end or cannot be run as such, a statement that runs in
   * none beside others (`mixed`), what is never closed (`open`).
   */
  readonly kind: "rows" | "command" | "transaction" | "mixed" | "open";
  readonly line: number;
  /** Its first words. */
  readonly words: string;
}

/** SQL as it is run, whether a file, a query or a rollback has it. */
export interface SqlFile {
  /**
   * Each is sent by itself and runs as one transaction, without the statements that begin and end it; lines stay where they were.
   * The settings of earlier ones are repeated, as each may run in a session of its own.
   */
  readonly transactions: readonly [string, ...string[]];
  /** Its only statement, where that runs in no transaction. */
  readonly alone: SqlStatement | undefined;
  /** The first thing that keeps it from being run. */
  readonly fault: ScriptFault | undefined;
  readonly isEmpty: boolean;
}

/** Reads SQL; a single transaction within it is the one that it is run in, whatever is before and after. */
export function readSqlFile(script: string): SqlFile {
  const text = omitDumpLines(script);
  const statements = splitScript(text);
  const groups = groupByTransaction(statements);
  const [only, second] = statements;
  return {
    transactions: textsOf(text, statements, groups),
    alone: only !== undefined && second === undefined && runsAlone(only) ? only : undefined,
    fault: findFault(text, statements),
    isEmpty: only === undefined,
  };
}

/** Statements that begin or end a transaction. */
const OF_TRANSACTIONS =
  /^(?:begin|start transaction|commit|end|rollback|abort|savepoint|release|prepare transaction)\b/;

function findFault(text: string, statements: readonly SqlStatement[]): ScriptFault | undefined {
  let opened: SqlStatement | undefined;
  const faultOf = (statement: SqlStatement): ScriptFault["kind"] | undefined => {
    const { words, isWhole } = statement;
    if (ROWS.test(words)) return "rows";
    if (OF_TRANSACTIONS.test(words)) {
      const begins = /^(?:begin|start)/.test(words);
      if (!ROUND_TRANSACTION.test(words) || begins === (opened !== undefined)) return "transaction";
      opened = begins ? statement : undefined;
    }
    if (runsAlone(statement) && statements.length > 1) return "mixed";
    if (statement.command !== undefined) return "command";
    return isWhole ? undefined : "open";
  };
  for (const statement of statements) {
    const { words, command, first } = statement;
    const kind = faultOf(statement);
    if (kind === "command" && command !== undefined)
      return { kind, line: lineAt(text, command.at), words: command.name };
    if (kind !== undefined) return { kind, line: lineAt(text, first), words: shortenStatement(words) };
  }
  if (opened === undefined) return undefined;
  return { kind: "transaction", line: lineAt(text, opened.first), words: shortenStatement(opened.words) };
}

/** The statements of each transaction; those of the file's only one include what is around it. */
function groupByTransaction(statements: readonly SqlStatement[]): SqlStatement[][] {
  const controls = statements.filter(({ words }) => ROUND_TRANSACTION.test(words));
  if (controls.length <= 2) return [statements.filter((each) => !controls.includes(each))];
  const groups: SqlStatement[][] = [[]];
  for (const statement of statements) {
    if (controls.includes(statement)) groups.push([]);
    else groups.at(-1)?.push(statement);
  }
  const own = groups.filter((group) => group.some(({ words }) => !isSetting(words)));
  return own.length === 0 ? [[]] : own;
}

/** What lasts longer than its transaction, and may be repeated in the next. */
function isSetting(words: string): boolean {
  return /^(?:set (?!local\b|transaction\b|constraints\b)|reset\b)|^select (?:pg_catalog )?set_config false$/.test(
    words,
  );
}

function textsOf(
  text: string,
  statements: readonly SqlStatement[],
  groups: readonly SqlStatement[][],
): [string, ...string[]] {
  const write = (kept: (statement: SqlStatement) => boolean): string => {
    let written = "";
    let from = 0;
    for (const statement of statements) {
      const own = text.slice(statement.start, statement.end);
      written += blankOut(text.slice(from, statement.start)) + (kept(statement) ? own : blankOut(own));
      from = statement.end;
    }
    return written + blankOut(text.slice(from));
  };
  const [first = [], ...others] = groups;
  const textOf = (group: readonly SqlStatement[]): string => {
    const [begin] = group;
    const isBefore = ({ start }: SqlStatement): boolean => begin === undefined || start < begin.start;
    return write((one) => group.includes(one) || (isSetting(one.words) && isBefore(one)));
  };
  // A file that needs no change is sent as it is, comments at its end included.
  return first.length === statements.length && others.length === 0
    ? [text]
    : [textOf(first), ...others.map(textOf)];
}
