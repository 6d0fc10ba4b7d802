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

/** pg_cron is for a whole server: the service ignores the schema that a script gives it, even one that is not there. */
function withoutSchemaOfCron(sql: string): string {
  return sql.replaceAll(
    /(\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?"?pg_cron"?\s+)((?:with\s+)?schema\s+(?:"[^"]*"|\w+))/gi,
    // Of the same length, so that the places of faults stay.
    (_, before: string, schema: string) => before + " ".repeat(schema.length),
  );
}
