import { splitScript, type SqlStatement } from "../../database/shared/sql";

/** Statements that the service puts into every difference, of equal schemas too (service, Branches). */
const CONSTANT = [
  /^create extension if not exists "?pg_net"? with schema "?extensions"?$/i,
  /^create trigger tr_check_filters before insert or update on realtime\.subscription\b[^;]*$/i,
];

/** What a difference says of this branch. */
interface BranchDifference {
  /** Its text without the constant statements. */
  readonly sql: string;
  /** The statements of that text. */
  readonly statements: readonly SqlStatement[];
}

export function readDifference(diff: string): BranchDifference {
  // The service's own console takes an object in place of a text for no difference.
  if (diff.trim() === "{}") return { sql: "", statements: [] };
  const sql = splitScript(diff)
    .filter(isConstant)
    .reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), diff)
    .replace(/^\s*\n/, "");
  return { sql, statements: splitScript(sql) };
}

/** A statement as it stands there, without the comments and blanks before it. */
export function trimStatement({ text }: Pick<SqlStatement, "text">): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$))+/, "").trim();
}

function isConstant(statement: SqlStatement): boolean {
  const text = trimStatement(statement).replaceAll(/\s+/g, " ");
  return statement.isWhole && CONSTANT.some((constant) => constant.test(text));
}
