import { startScenario, type Scenario } from "../kit/scenario";
import {
  ApiError,
  ForbiddenError,
  NotFoundError,
  ResponseSchemaError,
} from "../../provider/client/errors/errors";
import type { OperationName } from "../../spec/table";
import { errorOf, faults, invoke, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const answer = (operation: OperationName, body: object): void => {
  scenario.emulator.control.addFault({ operation, status: 200, body });
};
/** A call by somebody else, which the project's logs and counts show. */
const callAuth = (): Promise<unknown> => scenario.client.getAuthConfig({ ref: projectRef });
const at = (offsetMs: number): string => new Date(scenario.clock.now() + offsetMs).toISOString();
const HOUR_MS = 3_600_000;

describe("getLogs", () => {
  interface Logs {
    readonly rows: readonly Readonly<Record<string, unknown>>[];
    readonly rowCount: number;
  }
  const read = (more: object = {}): Promise<Logs> =>
    invoke<Logs>(scenario, "getLogs", { projectRef, ...more });
  const sql =
    "select log_attributes['request.path'] as path from logs where log_attributes['request.path'] like '%/config/auth'";
  const formerSql = "select path from edge_logs where service = 'auth'";
  const row = { path: "" };
  beforeEach(() => {
    row.path = `/v1/projects/${projectRef}/config/auth`;
  });
  const asDocumented = (): void =>
    scenario.emulator.control.edit((state) => {
      state.service = "2026-06";
    });

  it("returns what a query finds in the last hour, and only there", async () => {
    await callAuth();
    scenario.clock.advance(60_000);
    expect(await read({ sql })).toEqual({ rows: [row], rowCount: 1 });
    expect((await read()).rows[0]).toMatchObject({ source: "edge_logs" });
    scenario.clock.advance(HOUR_MS);
    expect(await read({ sql })).toEqual({ rows: [], rowCount: 0 });
  });

  it("asks the older endpoint where there is no newer one, with a query of its dialect", async () => {
    asDocumented();
    await callAuth();
    scenario.clock.advance(60_000);
    expect(await read({ sql: formerSql })).toEqual({ rows: [row], rowCount: 1 });
    expect((await read()).rowCount).toBeGreaterThan(0);
    expect(scenario.calls("getLogs")).toBe(2);
  });

  it("always sends both times", async () => {
    const range = new URLSearchParams({ iso_timestamp_start: at(-HOUR_MS), iso_timestamp_end: at(0) });
    await read();
    await read({ sql });
    asDocumented();
    await read({ sql: formerSql });
    const sent = scenario.emulator.control
      .calls()
      .filter(({ path }) => path.includes("/analytics/endpoints/"))
      .map(({ sequence }) => scenario.emulator.control.exchange(sequence)?.request.path ?? "");
    expect(sent).toHaveLength(4);
    for (const path of sent) {
      const query = new URL(path, "http://localhost").searchParams;
      for (const [name, time] of range) expect(query.get(name)).toBe(time);
    }
  });

  it("asks again where the service answers a fault of its own with 200, but not for ever", async () => {
    const error = "Backend error! Retry your query.";
    answer("queryLogs", { result: null, error });
    answer("queryLogs", { result: null, error: { message: error } });
    expect((await read({ sql })).rowCount).toBe(0);
    expect(scenario.calls("queryLogs")).toBe(3);
    const wrong = await errorOf(scenario, "getLogs", { projectRef, sql: "select * from logs" });
    expect(wrong.message).toMatch(/Backend error! Retry your query.*endpoint `logs`/s);
    expect(scenario.calls("queryLogs")).toBe(6);
  });

  it("returns what it finds in a range of up to 24 hours", async () => {
    await callAuth();
    scenario.clock.advance(23 * HOUR_MS);
    expect(await read({ sql, startTime: at(-24 * HOUR_MS), endTime: at(0) })).toEqual({
      rows: [row],
      rowCount: 1,
    });
    expect(await read({ sql, startTime: at(-22 * HOUR_MS), endTime: at(0) })).toEqual({
      rows: [],
      rowCount: 0,
    });
  });

  it("refuses a range that the service would refuse, before anything is sent", () => {
    const fault = (startTime?: string, endTime?: string): string[] =>
      faults("getLogs", { projectRef, startTime, endTime });
    const [early, late] = ["2026-01-30T18:00:00Z", "2026-01-31T18:00:01Z"];
    expect(fault(early, late)).toEqual([
      `startTime: got "${early}"; the range is longer than the 24 hours that the service allows: use a \`startTime\` at most 24 hours before \`endTime\`, or read a longer range in parts`,
    ]);
    expect(fault(late, early)).toEqual([
      `endTime: got "${early}"; the range ends before it starts: use a \`startTime\` before \`endTime\``,
    ]);
    const both =
      "the range is incomplete: declare both `startTime` and `endTime`, or neither for the last hour";
    expect(fault(early)).toEqual([`endTime: required, but missing: ${both}`]);
    expect(fault(undefined, late)).toEqual([`startTime: required, but missing: ${both}`]);
    expect(fault("2026-01-30T19:00:00+01:00", "2026-01-31T18:00:00Z")).toEqual([]);
    expect(fault("yesterday", late)).toHaveLength(1);
  });

  it("is an error where the service says with 200 what is wrong, as a text or an object", async () => {
    const table = await errorOf(scenario, "getLogs", { projectRef, sql: formerSql });
    expect(table.message).toMatch(/Table "edge_logs" does not exist.*sent to the endpoint `logs`/s);
    asDocumented();
    const wrong = await errorOf(scenario, "getLogs", { projectRef, sql: "select nothing from edge_logs" });
    expect(wrong).toBeInstanceOf(ApiError);
    expect(wrong.message).toMatch(/column "nothing" does not exist.*older endpoint `logs\.all`/s);
    const refused = await errorOf(scenario, "getLogs", { projectRef, sql: "delete from edge_logs" });
    expect(refused.message).toContain('"Only a query can be run on logs');
    answer("queryLogs", { result: [], error: {} });
    expect((await errorOf(scenario, "getLogs", { projectRef })).message).toContain(
      "an error without a message",
    );
  });

  it("does not take an answer without rows for one without findings", async () => {
    answer("queryLogs", {});
    const error = await errorOf(scenario, "getLogs", { projectRef });
    expect(error).toBeInstanceOf(ResponseSchemaError);
    expect(error.message).toContain("neither a result nor an error");
    answer("queryLogs", { result: [{}, "x"] });
    expect((await errorOf(scenario, "getLogs", { projectRef })).message).toContain("row 2");
    answer("queryLogs", { result: [], error: "" });
    expect(await read()).toEqual({ rows: [], rowCount: 0 });
  });
});

describe("getMetrics", () => {
  const read = (more: object = {}) => invoke(scenario, "getMetrics", { projectRef, ...more });
  const answerText = (body: string): void => {
    scenario.emulator.control.addFault({ operation: "getMetrics", status: 200, body });
  };

  it("returns what the services measure, or the samples that are named", async () => {
    const sizes = ["node_filesystem_size_bytes", "node_filesystem_avail_bytes"];
    const { samples } = await invoke<{ samples: { value: number }[] }>(scenario, "getMetrics", {
      projectRef,
      names: sizes,
    });
    expect(samples).toMatchObject(sizes.map((name) => ({ name, labels: { mountpoint: "/data" } })));
    expect(samples[0]?.value).toBeGreaterThan(samples[1]?.value ?? Infinity);
    expect((await read())["samples"]).toContainEqual({ name: "pg_up", labels: {}, value: 1 });
  });

  it("reads labels with escapes, times, and values that are no finite number", async () => {
    answerText(
      [
        '# HELP calls_total Calls. {not="a label"} 1',
        "# TYPE calls_total counter",
        'calls_total{path="/a\\\\b \\"c\\"\\n, d=\\"e\\"",method="get",} 1.5e3 1790000000000',
        "up 1\r",
        "ratio NaN",
        'latency_bucket{le="+Inf"} +Inf',
        "__proto__ 2",
        "no sample at all",
        "node-exporter 1",
        'calls_total{method="get"}2',
        "",
      ].join("\n"),
    );
    expect((await read())["samples"]).toEqual([
      { name: "calls_total", labels: { path: '/a\\b "c"\n, d="e"', method: "get" }, value: 1500 },
      { name: "up", labels: {}, value: 1 },
      { name: "ratio", labels: {} },
      { name: "latency_bucket", labels: { le: "+Inf" } },
      { name: "__proto__", labels: {}, value: 2 },
    ]);
  });

  it("takes a page for an error, and no text for no metrics", async () => {
    answerText("<html>\n<p>maintenance</p>\n</html>");
    await expect(read()).rejects.toThrow("the answer is not in the text format of metrics");
    answerText("");
    expect(await read()).toEqual({ samples: [] });
  });

  it("says that the project is paused, that it is not there, or that the installation has no metrics", async () => {
    const error = await errorOf(scenario, "getMetrics", { projectRef: NOBODY });
    expect(error.message).toContain(`the reference ${NOBODY}`);
    const { control } = scenario.emulator;
    control.set("organizations.acme.plan", "free");
    control.edit((state) => {
      state.service = "2026-06";
    });
    expect((await errorOf(scenario, "getMetrics", { projectRef })).message).toContain(
      "This installation does not have the operation getMetrics",
    );
    control.edit((state) => {
      state.service = "current";
    });
    control.call("pauseProject", { ref: projectRef });
    scenario.clock.advance(600_000);
    expect((await errorOf(scenario, "getMetrics", { projectRef })).message).toContain(
      "No active services available",
    );
  });
});

describe("getUsage", () => {
  const read = (more: object = {}) => invoke(scenario, "getUsage", { projectRef, ...more });

  it("returns the calls by period, and the number of all", async () => {
    await callAuth();
    const found = await invoke<{ counts: { totalAuthRequests: number }[] }>(scenario, "getUsage", {
      projectRef,
      interval: "15min",
    });
    expect(found.counts).toHaveLength(15);
    expect(found.counts.at(-1)).toEqual({
      timestamp: new Date(Math.floor(scenario.clock.now() / 60_000) * 60_000).toISOString(),
      ...{ totalAuthRequests: 1, totalRealtimeRequests: 0, totalStorageRequests: 0 },
      totalRestRequests: expect.any(Number) as number,
    });
    expect(found).toHaveProperty("requestCount");
  });

  it("returns what there is, and says what is wrong with either count", async () => {
    answer("getUsageApiCounts", { result: [{ timestamp: null, total_auth_requests: 3, moon: 1 }] });
    answer("getUsageApiRequestsCount", { result: [] });
    expect(await read()).toEqual({ counts: [{ totalAuthRequests: 3 }] });
    answer("getUsageApiRequestsCount", { error: "no quota left" });
    expect((await errorOf(scenario, "getUsage", { projectRef })).message).toContain(
      'getUsageApiRequestsCount failed: the answer has an error instead of a result, "no quota left"',
    );
  });
});

describe("getFunctionStats", () => {
  const deploy = (): void => {
    const file = [{ name: "index.ts", content: Buffer.from("export {};") }];
    const body = { metadata: { entrypoint_path: "index.ts" }, file };
    scenario.emulator.control.call("deployFunction", { ref: projectRef, slug: "hello", body });
  };
  const given = (more: object = {}) => ({ projectRef, slug: "hello", interval: "15min", ...more });

  it("returns the statistics of a function, with the names of the service", async () => {
    deploy();
    scenario.emulator.control.invokeFunction(projectRef, { slug: "hello", times: 3, executionMs: 20 });
    const read = () => invoke<{ stats: object[] }>(scenario, "getFunctionStats", given());
    const [found] = await Promise.all([read(), read()]);
    expect(scenario.calls("getFunctionStats")).toBe(1);
    expect(found.stats).toHaveLength(15);
    expect(found.stats.at(-1)).toMatchObject({ requests_count: 3, success_count: 3, max_execution_time: 20 });
  });

  it("says which function or project is not there, and what a token lacks", async () => {
    deploy();
    const missing = await errorOf(scenario, "getFunctionStats", given({ slug: "hallo" }));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toContain("has no edge function hallo; it has hello");
    const nowhere = await errorOf(scenario, "getFunctionStats", given({ projectRef: NOBODY }));
    expect(nowhere.message).toContain(`the reference ${NOBODY}`);
    const { control } = scenario.emulator;
    control.addFault({ operation: "getFunctionStats", status: 403, message: "not allowed" });
    expect(await errorOf(scenario, "getFunctionStats", given())).toBeInstanceOf(ForbiddenError);
    answer("listFunctions", [{ slug: "hello" }]);
    scenario.nextRun();
    const nameless = await errorOf(scenario, "getFunctionStats", given());
    expect(nameless).toBeInstanceOf(ResponseSchemaError);
    expect(nameless.message).toContain("has no identifier of the edge function hello");
  });
});
