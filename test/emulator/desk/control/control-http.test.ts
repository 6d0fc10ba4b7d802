import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createControlApp } from "../../../../emulator/desk/control/http";
import { ServerWire } from "../../../../emulator/service/server/wire";
import { startEmulator } from "../../../../emulator";
import { MovableClock } from "../../../../emulator/service/world/clock";
import { literalNames } from "../../../../spec/names/names";
import {
  ref,
  startTinyService,
  type TinyService,
  textLike,
  textWith,
} from "../../service/server/tiny-service";

describe("control over HTTP", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService();
  });
  beforeEach(() => {
    service.emulator.control.reset();
    service.ledger.length = 0;
  });
  afterAll(() => service.emulator.close());

  async function control(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: unknown }> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${service.emulator.url}/_control${path}`, { method, ...sent });
    return { status: response.status, json: await response.json() };
  }

  it("lists everything it offers", async () => {
    const { json } = await control("GET", "");
    const listed = (json as { method: string; path: string }[]).map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(listed).toContain("GET /_control/calls");
    expect(listed).toContain("POST /_control/edit");
    expect((await control("GET", "/nowhere")).status).toBe(404);
    expect(service.emulator.control.calls()).toEqual([]);
  });

  it.each([
    ["127.0.0.1", 200],
    ["127.1.2.3", 200],
    ["::1", 200],
    ["::ffff:127.0.0.1", 200],
    ["10.0.0.1", 403],
    ["::ffff:10.0.0.1", 403],
    ["fe80::1", 403],
  ])("answers loopback only: %s gets %i", async (remoteAddress, status) => {
    const app = createControlApp(service.emulator.control, new MovableClock(), new ServerWire(literalNames));
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
    const response = await app.request("/clock", {}, { incoming: new IncomingMessage(socket) });
    expect(response.status).toBe(status);
    if (status === 403) {
      expect(await response.json()).toEqual({ message: "The control API answers on loopback only" });
    }
  });

  it("does not answer pages of other sites, only its own", async () => {
    const { url } = service.emulator;
    const resetFrom = (origin: string): Promise<Response> =>
      fetch(`${url}/_control/reset`, { method: "POST", headers: { origin } });
    for (const origin of ["https://elsewhere.example.com", "http://127.0.0.1:1", "null"]) {
      const refused = await resetFrom(origin);
      expect([refused.status, await refused.json()]).toEqual([
        403,
        { message: `The control API does not answer pages of ${origin}` },
      ]);
    }
    expect((await resetFrom(url)).status).toBe(200);
  });

  it("does not export the world for a page of another site, which may load what it cannot read", async () => {
    const { url } = service.emulator;
    const exportFor = (site: string): Promise<Response> =>
      fetch(`${url}/_control/export`, { headers: { "sec-fetch-site": site } });
    for (const site of ["cross-site", "same-site"]) {
      const refused = await exportFor(site);
      expect([refused.status, await refused.json()]).toEqual([
        403,
        { message: "The control API does not answer pages of other sites" },
      ]);
    }
    for (const site of ["same-origin", "none"]) {
      const answer = await exportFor(site);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
  });

  it("says that it answers, to those who do not know its token too", async () => {
    expect(await control("GET", "/health")).toEqual({ status: 200, json: { status: "ok" } });
    const own = await startEmulator({ controlToken: "control-token-of-the-test" });
    try {
      const answer = await fetch(`${own.url}/_control/health`);
      expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
      expect((await fetch(`${own.url}/_control/health`, { method: "POST" })).status).toBe(401);
    } finally {
      await own.close();
    }
  });

  it("shows, counts and clears calls, and is not among them", async () => {
    await service.send("GET", "/v1/projects");
    await service.send("GET", `/v1/projects/${ref}`);
    expect((await control("GET", "/calls?operation=getProject&status=200")).json).toHaveLength(1);
    expect((await control("GET", "/calls/count")).json).toEqual({ count: 2 });
    await control("DELETE", "/calls");
    expect((await control("GET", "/calls/count")).json).toEqual({ count: 0 });
  });

  it("adds, shows and forgets faults", async () => {
    const added = await control("POST", "/faults", { operation: "listProjects", status: 503, times: 2 });
    expect(added).toMatchObject({ status: 200, json: { remaining: 2, skipping: 0 } });
    expect((await service.send("GET", "/v1/projects")).status).toBe(503);
    expect((await control("GET", "/faults")).json).toMatchObject([{ remaining: 1 }]);
    await control("DELETE", "/faults");
    expect((await service.send("GET", "/v1/projects")).status).toBe(200);
  });

  it("takes faults of every kind, and refuses what is none", async () => {
    const faults = [
      { drop: "midway" },
      { hold: "after", operation: "listProjects" },
      { status: 429, headers: { "x-ratelimit-limit": null, "retry-after": "3" } },
      { status: 200, body: null, after: true, delayMs: 5, times: 2, skip: 1 },
    ];
    for (const fault of faults) {
      expect(await control("POST", "/faults", fault)).toMatchObject({ status: 200, json: { rule: fault } });
    }
    expect((await control("GET", "/faults")).json).toHaveLength(faults.length);
    const refused = [{ drop: "half" }, { hold: "midway" }, { status: 200, headers: { date: 1 } }, {}];
    for (const fault of refused) expect((await control("POST", "/faults", fault)).status).toBe(400);
    await control("DELETE", "/faults");
  });

  it("runs an operation from outside, files given as text", async () => {
    const parameters = {
      ref,
      slug: "greet",
      body: { metadata: { entrypoint_path: "index.ts" }, file: [{ name: "index.ts", content: "export {}" }] },
    };
    expect(await control("POST", "/call", { operation: "deployFunction", parameters })).toMatchObject({
      status: 200,
      json: { slug: "greet", version: 1 },
    });
    expect(service.ledger[0]?.input).toMatchObject({
      body: { file: [{ name: "index.ts", content: new TextEncoder().encode("export {}") }] },
    });
    const refused = await control("POST", "/call", { operation: "getProject", parameters: { ref: "SHORT" } });
    expect(refused).toMatchObject({
      status: 400,
      json: { message: expect.arrayContaining([textWith("ref: ")]) as string[] },
    });
  });

  it("edits values of the state and says what exists where a path leads nowhere", async () => {
    expect(
      (await control("POST", "/edit", { path: "organizations.acme.name", value: "Renamed" })).status,
    ).toBe(200);
    expect((await control("GET", "/snapshot")).json).toMatchObject({
      organizations: { acme: { name: "Renamed" } },
    });
    const wrong = await control("POST", "/edit", { path: "organisations.acme.name", value: "x" });
    expect(wrong.status).toBe(400);
    expect(wrong.json).toEqual({
      message: textLike(/"organisations" in the state: it has .*organizations/),
    });
    await control("POST", "/edit", { path: "organizations.acme", delete: true });
    const slugs = (): string[] => [...service.emulator.world.state.organizations.keys()];
    expect(slugs()).toEqual(["hobby"]);
    await control("POST", "/reset");
    expect(slugs()).toEqual(["acme", "hobby"]);
  });

  it("moves the clock and sets the pace", async () => {
    const before = service.clock.now();
    expect((await control("POST", "/advance", { ms: 2_000 })).json).toEqual({ now: before + 2_000 });
    expect((await control("GET", "/clock")).json).toEqual({ now: before + 2_000 });
    await control("POST", "/pace", { pace: 0.25 });
    expect(service.emulator.world.pace).toBe(0.25);
    await control("POST", "/pace", { pace: 1 });
  });

  it("issues and revokes tokens and registers OAuth applications", async () => {
    const { json } = await control("POST", "/tokens", {
      kind: "fine-grained",
      permissions: ["projects_read"],
    });
    const { token } = json as { token: string };
    const use = (): Promise<Response> =>
      service.send("GET", "/v1/projects", { headers: { authorization: `Bearer ${token}` } });
    expect((await use()).status).toBe(200);
    await control("DELETE", "/tokens", { token });
    expect((await use()).status).toBe(401);
    expect((await control("DELETE", "/tokens", { token })).status).toBe(400);
    expect((await control("POST", "/oauth-apps", { scopes: ["projects:read"] })).json).toEqual({
      clientId: textWith(""),
      clientSecret: textWith(""),
      refreshToken: textWith(""),
    });
  });

  it("answers with a control token only those who bear it", async () => {
    const own = await startEmulator({ controlToken: "control-token-of-the-test" });
    try {
      for (const path of ["", "/snapshot", "/nowhere"]) {
        for (const authorization of [
          undefined,
          `Bearer ${own.accessToken}`,
          "Bearer other",
          "control-token",
        ]) {
          const headers = authorization === undefined ? {} : { authorization };
          const refused = await fetch(`${own.url}/_control${path}`, { headers });
          expect(refused.status).toBeGreaterThanOrEqual(400);
          expect(await refused.json()).toEqual({ message: textWith("Authorization: Bearer <token>") });
        }
      }
      const headers = { authorization: "Bearer control-token-of-the-test" };
      expect((await fetch(`${own.url}/_control/snapshot`, { headers })).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it("shows the emulator's own errors", async () => {
    expect((await control("GET", "/internal-errors")).json).toEqual([]);
  });

  it.each([
    ["/faults", { status: "many" }, "status: "],
    ["/faults", { operation: "listProjects" }, "A fault needs a status"],
    ["/faults", { status: 500, colour: "red" }, "colour: "],
    ["/call", { operation: "nothing" }, "operation: "],
    ["/edit", { path: "organizations" }, "Required"],
    ["/advance", { ms: -1 }, "ms: "],
  ])("refuses %s with %j", async (path, body, said) => {
    const refused = await control("POST", path, body);
    expect(refused).toMatchObject({ status: 400, json: { message: textWith(said) } });
  });
});
