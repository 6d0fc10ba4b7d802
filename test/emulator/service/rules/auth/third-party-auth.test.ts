import { generateKeyPairSync } from "node:crypto";
import { createRulesWorld, START, type RulesWorld } from "../rules-world";

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = { ...pair.publicKey.export({ format: "jwk" }), kid: "one" };
const ISSUER = "https://idp.example.com";
const HEALTHY_AT = START + 120_000;

describe("a third party's auth", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const create = (body: object) => service.call("createThirdPartyAuth", { ref, body });
  const get = (id: string) => service.call("getThirdPartyAuth", { ref, tpa_id: id });
  const refused = (body: object): string => service.refusal("createThirdPartyAuth", { ref, body });
  const iso = (at: number): string => new Date(at).toISOString();

  it("is of the type custom, whatever says where its keys are (service, Third-party auth)", () => {
    const type = "custom";
    expect(create({ oidc_issuer_url: ISSUER })).toMatchObject({ type, oidc_issuer_url: ISSUER });
    expect(create({ jwks_url: `${ISSUER}/keys` })).toMatchObject({ type, oidc_issuer_url: null });
    expect(create({ custom_jwks: { keys: [publicKey] } })).toMatchObject({ type, jwks_url: null });
    const listed = service.call("listThirdPartyAuth", { ref });
    expect(listed.map((each) => each.type)).toEqual([type, type, type]);
  });

  it("needs exactly one of the three", () => {
    expect(refused({})).toBe(
      "400 Exactly one of oidc_issuer_url, jwks_url and custom_jwks is needed: none is given",
    );
    expect(refused({ oidc_issuer_url: ISSUER, jwks_url: ISSUER })).toMatch(/^400 .*2 are given/);
    expect(refused({ custom_jwks: null })).toMatch(/^400 .*none is given/);
    expect(service.call("listThirdPartyAuth", { ref })).toEqual([]);
  });

  it.each([
    ["oidc_issuer_url", "http://idp.example.com"],
    ["oidc_issuer_url", "idp"],
    ["jwks_url", "http://idp.example.com/keys"],
  ])("is reached by https only: %s %s", (field, url) => {
    expect(refused({ [field]: url })).toContain(`400 ${field}: "${url}" is not a valid HTTPS URL`);
  });

  it.each([
    ["text", "keys", "custom_jwks"],
    ["no keys", {}, "custom_jwks.keys"],
    ["an empty set", { keys: [] }, "custom_jwks.keys"],
    ["a key without a type", { keys: [publicKey, { n: "x" }] }, "custom_jwks.keys.1.kty"],
    ["a key that is none", { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] }, "custom_jwks.keys.0"],
    ["a private key", { keys: [pair.privateKey.export({ format: "jwk" })] }, "private key"],
    ["a shared secret", { keys: [{ kty: "oct", k: "c2VjcmV0" }] }, "shared secret"],
  ])("is refused with %s for its own keys", (_what, custom_jwks, message) => {
    expect(refused({ custom_jwks })).toMatch(/^400 custom_jwks/);
    expect(refused({ custom_jwks })).toContain(message);
  });

  it("has the keys that it was given at once", () => {
    service.world.state.service = "2026-06";
    const keys = { keys: [publicKey] };
    expect(create({ custom_jwks: keys })).toMatchObject({
      custom_jwks: keys,
      resolved_jwks: keys,
      resolved_at: iso(HEALTHY_AT),
    });
  });

  it("gets its keys by itself a little later, and looks for new ones from time to time", () => {
    service.world.state.service = "2026-06";
    const served = service.world.state.auth.keySets;
    served.set(ISSUER, { keys: [publicKey] });
    const { id, resolved_jwks, resolved_at } = create({ oidc_issuer_url: ISSUER });
    expect([resolved_jwks, resolved_at]).toEqual([null, null]);
    service.advance(9);
    expect(get(id).resolved_at).toBeNull();
    service.advance(1);
    expect(get(id)).toMatchObject({
      resolved_jwks: { keys: [publicKey] },
      resolved_at: iso(HEALTHY_AT + 10_000),
    });

    const rotated = { keys: [{ ...publicKey, kid: "two" }] };
    served.set(ISSUER, rotated);
    service.advance(1_800);
    expect(get(id).resolved_jwks).toEqual({ keys: [publicKey] });
    service.advance(1_800);
    expect(get(id)).toMatchObject({
      inserted_at: iso(HEALTHY_AT),
      resolved_jwks: rotated,
      resolved_at: iso(HEALTHY_AT + 3_610_000),
      updated_at: iso(HEALTHY_AT + 3_610_000),
    });
  });

  it("keeps the keys it has when they can no longer be found, and waits for those that cannot be found yet", () => {
    service.world.state.service = "2026-06";
    const { id } = create({ jwks_url: `${ISSUER}/keys` });
    service.advance(20);
    expect(get(id)).toMatchObject({ resolved_jwks: null, resolved_at: null });
    service.world.state.auth.keySets.set(`${ISSUER}/keys`, { keys: [publicKey] });
    expect(get(id).resolved_jwks).toEqual({ keys: [publicKey] });
    service.world.state.auth.keySets.clear();
    service.advance(7_200);
    expect(get(id)).toMatchObject({
      resolved_jwks: { keys: [publicKey] },
      resolved_at: iso(HEALTHY_AT + 10_000),
    });
  });

  it("has its issuer's keys when it is created, keeps them for ever, and never has given ones, as measured", () => {
    service.world.state.auth.keySets.set(ISSUER, { keys: [publicKey] });
    const made = create({ oidc_issuer_url: ISSUER });
    expect(made).toMatchObject({ resolved_jwks: { keys: [publicKey] }, resolved_at: iso(HEALTHY_AT) });
    service.world.state.auth.keySets.set(ISSUER, { keys: [{ ...publicKey, kid: "two" }] });
    service.advance(2 * 3_600);
    expect(get(made.id)).toMatchObject({
      resolved_jwks: { keys: [publicKey] },
      resolved_at: iso(HEALTHY_AT),
    });

    const given = create({ custom_jwks: { keys: [publicKey] } });
    service.advance(2 * 3_600);
    expect(get(given.id)).toMatchObject({ resolved_jwks: null, resolved_at: null });
  });

  it("settles at once when nothing takes time", () => {
    service = createRulesWorld({ pace: 0 });
    ref = service.healthyProject();
    service.world.state.auth.keySets.set(ISSUER, { keys: [publicKey] });
    expect(create({ oidc_issuer_url: ISSUER }).resolved_jwks).toEqual({ keys: [publicKey] });
  });

  it("is answered once more when it is deleted, and unknown afterwards", () => {
    const { id } = create({ oidc_issuer_url: ISSUER });
    expect(service.call("deleteThirdPartyAuth", { ref, tpa_id: id })).toMatchObject({ id, type: "custom" });
    expect(service.call("listThirdPartyAuth", { ref })).toEqual([]);
    for (const name of ["getThirdPartyAuth", "deleteThirdPartyAuth"] as const) {
      expect(service.refusal(name, { ref, tpa_id: id })).toBe("404 Third-party auth integration not found");
    }
  });
});
