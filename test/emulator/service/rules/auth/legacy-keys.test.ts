import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("the legacy signing key", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const inUse = (): string[] =>
    service
      .call("listSigningKeys", { ref })
      .keys.filter(({ status }) => status === "in_use")
      .map(({ id }) => id);

  it("is the JWT secret, set up since the project exists", () => {
    const key = service.call("getLegacySigningKey", { ref });
    expect(key).toMatchObject({ algorithm: "HS256", status: "in_use", public_jwk: null });
    expect(inUse()).toEqual([key.id]);
    expect(service.refusal("createLegacySigningKey", { ref })).toMatch(/^409/);
    expect(JSON.stringify(service.call("listSigningKeys", { ref }))).not.toContain(
      service.projectRecord(ref).jwtSecret,
    );
  });

  it("is set up by a call where new projects come without", () => {
    service.world.state.auth.legacySigningKeyAtStart = false;
    ref = service.healthyProject("later");
    expect(service.call("listSigningKeys", { ref }).keys).toEqual([]);
    expect(service.refusal("getLegacySigningKey", { ref })).toMatch(/^404/);
    const first = service.call("createSigningKey", {
      ref,
      body: { algorithm: "ES256", status: "in_use" },
    }).id;
    const { id } = service.call("createLegacySigningKey", { ref });
    expect(inUse()).toEqual([id]);
    expect(service.call("getSigningKey", { ref, id: first }).status).toBe("previously_used");
    expect(service.call("getLegacySigningKey", { ref }).id).toBe(id);
  });

  it("has endpoints that may be gone", () => {
    service.world.state.auth.legacySigningKeyOffered = false;
    expect(service.refusal("getLegacySigningKey", { ref })).toMatch(/^404/);
    expect(service.refusal("createLegacySigningKey", { ref })).toMatch(/^404/);
    expect(inUse()).toHaveLength(1);
  });
});

describe("the legacy API keys", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const legacy = (): string[] =>
    service
      .call("listApiKeys", { ref })
      .filter(({ type }) => type === "legacy")
      .map(({ api_key: key }) => key ?? "");

  it("are disabled and enabled again, the same as before", () => {
    expect(service.call("getLegacyApiKeys", { ref })).toEqual({ enabled: true });
    const before = legacy();
    expect(service.call("updateLegacyApiKeys", { ref, enabled: false })).toEqual({ enabled: false });
    expect(service.call("getLegacyApiKeys", { ref })).toEqual({ enabled: false });
    expect(legacy()).toEqual([]);
    service.call("updateLegacyApiKeys", { ref, enabled: true });
    expect(legacy()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it("differ from project to project, and follow its JWT secret", () => {
    const before = legacy();
    service.projectRecord(ref).jwtSecret = "another-secret-of-the-project";
    const after = legacy();
    expect(after.map((key) => key.split(".")[1])).toEqual(before.map((key) => key.split(".")[1]));
    expect(after).not.toEqual(before);
  });

  it("must be disabled before the legacy signing key is revoked, and stay so afterwards", () => {
    const { id } = service.call("getLegacySigningKey", { ref });
    service.call("createSigningKey", { ref, body: { algorithm: "EdDSA", status: "in_use" } });
    service.advance(300);
    const body = { status: "revoked" } as const;
    expect(service.refusal("updateSigningKey", { ref, id, body })).toMatch(/^422 .*legacy API keys/);
    service.call("updateLegacyApiKeys", { ref, enabled: false });
    expect(service.call("updateSigningKey", { ref, id, body }).status).toBe("revoked");
    expect(service.refusal("updateLegacyApiKeys", { ref, enabled: true })).toMatch(/^422 .*revoked/);
    expect(service.call("updateLegacyApiKeys", { ref, enabled: false })).toEqual({ enabled: false });
  });

  it("have endpoints that may be gone", () => {
    service.world.state.auth.legacyApiKeysOffered = false;
    expect(service.refusal("getLegacyApiKeys", { ref })).toMatch(/^404/);
    expect(service.refusal("updateLegacyApiKeys", { ref, enabled: false })).toMatch(/^404/);
    expect(service.projectRecord(ref).legacyApiKeysEnabled).toBe(true);
  });
});
