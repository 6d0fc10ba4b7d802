import { splitScript, type SqlStatement } from "../../database/shared/sql";

/** Statements that the service puts into every difference, of equal schemas too (service, Branches). */
const CONSTANT = [
  /^create extension if not exists "?pg_net"? with schema "?extensions"?$/i,
  /^create trigger tr_check_filters before insert or update on realtime\.subscription\b[^;]*$/i,
];

/** What a difference says of this branch: its statements without the constant ones. */
export function readDifference(diff: string): SqlStatement[] {
  // The service's own console takes an object in place of a text for no difference.
  if (diff.trim() === "{}") return [];
  return splitScript(diff).filter((statement) => !isConstant(statement));
}

/** A statement as it stands there, without the comments and blanks before it. */
export function trimStatement({ text }: Pick<SqlStatement, "text">): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$))+/, "").trim();
}

function isConstant(statement: SqlStatement): boolean {
  const text = trimStatement(statement).replaceAll(/\s+/g, " ");
  return statement.isWhole && CONSTANT.some((constant) => constant.test(text));
}
