import { operations } from "../../../../spec/table";
import { MovableClock, Refusal } from "../../../../emulator";
import { ref, startTinyService, type TinyService, textWith } from "./tiny-service";
import { waitUntil } from "../../../kit/wait-until";

describe("answers", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService(
      {},
      {
        operations: {
          listSecrets: { ...operations.listProjects, path: "/v1/projects/{ref}/counted", method: "HEAD" },
        },
        handlers: {
          updateProject: () => {
            throw new TypeError("Broken rule");
          },
          getHealth: () => [{ name: "db", healthy: "yes" }],
          pauseProject: () => {
            throw new Refusal(544, "Not now");
          },
          listSecrets: () => [],
          restoreProject: () => undefined,
        },
      },
    );
  });
  beforeEach(() => service.emulator.control.reset());
  afterAll(() => service.emulator.close());

  it("answers an empty object where the table has no body", async () => {
    const response = await service.send("POST", `/v1/projects/${ref}/restore`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({});
  });

  it("answers nothing at all where the running service does (service, Errors)", async () => {
    const response = await service.sendJson("POST", `/v1/projects/${ref}/secrets`, []);
    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toBeNull();
    expect(await response.text()).toBe("");
    const bare = Object.entries(operations).filter(
      ([, { success }]) => "written" in success && success.written === null,
    );
    expect(bare.map(([name]) => name).sort()).toEqual([
      "createSecrets",
      "deleteSecrets",
      "deleteVanitySubdomain",
      "enableWebhooks",
      "removeCustomHostname",
      "removeNetworkBans",
    ]);
  });

  it("answers plain text where the table says so", async () => {
    const response = await service.send("GET", `/v1/projects/${ref}/actions/7/logs`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(await response.text()).toBe("first line\nsecond line");
  });

  it("gives every answer an id of its own, the one in the log", async () => {
    const ids = [await service.send("GET", "/v1/projects"), await service.send("GET", "/v1/nowhere")].map(
      (response) => response.headers.get("cf-ray"),
    );
    expect(new Set(ids).size).toBe(2);
    expect(service.emulator.control.calls().map(({ requestId }) => requestId)).toEqual(ids);
  });

  it("dates every answer by the emulator's own time", async () => {
    const dateOf = async (answering: Promise<Response>): Promise<string | null> =>
      (await answering).headers.get("date");
    const { control, url } = service.emulator;
    expect(await dateOf(service.send("GET", "/v1/projects"))).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
    service.clock.advance(90_500);
    const now = "Thu, 01 Jan 2026 00:01:30 GMT";
    expect(await dateOf(service.send("GET", "/v1/projects"))).toBe(now);
    expect(await dateOf(service.send("GET", "/v1/nowhere"))).toBe(now);
    expect(await dateOf(service.send("POST", `/v1/projects/${ref}/pause`))).toBe(now);
    expect(await dateOf(fetch(`${url}/v1/projects`))).toBe(now);
    expect(await dateOf(fetch(`${url}/_control/clock`))).toBe(now);
    expect(await dateOf(fetch(url))).toBe(now);
    control.addFault({ status: 503, body: "<h1>Down</h1>" });
    expect(await dateOf(service.send("GET", "/v1/projects"))).toBe(now);
    control.addFault({ drop: "midway" });
    expect(await dateOf(service.send("GET", "/v1/projects"))).toBe(now);
    control.addFault({ status: 502, headers: { date: "Fri, 02 Jan 2026 00:00:00 GMT" } });
    expect(await dateOf(service.send("GET", "/v1/projects"))).toBe("Fri, 02 Jan 2026 00:00:00 GMT");
  });

  it("dates a gateway's page as well, and an answer by when it is given", async () => {
    const clock = new MovableClock({ now: () => Date.UTC(2026, 0, 1) });
    const noisy = await startTinyService({ clock, gatewayNoise: { everyNthCall: 1 } });
    clock.advance(60_000);
    const page = await noisy.send("GET", "/v1/projects");
    expect([page.status, page.headers.get("date")]).toEqual([502, "Thu, 01 Jan 2026 00:01:00 GMT"]);
    await noisy.emulator.close();
    const late = await startTinyService({ clock });
    late.emulator.control.addFault({ delayMs: 30 });
    const answering = late.send("GET", "/v1/projects");
    await waitUntil("the call is delayed", () => late.emulator.control.pendingFaults().length === 0);
    clock.advance(60_000);
    expect((await answering).headers.get("date")).toBe("Thu, 01 Jan 2026 00:02:00 GMT");
    await late.emulator.close();
  });

  it("answers what a handler refuses", async () => {
    const response = await service.send("POST", `/v1/projects/${ref}/pause`);
    expect(response.status).toBe(544);
    expect(await response.json()).toEqual({ message: "Not now" });
    expect(service.emulator.control.internalErrors).toEqual([]);
  });

  it("answers 500 for an exception and keeps it", async () => {
    const response = await service.sendJson("PATCH", `/v1/projects/${ref}`, { name: "shop" });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: "Internal Server Error" });
    expect(service.emulator.control.internalErrors).toEqual([
      { operation: "updateProject", kind: "exception", message: textWith("Broken rule") },
    ]);
  });

  it("keeps an answer that breaks the operation table, and still sends it", async () => {
    const response = await service.send("GET", `/v1/projects/${ref}/health?services=db`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([{ name: "db", healthy: "yes" }]);
    expect(service.emulator.control.internalErrors).toEqual([
      { operation: "getHealth", kind: "answer", message: textWith("0.healthy") },
    ]);
  });

  it("answers HEAD with headers only, by its own operation or by the one that reads", async () => {
    for (const path of [`/v1/projects/${ref}/counted`, "/v1/projects"]) {
      const response = await service.send("HEAD", path);
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect(response.headers.get("x-ratelimit-limit")).toBe("120");
    }
    expect(service.emulator.control.calls().map(({ method, operation }) => [method, operation])).toEqual([
      ["HEAD", "listSecrets"],
      ["HEAD", "listProjects"],
    ]);
  });

  it("prefers fixed segments of a path to placeholders, method by method", async () => {
    const body = new FormData();
    body.append("metadata", JSON.stringify({ entrypoint_path: "index.ts" }));
    await service.send("POST", `/v1/projects/${ref}/functions/deploy`, { body });
    await service.send("DELETE", `/v1/projects/${ref}/functions/deploy`);
    expect(service.emulator.control.calls().map(({ operation }) => operation)).toEqual([
      "deployFunction",
      "deleteFunction",
    ]);
  });
});
