import type { OperationAnswer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import { DatabaseError, type DatabaseFault } from "../sql/database-error";
import type { Database, Databases } from "../databases/databases";
import type { EdgeLogRow, FunctionLogRow, LogRow } from "./log-row";

type LogAnswer = OperationAnswer<Operations["getLogs"]>;

export interface Logs {
  readonly edge: readonly EdgeLogRow[];
  readonly functions: readonly FunctionLogRow[];
}

/** Beside the projects' databases, under a name that is no ref; it is empty between two queries. */
const DATABASE = "analytics";

/** The log sources that a query can name; they are gone with the session. */
const tables = `
  create temp table edge_logs (
    id text, timestamp timestamptz, event_message text, service text, method text, path text,
    status_code int, operation text, identity text, duration_ms float8
  );
  create temp table function_edge_logs (
    id text, timestamp timestamptz, event_message text, function_id text, status_code int, execution_time_ms float8
  );
  create temp view auth_logs as select * from edge_logs where service = 'auth';
  create temp view realtime_logs as select * from edge_logs where service = 'realtime';
  create temp view rest_logs as select * from edge_logs where service = 'rest';
  create temp view storage_logs as select * from edge_logs where service = 'storage';`;

/** Runs a query on logs; what is wrong with it is in the answer (service, Analytics). */
export async function queryLogs(databases: Databases, logs: Logs, sql: string): Promise<LogAnswer> {
  if (!isQuery(sql)) {
    return {
      result: [],
      error: "Only a query can be run on logs: it begins with SELECT, WITH, VALUES or TABLE",
    };
  }
  const write = async (database: Database): Promise<void> => {
    await database.exec(tables);
    await fill(database, "edge_logs", logs.edge);
    await fill(database, "function_edge_logs", logs.functions);
  };
  try {
    return { result: await databases.use(DATABASE, (database) => rowsOf(database, write, sql)) };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return { result: [], error: answerFor(error.fault) };
  }
}

function isQuery(sql: string): boolean {
  return /^(?:select|with|values|table)\b/i.test(withoutComments(sql));
}

function withoutComments(sql: string): string {
  return sql.replace(/^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)+/, "");
}

/** The one table of the current service: a value of its map is a text, and `log_attributes['key']` looks it up. */
const currentTable = `
  create extension if not exists hstore;
  create temp table logs (
    id text, source text, timestamp timestamptz, event_message text, severity_text text, log_attributes hstore
  );`;

/** What the current service says of nearly everything that is wrong, the query included (service, Analytics). */
export const BACKEND_ERROR = "Backend error! Retry your query.";

/**
 * The same on the current service, whose dialect is another one: of it, there is what Postgres understands as well. All columns
 * cannot be asked for with `*`.
 */
export async function queryCurrentLogs(
  databases: Databases,
  rows: readonly LogRow[],
  sql: string,
): Promise<OperationAnswer<Operations["queryLogs"]>> {
  if (!isQuery(sql) || /\bselect\s+\*/i.test(sql)) return { result: null, error: BACKEND_ERROR };
  const write = async (database: Database): Promise<void> => {
    await database.exec(currentTable);
    await database.query(
      `insert into logs select id, source, timestamp, event_message, severity_text,
         (select hstore(array_agg(key), array_agg(value)) from json_each_text(attributes))
       from json_to_recordset($1::json)
         as row (id text, source text, timestamp timestamptz, event_message text, severity_text text, attributes json)`,
      [JSON.stringify(rows.map(({ log_attributes: attributes, ...row }) => ({ ...row, attributes })))],
    );
  };
  try {
    return { result: await databases.use(DATABASE, (database) => rowsOf(database, write, sql)) };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return { result: null, error: currentTextOf(error.fault) };
  }
}

function currentTextOf({ code, message }: DatabaseFault): string {
  const [, name = ""] = /"([^"]+)"/.exec(message) ?? [];
  if (code === "42703") return `Field "${name}" does not exist`;
  return code === "42P01" ? `Table "${name}" does not exist.` : BACKEND_ERROR;
}

function rowsOf(
  database: Database,
  write: (database: Database) => Promise<void>,
  sql: string,
): Promise<unknown[]> {
  return database.transaction(async () => {
    await write(database);
    await database.exec("set transaction read only");
    const { rows, fields } = await database.query(sql);
    const times = fields.filter(({ dataTypeID }) => dataTypeID === TIMESTAMPTZ).map(({ name }) => name);
    return rows.map((row) => withIsoTimes(row, times));
  });
}

async function fill(database: Database, table: string, rows: readonly object[]): Promise<void> {
  await database.query(
    `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

/** The type that log sources have times of. */
const TIMESTAMPTZ = 1184;

function withIsoTimes(row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const times = names.flatMap((name): [string, string][] => {
    const value = row[name];
    // Postgres writes a space for the T, and an offset in whole hours.
    const time =
      typeof value === "string" ? Date.parse(value.replace(" ", "T").replace(/[+-]\d\d$/, "$&:00")) : NaN;
    return Number.isNaN(time) ? [] : [[name, new Date(time).toISOString()]];
  });
  return { ...row, ...Object.fromEntries(times) };
}

function answerFor({ message, code, position }: DatabaseFault): LogAnswer["error"] {
  const location = position === undefined ? "query" : `query, character ${position}`;
  return {
    code: 400,
    errors: [
      { domain: "global", location, locationType: "parameter", message, reason: `invalidQuery ${code}` },
    ],
    message,
    status: "INVALID_ARGUMENT",
  };
}
