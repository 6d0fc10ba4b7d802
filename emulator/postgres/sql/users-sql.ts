import { locateStatements, tokensOf } from "./split-statements";
import { DatabaseError } from "./database-error";

/** How a user's SQL is run where the service makes an exception from what Postgres allows. */
interface UsersSql {
  readonly text: string;
  /** The service runs such a statement for its user though Postgres wants a superuser. */
  readonly needsSuperuser: boolean;
}

/** A script with a statement that the service allows runs as a whole without the refusals that Postgres has for everyone but superusers. */
export function asTheServiceRunsIt(sql: string): UsersSql {
  const needsSuperuser = locateStatements(sql).some(isForSuperusers);
  if (needsSuperuser) refuseOutside(sql);
  return { text: withoutSchemaOfCron(sql), needsSuperuser };
}

/** How such a statement begins, and what comes later in it, in words without comments, texts and quoted names. */
const FOR_SUPERUSERS: readonly (readonly [begin: string, later?: RegExp])[] = [
  ["(?:create|alter|drop|comment on) event trigger\\b"],
  ["(?:create|alter) publication\\b", / (?:all tables|tables in schema)\b/],
  ["(?:create|alter) foreign data wrapper\\b"],
  ["alter extension\\b", / set schema\b/],
  ["alter (?:role|user) ", / set (?:\w+|"") ?\./],
];

interface WrittenStatement {
  readonly text: string;
  readonly words: readonly string[];
}

/** A block runs the statements that stand in it; a function that is created runs none. */
function isForSuperusers({ text, words: [first = ""] }: WrittenStatement): boolean {
  if (first === "do")
    return bodiesOf(text).some((body) => body.split(";").some((each) => hasOne(each, "\\b")));
  return /^(?:create|alter|drop|comment)$/.test(first) && hasOne(bareWords(text), "^");
}

function hasOne(words: string, place: "^" | "\\b"): boolean {
  return FOR_SUPERUSERS.some(([begin, later]) => {
    const at = words.search(new RegExp(`${place}${begin}`));
    return at !== -1 && (later === undefined || later.test(words.slice(at)));
  });
}

/** The bodies of a block, in which a text is code where it is executed. */
function bodiesOf(block: string): string[] {
  return [...tokensOf(block)].flatMap(({ kind, text }) => {
    const isBody = kind === "dollar" || (kind === "string" && !text.startsWith('"'));
    return isBody ? [bareWords(contentOf(text), { isBlock: true })] : [];
  });
}

function bareWords(sql: string, { isBlock = false } = {}): string {
  const words: string[] = [];
  for (const { kind, text } of tokensOf(sql)) {
    if (kind === "space" || kind === "comment") continue;
    if (kind === "word" || kind === "other") words.push(text.toLowerCase());
    else if (text.startsWith('"')) words.push('""');
    else if (isBlock && /\bexecute(?: format \()?$/.test(words.slice(-3).join(" ")))
      words.push(bareWords(contentOf(text)));
    else words.push("''");
  }
  return words.join(" ");
}

/** What stands between the quotes. */
function contentOf(literal: string): string {
  return literal.startsWith("$")
    ? literal.replace(/^\$[^$]*\$|\$[^$]*\$$/g, "")
    : literal.replace(/^[eE]?'|'$/g, "").replaceAll("''", "'");
}

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
  const statements = locateStatements(sql);
  if (!statements.some(isForSuperusers)) return undefined;
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
