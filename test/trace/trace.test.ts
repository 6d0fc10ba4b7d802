import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { createProcessRuntime } from "../../provider/process/process-runtime";
import { createStepContext } from "../../provider/engine/step/runtime";
import { resourceByType } from "../../provider/catalog/catalog";
import { renderTimeline } from "../../trace/timeline";
import { readTrace, summarize, type TraceLine } from "../../trace/trace";
import { HOSTILE_TEXTS, UNSEEN } from "../kit/hostile-texts";

const folder = mkdtempSync(join(tmpdir(), "management-trace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a traced process", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ pace: 0 });
  });
  afterAll(() => emulator.close());

  /** Makes a secret in a new project, in a process that traces to `path`; what it warned of. */
  async function makeSecret(path: string): Promise<string[]> {
    const { ref } = emulator.control.call("createProject", {
      body: { name: "app", organization_slug: "acme", db_pass: "initial-password" },
    });
    const lines: string[] = [];
    const process = createProcessRuntime(
      {
        MANAGEMENT_BASE_URL: emulator.url,
        MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
        MANAGEMENT_TRACE: path,
        HOME: folder,
      },
      ({ message }) => {
        lines.push(message);
        return Promise.resolve();
      },
    );
    const runtime = process.runtime();
    const inputs = { projectRef: ref, name: "TOKEN", value: "a value that is secret" };
    const { api } = createStepContext(runtime, resourceByType("Secret"), "create", inputs);
    await api.createSecrets({ ref, body: [{ name: "TOKEN", value: inputs.value }] });
    await expect(api.getProject({ ref: "zzzzzzzzzzzzzzzzzzzz" })).rejects.toThrow();
    await runtime.client().close();
    return lines;
  }

  it("writes a line for each request, with neither a body nor a secret, for the user alone", async () => {
    const path = join(folder, "run.jsonl");
    expect(await makeSecret(path)).toEqual([]);
    expect(readTrace(path)).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/) as unknown,
        process: process.pid,
        operation: "createSecrets",
        resource: "Secret TOKEN",
        attempt: 1,
        waitedMs: expect.any(Number) as unknown,
        durationMs: expect.any(Number) as unknown,
        status: 201,
        requestId: expect.any(String) as unknown,
      },
      expect.objectContaining({ operation: "getProject", status: 404 }),
    ]);
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain("a value that is secret");
    expect(text).not.toContain(emulator.accessToken);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("goes on with a warning where the file cannot be written", async () => {
    const path = join(folder, "no-such-folder", "run.jsonl");
    expect(await makeSecret(path)).toEqual([
      expect.stringContaining(`The trace cannot be written to ${path}, which MANAGEMENT_TRACE names: ENOENT`),
    ]);
  });
});

const line = (given: Partial<TraceLine>): TraceLine => ({
  at: "2026-01-01T00:00:00.000Z",
  process: 1,
  operation: "getProject",
  attempt: 1,
  waitedMs: 0,
  durationMs: 100,
  status: 200,
  ...given,
});

const REQUESTS = [
  line({ resource: "ApiKey <backend>", operation: "createApiKey", status: 201 }),
  line({
    at: "2026-01-01T00:00:01.000Z",
    resource: "Secret TOKEN",
    operation: "createSecrets",
    waitedMs: 500,
    durationMs: 2_000,
    status: 503,
  }),
  line({
    at: "2026-01-01T00:00:04.000Z",
    resource: "Secret TOKEN",
    operation: "createSecrets",
    attempt: 2,
    status: undefined,
    failure: "the connection was closed",
    requestId: "req-1",
  }),
];

it("a summary says what the requests cost, waited for and ended in", () => {
  expect(summarize(REQUESTS)).toBe(`3 requests in 4.10 s
  1 request waited for the rate limit, 0.50 s in all
  1 request repeated an earlier one
  2 requests failed: 1 × 503, 1 × the connection was closed
Longest waits for the rate limit:
    0.50 s  createSecrets  Secret TOKEN
Longest requests:
    2.00 s  createSecrets  Secret TOKEN
    0.10 s  createApiKey  ApiKey <backend>
    0.10 s  createSecrets  Secret TOKEN
`);
});

it("a timeline has a bar for each request and each wait at its place, and no markup of the trace's own", () => {
  const page = renderTimeline(REQUESTS, summarize(REQUESTS));
  expect(page).toContain("ApiKey &lt;backend&gt;");
  expect(page).not.toContain("<backend>");
  expect(page).toContain('<i class="wait" style="left:12.195%;width:max(2px,12.195%)"></i>');
  expect(page).toContain('<i class="failed" style="left:24.390%;width:max(2px,48.780%)"></i>');
  expect(page).toContain("createSecrets (attempt 2)");
  expect(page).toContain('title="Request id req-1"');
});

describe("management-trace", () => {
  const run = (...args: string[]): { code: number; out: string; err: string } => {
    try {
      const cli = join(__dirname, "..", "..", "dist", "trace", "cli.js");
      return {
        code: 0,
        out: execFileSync(process.execPath, [cli, ...args], { encoding: "utf8", stdio: "pipe" }),
        err: "",
      };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { code: status, out: stdout, err: stderr };
    }
  };
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const text = REQUESTS.map((request) => `${JSON.stringify(request)}\n`).join("");

  it("prints the summary and writes the timeline", () => {
    const html = join(folder, "timeline.html");
    expect(run(write("whole.jsonl", text), "--html", html)).toEqual({
      code: 0,
      out: summarize(REQUESTS),
      err: "",
    });
    expect(readFileSync(html, "utf8")).toBe(renderTimeline(REQUESTS, summarize(REQUESTS)));
  });

  it("reads what a killed process has left", () => {
    expect(run(write("cut.jsonl", text.slice(0, -20))).out).toContain("2 requests in");
  });

  it.each([
    [
      "another file",
      write("other.jsonl", `{"a":1}\n${text}`),
      /Line 1 of .* is not a line of a trace\. Pass the file/,
    ],
    [
      "an empty file",
      write("empty.jsonl", "\n"),
      /is empty: the run that MANAGEMENT_TRACE recorded made no calls/,
    ],
    ["no file", join(folder, "none.jsonl"), /The trace cannot be read: ENOENT/],
  ])("says what is wrong with %s", (_what, path, message) => {
    expect(run(path)).toEqual({ code: 1, out: "", err: expect.stringMatching(message) as unknown });
  });
});

describe("texts of others in a trace", () => {
  const lineOf = (text: string, index: number): string =>
    JSON.stringify({
      ...{ at: new Date(index).toISOString(), process: 1, attempt: 1, waitedMs: 20, durationMs: index },
      ...{ operation: text, resource: text, failure: text, requestId: text },
    });
  const tagsOf = (page: string): string[] =>
    page.match(/<[^>]*>/g)?.map((tag) => tag.replace(/title=".*"/, "")) ?? [];
  const traceOf = (texts: readonly string[]): TraceLine[] => {
    const path = join(folder, "texts.jsonl");
    writeFileSync(path, texts.map(lineOf).join("\n"));
    return readTrace(path);
  };

  it("begin no line, no element and no sequence of a terminal", () => {
    for (const text of Object.values(HOSTILE_TEXTS)) {
      const requests = traceOf([text, text]);
      const plain = traceOf(["plain", "plain"]);
      const [summary, page] = [summarize(requests), renderTimeline(requests, summarize(requests))];
      expect(summary).not.toMatch(UNSEEN);
      expect(page).not.toMatch(UNSEEN);
      expect(summary.split("\n")).toHaveLength(summarize(plain).split("\n").length);
      expect(tagsOf(page)).toEqual(tagsOf(renderTimeline(plain, summarize(plain))));
    }
  });

  it("may be of any number", () => {
    const [request] = traceOf(["plain"]);
    const requests = Array.from({ length: 150_000 }, () => request).filter((each) => each !== undefined);
    expect(summarize(requests)).toContain("150000 requests in");
  });
});
