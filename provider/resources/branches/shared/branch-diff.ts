import { splitScript, type SqlStatement } from "../../database/shared/sql";

/** Statements that the service puts into every difference, of equal schemas too (service, Branches). */
const CONSTANT = [
  /^create extension if not exists "?pg_net"? with schema "?extensions"?$/i,
  /^create trigger tr_check_filters before insert or update on realtime\.subscription\b[^;]*$/i,
];

/** What a difference says of this branch: its text without the constant statements. */
export function omitConstantStatements(diff: string): string {
  // The service's own console takes an object in place of a text for no difference.
  if (diff.trim() === "{}") return "";
  const constant = splitScript(diff).filter(isConstant);
  return constant
    .reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), diff)
    .replace(/^\s*\n/, "");
}

/** Its statements without the constant ones. */
export function readDifference(diff: string): SqlStatement[] {
  return splitScript(omitConstantStatements(diff));
}

/** A statement as it stands there, without the comments and blanks before it. */
export function trimStatement({ text }: Pick<SqlStatement, "text">): string {
  return text.replace(/^(?:\s+|--[^\n]*(?:\n|$))+/, "").trim();
}

function isConstant(statement: SqlStatement): boolean {
  const text = trimStatement(statement).replaceAll(/\s+/g, " ");
  return statement.isWhole && CONSTANT.some((constant) => constant.test(text));
}
