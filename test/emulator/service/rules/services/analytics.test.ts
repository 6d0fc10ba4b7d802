import type { CallRecord } from "../../../../../emulator";
import { invokeFunction } from "../../../../../emulator/service/rules/functions/function-invocations";
import { createRulesWorld, START, type RulesWorld } from "../rules-world";

const MINUTE_MS = 60_000;
const at = (minutes: number): string => new Date(START + minutes * MINUTE_MS).toISOString();

describe("the logs of a project", () => {
  let service: RulesWorld;
  let ref: string;
  let calls = 0;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    ref = service.healthyProject();
    calls = 0;
  });

  /** A call that was made some minutes after the start. */
  function logCall(minutes: number, path = `/v1/projects/${ref}/secrets`, status = 200): void {
    calls += 1;
    const call: CallRecord = {
      sequence: calls,
      at: START + minutes * MINUTE_MS,
      requestId: `request-${calls}`,
      method: "GET",
      path,
      operation: "listSecrets",
      status,
      scopeKey: `project:${path.split("/")[3] ?? ""}`,
      identity: "user:owner",
      durationMs: 1.5,
      faulted: false,
    };
    service.log.add(call);
  }
  function moveTo(minutes: number): void {
    service.advance(minutes * 60 - (service.world.clock.now() - START) / 1_000);
  }
  const logs = async (
    query: { iso_timestamp_start?: string; iso_timestamp_end?: string; sql?: string } = {},
  ) => {
    const { result = [], error } = await service.call("getLogs", { ref, ...query });
    // Rows of a log source are objects, whatever their columns.
    return { rows: result as Record<string, unknown>[], error };
  };
  const idsOf = async (query: Parameters<typeof logs>[0]): Promise<unknown[]> =>
    (await logs(query)).rows.map(({ id }) => id);

  it("show the edge's calls of the last minute by themselves, newest first", async () => {
    logCall(8.9);
    logCall(9.5);
    logCall(10, `/v1/projects/${ref}/config/auth`, 404);
    moveTo(10);
    expect(await logs()).toEqual({
      rows: [
        {
          id: "request-3",
          timestamp: at(10),
          event_message: `GET | 404 | /v1/projects/${ref}/config/auth`,
          service: "auth",
          method: "GET",
          path: `/v1/projects/${ref}/config/auth`,
          status_code: 404,
          operation: "listSecrets",
          identity: "user:owner",
          duration_ms: 1.5,
        },
        expect.objectContaining({ id: "request-2", service: "rest" }),
      ],
      error: undefined,
    });
  });

  it("show a range that is rounded to the nearest minute", async () => {
    for (const minutes of [1, 2, 3, 4]) logCall(minutes);
    moveTo(60);
    expect(await idsOf({ iso_timestamp_start: at(1.6), iso_timestamp_end: at(3.4) })).toEqual([
      "request-3",
      "request-2",
    ]);
    expect(await idsOf({ iso_timestamp_start: at(1.4), iso_timestamp_end: at(3.6) })).toHaveLength(4);
  });

  it("are refused with one timestamp, with two the wrong way round, and over more than 24 hours", async () => {
    const refusal = (query: Parameters<typeof logs>[0]): Promise<string> =>
      service.lateRefusal("getLogs", { ref, ...query });
    expect(await refusal({ iso_timestamp_start: at(0) })).toMatch(/^400 .*given together/);
    expect(await refusal({ iso_timestamp_end: at(0) })).toMatch(/^400 .*given together/);
    expect(await refusal({ iso_timestamp_start: at(2), iso_timestamp_end: at(1) })).toMatch(/^400 .*after/);
    const day = 24 * 60;
    expect(await refusal({ iso_timestamp_start: at(0), iso_timestamp_end: at(day + 1) })).toMatch(
      /^400 .*at most 24 hours/,
    );
    expect((await logs({ iso_timestamp_start: at(0), iso_timestamp_end: at(day + 0.4) })).rows).toEqual([]);
    expect(await service.lateRefusal("getLogs", { ref: "zzzzzzzzzzzzzzzzzzzz" })).toBe(
      "404 Project not found",
    );
  });

  it("are gone at their former address, as measured", async () => {
    service.world.state.service = "current";
    expect(await service.lateRefusal("getLogs", { ref })).toBe("410 Gone");
  });

  describe("in one table", () => {
    const query = async (sql: string, from = at(0), to = at(20)) =>
      service.call("queryLogs", { ref, sql, iso_timestamp_start: from, iso_timestamp_end: to });
    beforeEach(() => {
      service.world.state.service = "current";
      logCall(8.9);
      logCall(10, `/v1/projects/${ref}/config/auth`, 404);
      moveTo(11);
    });

    it("are found by their source and their attributes", async () => {
      const sql = `select timestamp, event_message, log_attributes['response.status_code'] as status
        from logs where source = 'edge_logs' and log_attributes['request.path'] like '%/config/auth'`;
      expect(await query(sql)).toEqual({
        result: [
          {
            timestamp: at(10),
            event_message: `GET | 404 | /v1/projects/${ref}/config/auth`,
            status: "404",
          },
        ],
      });
    });

    it("are there five seconds after their event", async () => {
      const count = "select count(*) as n from logs";
      logCall(11);
      expect(await query(count)).toEqual({ result: [{ n: 2 }] });
      service.advance(5);
      expect(await query(count)).toEqual({ result: [{ n: 3 }] });
    });

    it.each([
      ["select source_name from logs", 'Field "source_name" does not exist'],
      ["select path from edge_logs", 'Table "edge_logs" does not exist.'],
      ["select * from logs", "Backend error! Retry your query."],
      ["select 1 +", "Backend error! Retry your query."],
      ["delete from logs", "Backend error! Retry your query."],
    ])("say with 200 what is wrong with %s", async (sql, error) => {
      expect(await query(sql)).toEqual({ result: null, error });
    });

    it("say only that something is wrong without both times", async () => {
      const error = "Backend error! Retry your query.";
      for (const given of [{}, { iso_timestamp_start: at(0) }, { iso_timestamp_end: at(1) }])
        expect(await service.call("queryLogs", { ref, ...given })).toEqual({ result: null, error });
    });

    it("have the functions' own source", async () => {
      const { id } = service.call("createFunction", {
        ref,
        body: { slug: "greet", name: "Greet", body: "Deno.serve()" },
      });
      invokeFunction(service.world, ref, { slug: "greet" });
      service.advance(5);
      expect(
        await query(
          "select log_attributes['function_id'] as id from logs where source = 'function_edge_logs'",
        ),
      ).toEqual({ result: [{ id }] });
    });
  });

  describe("as counts", () => {
    const paths = [
      "secrets",
      "config/auth",
      "config/auth/signing-keys",
      "storage/buckets",
      "config/realtime",
    ];

    it.each([
      ["15min", 15],
      ["30min", 30],
      ["1hr", 60],
      ["3hr", 36],
      ["1day", 24],
      ["3day", 72],
      ["7day", 28],
      [undefined, 24],
    ] as const)("over %s fill %p parts, the last of which is now", (interval, parts) => {
      moveTo(7 * 24 * 60 + 7);
      for (const path of paths) logCall(7 * 24 * 60 + 7, `/v1/projects/${ref}/${path}`);
      const { result = [] } = service.call("getUsageApiCounts", { ref, ...(interval && { interval }) });
      expect(result).toHaveLength(parts);
      expect(result.at(-1)).toMatchObject({
        total_auth_requests: 2,
        total_realtime_requests: 1,
        total_rest_requests: 1,
        total_storage_requests: 1,
      });
      expect(result.at(-2)).toMatchObject({ total_auth_requests: 0, total_rest_requests: 0 });
      const times = result.map(({ timestamp }) => timestamp);
      expect(times.toSorted()).toEqual(times);
    });

    it("say how many requests there were within a day", () => {
      logCall(0);
      logCall(60);
      moveTo(24 * 60 + 30);
      expect(service.call("getUsageApiRequestsCount", { ref })).toEqual({ result: [{ count: 1 }] });
    });
  });
});

describe("the statistics of an edge function", () => {
  it("count what was invoked, by outcome and time", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject();
    const body = { slug: "hello", name: "hello", body: "code" };
    const { id } = service.call("createFunction", { ref, body });
    const invoke = (statusCode: number | undefined, executionMs: number, times = 1): void => {
      invokeFunction(service.world, ref, {
        slug: "hello",
        executionMs,
        times,
        ...(statusCode && { statusCode }),
      });
    };
    const stats = (interval: "15min" | "1day" = "15min") =>
      service.call("getFunctionStats", { ref, interval, function_id: id }).result ?? [];
    invoke(undefined, 10, 3);
    invoke(302, 10);
    service.advance(60);
    invoke(500, 100);
    const record = service.projectRecord(ref).functions.get("hello");
    if (record) record.status = "THROTTLED";
    invoke(undefined, 20);
    expect(stats()).toHaveLength(15);
    expect(stats().slice(-2)).toEqual([
      expect.objectContaining({
        requests_count: 4,
        success_count: 3,
        redirect_count: 1,
        avg_execution_time: 10,
      }),
      {
        timestamp: new Date(Math.floor(service.world.clock.now() / MINUTE_MS) * MINUTE_MS).toISOString(),
        requests_count: 2,
        success_count: 0,
        redirect_count: 0,
        client_err_count: 1,
        server_err_count: 1,
        avg_execution_time: 60,
        max_execution_time: 100,
      },
    ]);
    expect(stats("1day").at(-1)).toMatchObject({ requests_count: 6 });
    service.call("deleteFunction", { ref, function_slug: "hello" });
    expect(stats("1day").at(-1)).toMatchObject({ requests_count: 6 });
    expect(service.refusal("getFunctionStats", { ref, interval: "1hr", function_id: "other" })).toBe(
      "404 Function not found",
    );
  });
});
