import { setTimeout as sleep } from "node:timers/promises";
import { limitsOf, ref, startTinyService, type TinyService, textWith } from "./tiny-service";
import { waitUntil } from "../../../kit/wait-until";

describe("faults", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService();
  });
  beforeEach(() => {
    service.emulator.control.reset();
    service.ledger.length = 0;
  });
  afterAll(() => service.emulator.close());

  const write = (): Promise<Response> =>
    service.sendJson("POST", `/v1/projects/${ref}/secrets`, [{ name: "A", value: "1" }]);

  it("answers an error instead of doing the work, once", async () => {
    service.emulator.control.addFault({ operation: "createSecrets", status: 503, message: "Down" });
    const broken = await write();
    expect(broken.status).toBe(503);
    expect(await broken.json()).toEqual({ message: "Down" });
    expect(service.ledger).toEqual([]);
    expect((await write()).status).toBe(201);
    expect(service.ledger).toHaveLength(1);
    expect(service.emulator.control.calls().map(({ status, faulted }) => [status, faulted])).toEqual([
      [503, true],
      [201, false],
    ]);
  });

  it("answers an error after doing the work", async () => {
    service.emulator.control.addFault({ status: 500, after: true });
    const broken = await write();
    expect([broken.status, limitsOf(broken).remaining]).toEqual([500, 119]);
    expect(service.ledger).toHaveLength(1);
  });

  it("closes the connection before the work", async () => {
    service.emulator.control.addFault({ drop: "before" });
    await expect(write()).rejects.toThrow();
    expect(service.ledger).toEqual([]);
    expect(service.emulator.control.calls()).toEqual([expect.objectContaining({ status: 0, faulted: true })]);
  });

  it("closes the connection after the work", async () => {
    service.emulator.control.addFault({ drop: "after" });
    await expect(write()).rejects.toThrow();
    expect(service.ledger).toHaveLength(1);
    expect((await write()).status).toBe(201);
  });

  it("breaks the connection off in the middle of the answer to work that is done", async () => {
    service.emulator.control.addFault({ drop: "midway" });
    const broken = await service.send("GET", "/v1/projects");
    expect(broken.status).toBe(200);
    expect(Number(broken.headers.get("content-length"))).toBeGreaterThan(100);
    await expect(broken.text()).rejects.toThrow();
    expect(service.ledger).toHaveLength(1);
    expect(service.emulator.control.calls()).toEqual([
      expect.objectContaining({ status: 200, faulted: true }),
    ]);
    expect((await service.send("GET", "/v1/projects")).status).toBe(200);
  });

  it("closes the connection where an answer has no body to break off", async () => {
    service.emulator.control.addFault({ drop: "midway" });
    await expect(service.send("HEAD", "/v1/projects")).rejects.toThrow();
    expect(service.ledger).toHaveLength(1);
  });

  it.each([204, 304])(
    "closes the connection where no body follows the status %i without an end",
    async (status) => {
      service.emulator.control.addFault({ hold: "endless", status });
      await expect(service.send("GET", "/v1/projects")).rejects.toThrow();
      expect((await service.send("GET", "/v1/projects")).status).toBe(200);
    },
  );

  it.each(["before", "after"] as const)(
    "never answers, %s the work, while the caller waits",
    async (hold) => {
      service.emulator.control.addFault({ hold });
      const caller = new AbortController();
      const waiting = service.send("GET", "/v1/projects", { signal: caller.signal });
      const isOver = waiting.then(
        () => true,
        () => true,
      );
      await waitUntil("the call arrives", () => service.emulator.control.calls().length > 0);
      expect(await Promise.race([isOver, sleep(50, false)])).toBe(false);
      expect(service.ledger).toHaveLength(hold === "after" ? 1 : 0);
      expect(service.emulator.control.calls()).toEqual([
        expect.objectContaining({ status: 0, faulted: true }),
      ]);
      caller.abort();
      await expect(waiting).rejects.toThrow();
      expect((await service.send("GET", "/v1/projects")).status).toBe(200);
    },
  );

  it("stops while it holds a call", async () => {
    const stopped = await startTinyService();
    stopped.emulator.control.addFault({ hold: "before" });
    const waiting = stopped.send("GET", "/v1/projects").catch(String);
    await waitUntil("the call arrives", () => stopped.emulator.control.calls().length > 0);
    await stopped.emulator.close();
    expect(await waiting).toContain("failed");
  });

  it("does the delayed work of a caller who has gone", async () => {
    const { control } = service.emulator;
    control.addFault({ delayMs: 60 });
    const caller = new AbortController();
    // Without a body, of which half might be on its way when the caller goes.
    const path = `/v1/projects/${ref}/custom-hostname`;
    const waiting = service.send("DELETE", path, { signal: caller.signal });
    waiting.catch(() => undefined);
    await waitUntil("the call is delayed", () => control.pendingFaults().length === 0);
    caller.abort();
    await expect(waiting).rejects.toThrow();
    await waitUntil("the call is answered", () => control.calls().length > 0);
    expect(service.ledger).toMatchObject([{ operation: "removeCustomHostname" }]);
  });

  it("delays the work in real time", async () => {
    service.emulator.control.addFault({ delayMs: 60 });
    const startedAt = performance.now();
    expect((await write()).status).toBe(201);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
  });

  it("injects a 429 that looks like a used-up window", async () => {
    service.emulator.control.addFault({ status: 429 });
    await service.send("GET", "/v1/projects");
    await service.send("GET", "/v1/projects");
    service.clock.advance(20_000);
    service.emulator.control.addFault({ status: 429 });
    const refused = await service.send("GET", "/v1/projects");
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual({ limit: 120, remaining: 0, reset: 40 });
    expect(await refused.json()).toEqual({ message: textWith("Too Many Requests") });
    expect(limitsOf(await service.send("GET", "/v1/projects")).remaining).toBe(118);
  });

  it("skips calls, breaks several, and tries faults in the order in which they were added", async () => {
    const { control } = service.emulator;
    control.addFault({ method: "post", skip: 1, times: 2, status: 502 });
    control.addFault({ pathContains: "/secrets", status: 504 });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await write()).status);
    expect(statuses).toEqual([504, 502, 502, 201, 201]);
    expect(control.pendingFaults()).toEqual([]);
  });

  it("leaves other calls alone and can be forgotten", async () => {
    const { control } = service.emulator;
    control.addFault({ operation: "createSecrets", status: 500 });
    expect((await service.send("GET", "/v1/projects")).status).toBe(200);
    expect(control.pendingFaults()).toEqual([expect.objectContaining({ remaining: 1, skipping: 0 })]);
    control.clearFaults();
    expect((await write()).status).toBe(201);
  });

  it("answers a body and headers of the test's choice", async () => {
    const { control } = service.emulator;
    control.addFault({ status: 502, body: "<h1>Bad gateway</h1>", headers: { "retry-after": "3" } });
    const page = await write();
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("retry-after")).toBe("3");
    expect(await page.text()).toBe("<h1>Bad gateway</h1>");
    control.addFault({ status: 402, body: { message: "Pay", plan: "free" } });
    expect(await (await write()).json()).toEqual({ message: "Pay", plan: "free" });
    control.addFault({ status: 500, body: "" });
    expect(await (await write()).text()).toBe("");
  });

  it("leaves out headers that a fault sets to null", async () => {
    const { control } = service.emulator;
    const nothingOfTheWindow = {
      "x-ratelimit-limit": null,
      "x-ratelimit-remaining": null,
      "X-RateLimit-Reset": null,
    };
    control.addFault({ status: 429, headers: nothingOfTheWindow });
    const refused = await write();
    expect([refused.status, limitsOf(refused)]).toEqual([429, { limit: NaN, remaining: NaN, reset: NaN }]);
    control.addFault({ delayMs: 0, headers: { ...nothingOfTheWindow, "cf-ray": "mine" } });
    const done = await service.send("GET", "/v1/projects");
    expect([done.status, limitsOf(done).limit, done.headers.get("cf-ray")]).toEqual([200, NaN, "mine"]);
  });

  it("answers something else with a success status, with or without the work", async () => {
    const { control } = service.emulator;
    control.addFault({ status: 200, body: "<html>", headers: { "content-type": "application/json" } });
    const page = await write();
    expect([page.status, page.headers.get("content-type"), await page.text()]).toEqual([
      200,
      "application/json",
      "<html>",
    ]);
    expect(service.ledger).toEqual([]);
    control.addFault({ status: 201, after: true, body: null });
    expect(await (await write()).text()).toBe("null");
    expect(service.ledger).toHaveLength(1);
    control.addFault({ operation: "listProjects", status: 200, body: [{}] });
    expect(await (await service.send("GET", "/v1/projects")).json()).toEqual([{}]);
  });

  it("refuses a fault that would do nothing, or two things at once", () => {
    expect(() => service.emulator.control.addFault({ operation: "getProject" })).toThrow("needs a status");
    expect(() => service.emulator.control.addFault({ drop: "before", hold: "before" })).toThrow("either");
    expect(() => service.emulator.control.addFault({ status: 42 })).toThrow("from 200 to 599");
  });

  it("answers a gateway's page in place of every so many calls", async () => {
    const noisy = await startTinyService({ gatewayNoise: { everyNthCall: 3 } });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await noisy.send("GET", "/v1/projects")).status);
    await noisy.emulator.close();
    expect(statuses).toEqual([200, 200, 502, 200, 200, 502]);
    expect(noisy.ledger).toHaveLength(4);
  });
});
