import { createSign, generateKeyPairSync } from "node:crypto";
import { MovableClock, startEmulator, type Emulator } from "../../../../emulator";
import { Verifier, type Verified } from "./verifier";

const algorithms = ["EdDSA", "ES256", "RS256", "HS256"] as const;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
const partOf = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[index] ?? "", "base64url").toString()) as Record<string, unknown>;
const lifetimeOf = ({ payload }: Verified): number => Number(payload["exp"]) - Number(payload["iat"]);

describe("a project's own host", () => {
  const verifier = new Verifier();
  afterAll(() => verifier.close());
  let emulator: Emulator;
  let clock: MovableClock;
  let ref: string;
  beforeEach(async () => {
    clock = new MovableClock();
    emulator = await startEmulator({ clock });
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    ref = emulator.control.call("createProject", { body }).ref;
    clock.advance(120_000);
  });
  afterEach(async () => {
    expect(emulator.control.internalErrors).toEqual([]);
    await emulator.close();
  });

  const host = (path: string, headers = {}): Promise<Response> =>
    fetch(`${emulator.url}/_project/${ref}/auth/v1/${path}`, { headers });
  const user = (token: string): Promise<Response> => host("user", { authorization: `Bearer ${token}` });
  const keySet = async (): Promise<{ keys: Record<string, unknown>[] }> =>
    (await (await host(".well-known/jwks.json")).json()) as { keys: Record<string, unknown>[] };
  const verify = (token: string): Promise<Verified> =>
    verifier.verify(token, `${emulator.url}/_project/${ref}/auth/v1/.well-known/jwks.json`, clock.now());
  const sign = (claims = {}): string => emulator.control.signToken(ref, { sub: "somebody", ...claims });
  const create = (algorithm: (typeof algorithms)[number], status: "in_use" | "standby" = "in_use"): string =>
    emulator.control.call("createSigningKey", { ref, body: { algorithm, status } }).id;
  const set = (id: string, status: "in_use" | "revoked" | "standby"): void => {
    clock.advance(300_000);
    emulator.control.call("updateSigningKey", { ref, id, body: { status } });
  };

  it.each(["EdDSA", "ES256", "RS256"] as const)(
    "verifies what the %s key in use has signed",
    async (algorithm) => {
      const kid = create(algorithm);
      const verified = await verify(sign({ plan: "pro" }));
      expect(verified.protectedHeader).toEqual({ alg: algorithm, kid, typ: "JWT" });
      expect(verified.payload).toMatchObject({ sub: "somebody", plan: "pro", role: "authenticated" });
      expect(lifetimeOf(verified)).toBe(3600);
    },
  );

  it("shows no shared secret, and trusts what one has signed all the same", async () => {
    const kid = create("HS256");
    const token = sign();
    expect(partOf(token, 0)).toMatchObject({ alg: "HS256", kid });
    expect(await keySet()).toEqual({ keys: [] });
    await expect(verify(token)).rejects.toThrow();
    expect(await (await user(token)).json()).toMatchObject({ sub: "somebody" });
  });

  it.each(algorithms)("trusts what an %s key has signed until the key is revoked", async (algorithm) => {
    const first = create(algorithm);
    const token = sign({ exp: Math.floor(clock.now() / 1000) + 86_400 });
    create("ES256");
    expect((await user(token)).status).toBe(200);
    if (algorithm !== "HS256")
      await expect(verify(token)).resolves.toMatchObject({ payload: { sub: "somebody" } });
    set(first, "revoked");
    expect((await user(token)).status).toBe(401);
    await expect(verify(token)).rejects.toThrow();
    await expect(verify(sign())).resolves.toBeDefined();
    set(first, "standby");
    expect((await user(token)).status).toBe(200);
  });

  it("announces a standby key before it signs, and never a private part", async () => {
    const standby = create("RS256", "standby");
    expect((await keySet()).keys).toMatchObject([{ kid: standby, alg: "RS256", use: "sig" }]);
    for (const key of (await keySet()).keys) {
      for (const name of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(key).not.toHaveProperty(name);
    }
    set(standby, "in_use");
    expect(partOf(sign(), 0)["kid"]).toBe(standby);
    await expect(verify(sign())).resolves.toBeDefined();
  });

  it("trusts an imported private key, whose owner can sign without the service", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "", d = "" } = privateKey.export({ format: "jwk" });
    const { id } = emulator.control.call("createSigningKey", {
      ref,
      body: { algorithm: "ES256", private_jwk: { kty: "EC", crv: "P-256", x, y, d } },
    });
    const data = `${encode({ alg: "ES256", kid: id })}.${encode({ sub: "elsewhere" })}`;
    const signature = createSign("sha256").update(data).sign({ key: privateKey, dsaEncoding: "ieee-p1363" });
    const token = `${data}.${signature.toString("base64url")}`;
    await expect(verify(token)).resolves.toMatchObject({ payload: { sub: "elsewhere" } });
    expect((await user(token)).status).toBe(200);
  });

  it("takes the legacy API keys as long as the JWT secret is trusted", async () => {
    const keys = emulator.control.call("listApiKeys", { ref }).filter(({ type }) => type === "legacy");
    const secret = new TextEncoder().encode(emulator.world.state.projects.get(ref)?.jwtSecret);
    for (const { name, api_key: key } of keys) {
      const verified = await verifier.verify(key ?? "", secret, clock.now());
      expect(verified.payload).toMatchObject({ iss: "svc", ref, role: name });
      expect(lifetimeOf(verified)).toBeGreaterThan(9 * 365 * 86_400);
      expect((await user(key ?? "")).status).toBe(200);
    }
    expect(keys).toHaveLength(2);
    const legacy = emulator.control.call("getLegacySigningKey", { ref }).id;
    create("ES256");
    emulator.control.call("updateLegacyApiKeys", { ref, enabled: false });
    set(legacy, "revoked");
    expect((await user(keys[0]?.api_key ?? "")).status).toBe(401);
  });

  it("refuses a token that has expired, was changed or names another algorithm", async () => {
    create("ES256");
    const token = sign();
    const [header = "", , signature = ""] = token.split(".");
    const admin = encode({ sub: "somebody", role: "service_role" });
    for (const broken of [
      `${header}.${admin}.${signature}`,
      `${encode({ alg: "none" })}.${admin}.`,
      `${encode({ alg: "HS256" })}.${admin}.${signature}`,
      `${token}.more`,
      "no-token",
    ]) {
      expect((await user(broken)).status).toBe(401);
    }
    expect((await host("user")).status).toBe(401);
    expect((await user(token)).status).toBe(200);
    clock.advance(3_600_000);
    expect((await user(token)).status).toBe(401);
  });

  it("signs for as long as the configuration says, over the control API as well", async () => {
    emulator.control.call("updateAuthConfig", { ref, body: { jwt_exp: 60 } });
    const response = await fetch(`${emulator.url}/_control/user-tokens`, {
      method: "POST",
      body: JSON.stringify({ ref, claims: { sub: "by-http" } }),
    });
    const { token } = (await response.json()) as { token: string };
    expect(await (await user(token)).json()).toMatchObject({ sub: "by-http" });
    clock.advance(60_000);
    expect((await user(token)).status).toBe(401);
  });

  it("is there only while the project's auth service runs", async () => {
    expect((await host("elsewhere")).status).toBe(404);
    emulator.control.set(["projects", ref, "forcedStatus"], "PAUSING");
    expect((await host(".well-known/jwks.json")).status).toBe(503);
    ref = "a".repeat(20);
    expect((await host(".well-known/jwks.json")).status).toBe(404);
    expect(emulator.control.calls()).toEqual([]);
  });
});
