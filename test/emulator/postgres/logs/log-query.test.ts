import { createDatabases } from "../../../../emulator/postgres/databases/create-databases";
import { queryLogs, type Logs } from "../../../../emulator/postgres/logs/log-query";
import type { EdgeLogRow } from "../../../../emulator/postgres/logs/log-row";

// One database serves all tests, as its start takes seconds: no query leaves anything in it.
const databases = createDatabases();
afterAll(() => databases.close());

const secrets: EdgeLogRow = {
  id: "request-1",
  timestamp: "2026-01-01T00:01:00.000Z",
  event_message: "GET | 200 | /v1/projects/abc/secrets",
  service: "rest",
  method: "GET",
  path: "/v1/projects/abc/secrets",
  status_code: 200,
  operation: "listSecrets",
  identity: "user:owner",
  duration_ms: 1.5,
};
const auth: EdgeLogRow = {
  ...secrets,
  id: "request-2",
  timestamp: "2026-01-01T00:02:30.250Z",
  service: "auth",
  status_code: 500,
  operation: null,
};
const invoked = {
  id: "invocation-1",
  timestamp: "2026-01-01T00:03:00.000Z",
  event_message: "f | 200 | 12 ms",
  function_id: "f",
  status_code: 200,
  execution_time_ms: 12,
};
const logs: Logs = { edge: [auth, secrets], functions: [invoked] };
const run = (sql: string, over = logs): ReturnType<typeof queryLogs> => queryLogs(databases, over, sql);
const rows = async (sql: string, over?: Logs): Promise<unknown> => (await run(sql, over)).result;

describe("SQL over logs", () => {
  it("counts, groups and filters calls", async () => {
    expect(await run("select status_code, count(*) as calls from edge_logs group by 1 order by 1")).toEqual({
      result: [
        { status_code: 200, calls: 1 },
        { status_code: 500, calls: 1 },
      ],
    });
    expect(
      await rows("with e as (select * from edge_logs) select id from e where path like '%secrets'"),
    ).toEqual([{ id: "request-2" }, { id: "request-1" }]);
  });

  it("gives whole rows as they are logged", async () => {
    expect(await rows("(table edge_logs)")).toEqual([auth, secrets]);
    expect(await rows("select * from function_edge_logs")).toEqual([invoked]);
    expect(await rows("select id from auth_logs union all select id from rest_logs")).toEqual([
      { id: "request-2" },
      { id: "request-1" },
    ]);
  });

  it("computes with times, and gives them in ISO 8601", async () => {
    const sql =
      "-- when?\n/* by hour */ select max(timestamp) as last, date_trunc('hour', min(timestamp)) as hour from edge_logs";
    expect(await rows(sql)).toEqual([{ last: auth.timestamp, hour: "2026-01-01T00:00:00.000Z" }]);
  });

  it("sees only what it is given", async () => {
    expect(await rows("select * from edge_logs", { edge: [], functions: [] })).toEqual([]);
    expect(await rows("select id from edge_logs", { ...logs, edge: [secrets] })).toEqual([
      { id: "request-1" },
    ]);
  });

  it("tells in the answer what is wrong with it", async () => {
    expect(await run("select nothing from edge_logs")).toEqual({
      result: [],
      error: {
        code: 400,
        message: 'column "nothing" does not exist',
        status: "INVALID_ARGUMENT",
        errors: [expect.objectContaining({ location: "query, character 8", reason: "invalidQuery 42703" })],
      },
    });
    expect(await run("select 1; select 2")).toMatchObject({ result: [], error: { code: 400 } });
  });

  it("changes nothing", async () => {
    for (const sql of ["create table kept (id int)", "commit", "", "delete from edge_logs"]) {
      const error = "Only a query can be run on logs: it begins with SELECT, WITH, VALUES or TABLE";
      expect(await run(sql)).toEqual({ result: [], error });
    }
    expect(await run("with x as (select 1) select * into kept from x")).toMatchObject({
      error: { message: "cannot execute SELECT INTO in a read-only transaction" },
    });
    expect(await rows("with x as (delete from edge_logs returning id) select count(*) as n from x")).toEqual([
      { n: 2 },
    ]);
    expect(await rows("select count(*) as n from edge_logs")).toEqual([{ n: 2 }]);
  });
});
