import { locateStatements } from "../../sql-migrations/split-statements";
import { DatabaseError } from "../database-error";

/** How a user's SQL is run where the service makes an exception from what Postgres allows. */
interface UsersSql {
  readonly text: string;
  /** The service runs such a statement for its user though Postgres wants a superuser. */
  readonly needsSuperuser: boolean;
}

/**
 * Looks at the text alone, as these statements also stand in functions and blocks: a script with one of them runs as a whole
 * without the refusals that Postgres has for everyone but superusers.
 */
export function asTheServiceRunsIt(sql: string): UsersSql {
  const needsSuperuser = FOR_SUPERUSERS.some((pattern) => pattern.test(sql));
  if (needsSuperuser) refuseOutside(sql);
  return { text: withoutSchemaOfCron(sql), needsSuperuser };
}

const FOR_SUPERUSERS = [
  /\bevent\s+trigger\b/i,
  /\bpublication\b[^;]*\b(?:all\s+tables|tables\s+in\s+schema)\b/i,
  /\b(?:create|alter)\s+foreign\s+data\s+wrapper\b/i,
  /\balter\s+extension\b[^;]*\bset\s+schema\b/i,
  /\balter\s+(?:role|user)\s[^;]*\bset\s+"?\w+"?\./i,
];

/** A statement of a script, and where it begins there. */
interface ScriptPart {
  readonly text: string;
  readonly start: number;
}

/**
 * The statements of a script of which some need a superuser, to be run each by itself: the others are refused what the service's
 * user is refused. Undefined where no other one is there, or where statements depend on each other's transaction or role.
 */
export function splitForSuperuser(sql: string): readonly ScriptPart[] | undefined {
  if (!FOR_SUPERUSERS.some((pattern) => pattern.test(sql))) return undefined;
  const statements = locateStatements(sql);
  return statements.length < 2 || statements.some(({ words }) => BINDS_OTHERS.test(words.join(" ")))
    ? undefined
    : statements;
}

const BINDS_OTHERS =
  /^(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare|reset (?:role|session)|set (?:session |local )?(?:role|authorization))\b/;

/** What reaches beyond the database breaks the embedded Postgres, and is refused to users of the service as well. */
function refuseOutside(sql: string): void {
  if (/\bcopy\b[^;]*\b(?:to|from)\s+program\s*(?:[eu]&?)?['$]/i.test(sql)) {
    throw refusal(
      "permission denied to COPY to or from an external program",
      'Only roles with privileges of the "pg_execute_server_program" role may COPY to or from an external program.',
    );
  }
  if (/\bcreate\s+tablespace\b[^;]*\blocation\s*'/i.test(sql)) {
    throw refusal("permission denied to create tablespace", "Must be superuser to create a tablespace.");
  }
}

const refusal = (message: string, hint: string): DatabaseError =>
  new DatabaseError({
    message,
    code: "42501",
    severity: "ERROR",
    detail: undefined,
    hint,
    position: undefined,
  });

const SCHEMA_OF_CRON =
  /(\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?"?pg_cron"?\s+)((?:with\s+)?schema\s+(?:"[^"]*"|\w+))/gi;

/**
 * pg_cron is for a whole server: the service ignores the schema that a script gives it, even one that is not there. What only
 * names it, as a literal or a body, stays.
 */
function withoutSchemaOfCron(sql: string): string {
  if (sql.search(SCHEMA_OF_CRON) === -1) return sql;
  return locateStatements(sql)
    .filter(({ words }) => words[0] === "create" && words[1] === "extension")
    .reduce((script, { text, start }) => {
      // Of the same length, so that the places of faults stay.
      const blanked = text.replaceAll(
        SCHEMA_OF_CRON,
        (_, before: string, schema: string) => before + " ".repeat(schema.length),
      );
      return script.slice(0, start) + blanked + script.slice(start + text.length);
    }, sql);
}
