import type { Answer } from "../../spec/operation";
import type { Operations } from "../../spec/table";
import { DatabaseError, type DatabaseFault } from "../sql/database-error";
import type { Database, Databases } from "../sql/databases";
import type { EdgeLogRow, FunctionLogRow } from "./log-rows";

type LogAnswer = Answer<Operations["getLogs"]>;

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
  if (!/^(?:select|with|values|table)\b/i.test(withoutComments(sql))) {
    return {
      result: [],
      error: "Only a query can be run on logs: it begins with SELECT, WITH, VALUES or TABLE",
    };
  }
  try {
    return { result: await databases.use(DATABASE, (database) => rowsOf(database, logs, sql)) };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return { result: [], error: answerFor(error.fault) };
  }
}

function withoutComments(sql: string): string {
  return sql.replace(/^(?:\s|\(|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)+/, "");
}

function rowsOf(database: Database, logs: Logs, sql: string): Promise<unknown[]> {
  return database.transaction(async () => {
    await database.exec(tables);
    await fill(database, "edge_logs", logs.edge);
    await fill(database, "function_edge_logs", logs.functions);
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
