import { startEmulator, type Emulator } from "../../../../emulator";
import { limitsOf, ref, startTinyService, type TinyService, textWith } from "../server/tiny-service";

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
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/^body: /) as string });
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

describe("the authorization code flow over HTTP", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ pace: 0 });
  });
  afterEach(() => emulator.close());
  const redirectUri = "https://app.example/callback";
  const send = (method: string, path: string, token?: string, body?: unknown): Promise<Response> =>
    fetch(`${emulator.url}${path}`, {
      method,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: {
          "content-type": "application/json",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      }),
    });
  async function control<T>(path: string, body?: unknown): Promise<T> {
    const answer = await send(body === undefined ? "GET" : "POST", `/_control/${path}`, undefined, body);
    expect(answer.status).toBe(200);
    // Each use asserts on what it reads.
    return (await answer.json()) as T;
  }
  /** As a browser: asks, lets the user decide, and gives what the application gets for the code. */
  async function accessToken(
    asked: Record<string, string>,
    approval: object,
    path = "/v1/oauth/authorize",
  ): Promise<string> {
    const { clientId, clientSecret } = await control<Record<string, string>>("oauth-apps", {
      scopes: ["organizations:read", "projects:read", "projects:write"],
      redirectUris: [redirectUri],
    });
    const client = { client_id: clientId ?? "", client_secret: clientSecret ?? "" };
    const query = new URLSearchParams({
      client_id: client.client_id,
      response_type: "code",
      redirect_uri: redirectUri,
      ...asked,
    });
    const answer = await send("GET", `${path}?${query.toString()}`, emulator.accessToken);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await control("authorizations")).toMatchObject([{ clientId, redirectUri }]);
    const { redirectTo } = await control<{ redirectTo: string }>("authorizations/approve", approval);
    const code = new URL(redirectTo).searchParams.get("code") ?? "";
    const form = { ...client, grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const issued = await fetch(`${emulator.url}/v1/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    expect(issued.status).toBe(201);
    return ((await issued.json()) as { access_token: string }).access_token;
  }
  const newProject = (slug: string): string =>
    emulator.control.call("createProject", {
      body: { name: slug, organization_slug: slug, db_pass: "a-password" },
    }).ref;

  it("asks without a token, and limits the application to what was approved", async () => {
    const token = await accessToken(
      { scope: "projects:read organizations:read" },
      { scopes: ["projects:read"] },
    );
    expect((await send("GET", "/v1/projects", token)).status).toBe(200);
    expect((await send("GET", "/v1/organizations", token)).status).toBe(403);
    const { clientId } = emulator.control.createOAuthApp({ scopes: [], redirectUris: [redirectUri] });
    const query = `client_id=${clientId}&response_type=code&redirect_uri=${encodeURIComponent(redirectUri)}`;
    expect((await send("GET", `/v1/oauth/authorize?${query}`)).status).toBe(204);
    const { redirectTo } = await control<{ redirectTo: string }>("authorizations/deny", {});
    expect(redirectTo).toBe(`${redirectUri}?error=access_denied`);
    expect(emulator.control.internalErrors).toEqual([]);
  });

  it("limits the application to the organization that the user chose", async () => {
    emulator.control.call("createOrganization", { body: { name: "Globex" } });
    const [ours, theirs] = [newProject("acme"), newProject("globex")];
    const token = await accessToken({}, { organizationSlug: "acme" });
    const read = async (path: string): Promise<unknown> => {
      const answer = await send("GET", path, token);
      return answer.status === 200 ? answer.json() : answer.status;
    };
    expect(await read("/v1/organizations")).toMatchObject([{ slug: "acme" }]);
    expect(await read("/v1/projects")).toMatchObject([{ ref: ours }]);
    expect(await read(`/v1/projects/${ours}`)).toMatchObject({ ref: ours });
    expect(await read(`/v1/projects/${theirs}`)).toBe(403);
    expect(await read("/v1/organizations/globex")).toBe(403);
    expect(await read("/v1/projects/available-regions?organization_slug=globex")).toBe(403);
    const body = { name: "new", organization_slug: "globex", db_pass: "a-password" };
    expect((await send("POST", "/v1/projects", token, body)).status).toBe(403);
    const inside = { ...body, organization_slug: "acme" };
    expect((await send("POST", "/v1/projects", token, inside)).status).toBe(201);
    const refused = await send("POST", "/v1/organizations", token, { name: "Initech" });
    expect(await refused.json()).toEqual({
      message: "Forbidden: the access token is limited to the organization acme",
    });
    expect([...emulator.world.state.organizations.keys()]).toEqual(["acme", "hobby", "globex"]);
  });

  it("claims a project, which needs a token that may", async () => {
    emulator.control.call("createOrganization", { body: { name: "Globex" } });
    const ref = newProject("acme");
    const path = "/v1/oauth/authorize/project-claim";
    const token = await accessToken({ project_ref: ref }, { organizationSlug: "globex" }, path);
    expect(await (await send("GET", `/v1/projects/${ref}`, token)).json()).toMatchObject({
      organization_slug: "globex",
    });
    const query = new URLSearchParams({
      project_ref: ref,
      client_id: "2f1b1a0e-5b0c-4c43-9f1e-0d2f6ad3d0c1",
      response_type: "code",
      redirect_uri: redirectUri,
    });
    expect((await send("GET", `${path}?${query.toString()}`)).status).toBe(401);
    const weak = emulator.control.createToken({ permissions: ["project_admin_write"] });
    expect((await send("GET", `${path}?${query.toString()}`, weak)).status).toBe(403);
  });

  it("revokes the authorization through the API", async () => {
    const app = emulator.control.createOAuthApp({ scopes: ["projects:read"] });
    const body = {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      refresh_token: app.refreshToken,
    };
    const form = new URLSearchParams(body);
    const issued = await fetch(`${emulator.url}/v1/oauth/token`, { method: "POST", body: form });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    expect((await send("GET", "/v1/projects", token)).status).toBe(200);
    expect((await send("POST", "/v1/oauth/revoke", undefined, { ...body, client_secret: "x" })).status).toBe(
      401,
    );
    expect((await send("POST", "/v1/oauth/revoke", undefined, body)).status).toBe(204);
    expect((await send("GET", "/v1/projects", token)).status).toBe(401);
    expect(emulator.world.state.oauth.authorizations.size).toBe(0);
  });
});
