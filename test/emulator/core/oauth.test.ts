import { limitsOf, ref, startTinyService, type TinyService, textWith } from "./tiny-service";

describe("OAuth applications", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService();
  });
  beforeEach(() => service.emulator.control.reset());
  afterAll(() => service.emulator.close());

  const exchange = (fields: Record<string, string>): Promise<Response> =>
    fetch(`${service.emulator.url}/v1/oauth/token`, { method: "POST", body: new URLSearchParams(fields) });
  const createApp = (): Record<"client_id" | "client_secret" | "refresh_token", string> => {
    const app = service.emulator.control.createOAuthApp({ scopes: ["projects:read", "secrets:write"] });
    return { client_id: app.clientId, client_secret: app.clientSecret, refresh_token: app.refreshToken };
  };
  interface Issued {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly expires_in: number;
    readonly token_type: string;
  }
  async function refresh(fields: Record<string, string>): Promise<Issued> {
    const response = await exchange({ grant_type: "refresh_token", ...fields });
    expect(response.status).toBe(201);
    // The answer is compared with the operation table by the emulator itself.
    return (await response.json()) as Issued;
  }
  const as = (token: string, method: string, path: string): Promise<Response> =>
    service.send(method, path, { headers: { authorization: `Bearer ${token}` } });

  it("exchanges a refresh token for an access token, without a token on the call", async () => {
    const issued = await refresh(createApp());
    expect(issued).toMatchObject({ expires_in: 3600, token_type: "Bearer" });
    expect((await as(issued.access_token, "GET", "/v1/projects")).status).toBe(200);
    expect(service.emulator.control.internalErrors).toEqual([]);
  });

  it("rotates the refresh token: each works once", async () => {
    const app = createApp();
    const first = await refresh(app);
    const again = await exchange({ grant_type: "refresh_token", ...app });
    expect(again.status).toBe(400);
    expect(await again.json()).toEqual({ message: textWith("refresh_token") });
    const second = await refresh({ ...app, refresh_token: first.refresh_token });
    expect(second.access_token).not.toBe(first.access_token);
    expect((await as(first.access_token, "GET", "/v1/projects")).status).toBe(200);
  });

  it("refuses wrong and missing credentials of the application", async () => {
    const app = createApp();
    const attempts: [Record<string, string>, number][] = [
      [{ ...app, client_secret: "wrong" }, 401],
      [{ ...app, client_id: "2f1b1a0e-5b0c-4c43-9f1e-0d2f6ad3d0c1" }, 401],
      [{ refresh_token: app.refresh_token }, 401],
      [{ client_id: app.client_id, client_secret: app.client_secret }, 400],
      [{ ...app, grant_type: "authorization_code", code: "x" }, 400],
      [{ ...app, grant_type: "password" }, 400],
      [{ ...app, colour: "red" }, 400],
    ];
    for (const [fields, status] of attempts) expect((await exchange(fields)).status).toBe(status);
    expect((await exchange(app)).status).toBe(201);
  });

  it("takes a form only", async () => {
    const response = await service.sendJson("POST", "/v1/oauth/token", createApp());
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path: "body" }] });
  });

  it("limits the access token to its scopes and names the one that is missing", async () => {
    const { access_token } = await refresh(createApp());
    expect((await as(access_token, "GET", `/v1/projects/${ref}`)).status).toBe(200);
    const refused = await as(access_token, "DELETE", `/v1/projects/${ref}`);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      message: "Forbidden: the access token lacks the scope projects:write",
    });
  });

  it("lets the access token expire", async () => {
    const { access_token } = await refresh(createApp());
    service.clock.advance(3_599_999);
    expect((await as(access_token, "GET", "/v1/projects")).status).toBe(200);
    service.clock.advance(1);
    const expired = await as(access_token, "GET", "/v1/projects");
    expect(expired.status).toBe(401);
    expect(await expired.json()).toEqual({ message: "Unauthorized: the access token has expired" });
  });

  it("revokes an access token", async () => {
    const { access_token } = await refresh(createApp());
    service.emulator.control.revokeToken(access_token);
    expect((await as(access_token, "GET", "/v1/projects")).status).toBe(401);
  });

  it("counts all access tokens of one application together, apart from its user", async () => {
    const app = createApp();
    const first = await refresh(app);
    const second = await refresh({ ...app, refresh_token: first.refresh_token });
    await as(first.access_token, "GET", "/v1/projects");
    expect(limitsOf(await as(second.access_token, "GET", "/v1/projects")).remaining).toBe(118);
    expect(limitsOf(await service.send("GET", "/v1/projects")).remaining).toBe(119);
  });
});
