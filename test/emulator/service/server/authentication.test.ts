import { ref, startTinyService, type TinyService, textWith } from "./tiny-service";

describe("authentication and permissions", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService();
  });
  beforeEach(() => {
    service.emulator.control.reset();
    service.ledger.length = 0;
  });
  afterAll(() => service.emulator.close());

  const withToken = (token: string, path: string, method = "GET"): Promise<Response> =>
    service.send(method, path, { headers: { authorization: `Bearer ${token}` } });

  it("refuses a call without a token, with an unknown one and with another scheme", async () => {
    for (const authorization of ["", "Bearer nobody", "Basic bmFtZTpwYXNz", "Bearer"]) {
      const response = await service.send("GET", "/v1/projects", { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ message: textWith("Unauthorized") });
    }
    expect(service.ledger).toEqual([]);
  });

  it("lets the seeded token do everything", async () => {
    expect((await service.send("GET", "/v1/projects")).status).toBe(200);
    expect((await service.send("GET", `/v1/projects/${ref}`)).status).toBe(200);
  });

  it("refuses a token that was revoked", async () => {
    const token = service.emulator.control.createToken();
    expect((await withToken(token, "/v1/projects")).status).toBe(200);
    service.emulator.control.revokeToken(token);
    expect((await withToken(token, "/v1/projects")).status).toBe(401);
  });

  it("names the permission that a fine-grained token lacks", async () => {
    const token = service.emulator.control.createToken({
      kind: "fine-grained",
      permissions: ["projects_read"],
    });
    expect((await withToken(token, "/v1/projects")).status).toBe(200);
    const refused = await withToken(token, `/v1/projects/${ref}`);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      message: "Forbidden: the access token lacks the permission project_admin_read",
    });
  });

  it("accepts one of several alternative permissions and names all of them where none is held", async () => {
    const { control } = service.emulator;
    const path = `/v1/projects/${ref}/branches`;
    const developer = control.createToken({
      kind: "fine-grained",
      permissions: ["branching_development_read"],
    });
    expect((await withToken(developer, path)).status).toBe(200);
    const stranger = control.createToken({ kind: "fine-grained", permissions: [] });
    const { message } = (await (await withToken(stranger, path)).json()) as { message: string };
    expect(message).toContain("branching_production_read or branching_development_read");
  });

  it("objects to a missing permission before it looks at the request", async () => {
    const token = service.emulator.control.createToken({ kind: "fine-grained", permissions: [] });
    expect((await withToken(token, "/v1/projects", "POST")).status).toBe(403);
  });

  it("answers 404 on an unknown path, and on a known path with another method", async () => {
    const unknown = await service.send("GET", "/v1/nowhere");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({ message: "Cannot GET /v1/nowhere" });
    const wrong = await service.send("PUT", `/v1/projects/${ref}`);
    expect(wrong.status).toBe(404);
    expect(await wrong.json()).toEqual({ message: `Cannot PUT /v1/projects/${ref}` });
  });

  it("keeps an access token out of the log of calls", async () => {
    await service.send("GET", `/v1/projects/${ref}?reveal=true`);
    const log = service.emulator.control.calls();
    expect(log).toEqual([
      expect.objectContaining({
        method: "GET",
        path: `/v1/projects/${ref}`,
        operation: "getProject",
        status: 200,
        scopeKey: `project:${ref}`,
        identity: "user:owner",
        faulted: false,
      }),
    ]);
    expect(JSON.stringify(log)).not.toContain(service.emulator.accessToken);
  });
});
