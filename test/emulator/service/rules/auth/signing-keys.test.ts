import { generateKeyPairSync } from "node:crypto";
import type { OperationParameters } from "../../../../../spec/operation";
import type { Operations } from "../../../../../spec/table";
import { createRulesWorld, type RulesWorld } from "../rules-world";

type Status = "in_use" | "standby" | "previously_used" | "revoked";

describe("a signing key", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const create = (status?: "in_use" | "standby"): string =>
    service.call("createSigningKey", { ref, body: { algorithm: "ES256", ...(status ? { status } : {}) } }).id;
  const set = (id: string, status: Status): string =>
    service.call("updateSigningKey", { ref, id, body: { status } }).status;
  const refusedSet = (id: string, status: Status): string =>
    service.refusal("updateSigningKey", { ref, id, body: { status } });
  const status = (id: string): string => service.call("getSigningKey", { ref, id }).status;
  const legacyId = (): string => service.call("listSigningKeys", { ref }).keys[0]?.id ?? "";

  it("is the project's own JWT secret at first", () => {
    expect(service.call("listSigningKeys", { ref }).keys).toEqual([
      expect.objectContaining({ algorithm: "HS256", status: "in_use", public_jwk: null }),
    ]);
  });

  it("is created on standby, one at a time", () => {
    expect(status(create())).toBe("standby");
    expect(service.refusal("createSigningKey", { ref, body: { algorithm: "RS256" } })).toMatch(
      /^422 .*standby/,
    );
  });

  // service, Signing keys.
  it("is refused on a project made a moment ago, with the time from which on it is taken", () => {
    service.world.state.service = "2026-06";
    const fresh = service.newProject("fresh");
    const body = { algorithm: "ES256" } as const;
    service.advance(119);
    const until = new Date(service.projectRecord(fresh).createdAt + 120_000).toISOString();
    expect(service.refusal("createSigningKey", { ref: fresh, body })).toBe(`400 Please wait until ${until}`);
    service.advance(1);
    service.call("createSigningKey", { ref: fresh, body });

    service.world.state.auth.signingKeyAfterMs = 40_000;
    const next = service.newProject("next");
    service.advance(39);
    expect(service.refusal("createSigningKey", { ref: next, body })).toMatch(/^400 Please wait until/);
    service.advance(1);
    service.call("createSigningKey", { ref: next, body });
  });

  it("takes over when it is created in use", () => {
    const id = create("in_use");
    expect([status(legacyId()), status(id)]).toEqual(["previously_used", "in_use"]);
  });

  it("takes over from standby", () => {
    const id = create();
    expect(set(id, "in_use")).toBe("in_use");
    expect(status(legacyId())).toBe("previously_used");
  });

  it("moves from state to state as the service allows, and no other way", () => {
    const first = create();
    expect(refusedSet(first, "previously_used")).toBe(
      "422 A signing key that is standby cannot be set to previously_used; possible: in_use, revoked",
    );
    set(first, "in_use");
    for (const to of ["standby", "revoked", "previously_used"] as const) {
      expect(refusedSet(first, to)).toMatch(/^422 A signing key that is in_use/);
    }
    const second = create();
    service.advance(300);
    set(second, "in_use");
    service.advance(300);
    expect(refusedSet(first, "in_use")).toMatch(/^422 A signing key that is previously_used/);
    expect(set(first, "revoked")).toBe("revoked");
    service.advance(300);
    expect(refusedSet(first, "in_use")).toMatch(/^422 A signing key that is revoked/);
    expect(set(first, "standby")).toBe("standby");
  });

  it("is revoked straight from standby, unless the state forbids it", () => {
    expect(set(create(), "revoked")).toBe("revoked");
    service.world.state.signingKeyMoves.standby = ["in_use"];
    expect(refusedSet(create(), "revoked")).toMatch(/^422 A signing key that is standby/);
  });

  it("cannot be put on standby beside another", () => {
    service.world.state.service = "2026-06";
    const first = create("in_use");
    create("in_use");
    create();
    service.advance(300);
    expect(refusedSet(first, "standby")).toMatch(/^422 There is a standby key already/);
  });

  it("is not put on standby beside another, nor previously used beside three, as measured", () => {
    const first = create("in_use");
    create();
    expect(
      service.refusal("createSigningKey", { ref, body: { algorithm: "ES256", status: "standby" } }),
    ).toBe("422 Project already has a signing key in standby");
    while (usedKeys() < 3) create("in_use");
    const refused =
      "422 There already are 3 previously used signing keys. To proceed first revoke at least 1.";
    expect(service.refusal("createSigningKey", { ref, body: { algorithm: "ES256", status: "in_use" } })).toBe(
      refused,
    );
    service.advance(300);
    service.call("updateSigningKey", { ref, id: first, body: { status: "revoked" } });
    create("in_use");
    expect(usedKeys()).toBe(3);
  });

  it("is taken on a project made a moment ago, and with an id that no project has, as measured", () => {
    const fresh = service.newProject("fresh");
    service.advance(60);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = { ...privateKey.export({ format: "jwk" }), kid: "5b1a6c0e-0000-4000-8000-000000000001" };
    const body = { algorithm: "ES256", private_jwk: jwk } as never;
    service.call("createSigningKey", { ref: fresh, body });
    expect(service.refusal("createSigningKey", { ref, body })).toBe(
      `409 Signing key with kid "${jwk.kid}" already exists`,
    );
  });

  const usedKeys = (): number =>
    service.call("listSigningKeys", { ref }).keys.filter(({ status }) => status === "previously_used").length;

  it("is not changed twice within five minutes", () => {
    const id = create("in_use");
    create("in_use");
    expect(refusedSet(id, "revoked")).toMatch(/^422 Too soon/);
    service.advance(299);
    expect(refusedSet(id, "revoked")).toMatch(/^422 Too soon/);
    service.advance(1);
    expect(set(id, "revoked")).toBe("revoked");
  });

  it("is left alone when it has the wanted state already", () => {
    const id = create("in_use");
    expect(set(id, "in_use")).toBe("in_use");
  });

  it("is deleted only once it has been revoked for a while", () => {
    const id = create("in_use");
    expect(service.refusal("deleteSigningKey", { ref, id })).toMatch(/^422 .*in_use/);
    create("in_use");
    expect(service.refusal("deleteSigningKey", { ref, id })).toMatch(/^422 .*previously_used/);
    service.advance(300);
    set(id, "revoked");
    expect(service.refusal("deleteSigningKey", { ref, id })).toMatch(/^422 Too soon/);
    service.advance(300);
    expect(service.call("deleteSigningKey", { ref, id })).toMatchObject({ id, status: "revoked" });
    expect(service.refusal("getSigningKey", { ref, id })).toBe("404 Signing key not found");
    expect(service.refusal("deleteSigningKey", { ref, id })).toBe("404 Signing key not found");
  });

  it("that is the legacy one is never deleted, and revoked only once the legacy API keys are disabled", () => {
    const id = legacyId();
    create("in_use");
    service.advance(300);
    expect(refusedSet(id, "revoked")).toMatch(/^422 .*legacy API keys/);
    service.projectRecord(ref).legacyApiKeysEnabled = false;
    expect(set(id, "revoked")).toBe("revoked");
    service.advance(600);
    expect(service.refusal("deleteSigningKey", { ref, id })).toMatch(/^422 The legacy key/);
  });

  it("shows the public members of a private key that was supplied, and nothing else of it", () => {
    const {
      x = "",
      y = "",
      d = "",
    } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
      format: "jwk",
    });
    const key = service.call("createSigningKey", {
      ref,
      body: { algorithm: "ES256", private_jwk: { kty: "EC", crv: "P-256", x, y, d } },
    });
    expect(key.public_jwk).toMatchObject({ kty: "EC", crv: "P-256", x, y, kid: key.id });
    expect(JSON.stringify(service.call("listSigningKeys", { ref }))).not.toContain(d);
  });

  it("has a public key of its own kind, and none for a shared secret", () => {
    service.world.state.service = "2026-06";
    const publicOf = (algorithm: "RS256" | "ES256" | "EdDSA" | "HS256"): unknown =>
      service.call("createSigningKey", { ref, body: { algorithm, status: "in_use" } }).public_jwk;
    expect(publicOf("RS256")).toMatchObject({ kty: "RSA", e: "AQAB", alg: "RS256" });
    expect(publicOf("ES256")).toMatchObject({ kty: "EC", crv: "P-256" });
    expect(publicOf("EdDSA")).toMatchObject({ kty: "OKP", crv: "Ed25519" });
    expect(publicOf("HS256")).toBeNull();
  });

  it("keeps its private key, which nobody is shown", () => {
    service.world.state.service = "2026-06";
    for (const algorithm of ["RS256", "ES256", "EdDSA", "HS256"] as const) {
      const { id } = service.call("createSigningKey", { ref, body: { algorithm, status: "in_use" } });
      const kept = service.projectRecord(ref).signingKeys.get(id)?.privateJwk ?? {};
      const hidden = String(kept[algorithm === "HS256" ? "k" : "d"]);
      expect(hidden.length).toBeGreaterThan(40);
      const shown = JSON.stringify([
        service.call("getSigningKey", { ref, id }),
        service.call("listSigningKeys", { ref }),
      ]);
      expect(shown).not.toContain(hidden);
    }
  });

  describe("that is imported", () => {
    const jwkOf = (type: "ec" | "ed25519" | "rsa", modulusLength = 2048): Record<string, unknown> => {
      const { privateKey } =
        type === "rsa"
          ? generateKeyPairSync("rsa", { modulusLength })
          : type === "ec"
            ? generateKeyPairSync("ec", { namedCurve: "P-256" })
            : generateKeyPairSync("ed25519");
      return { ...privateKey.export({ format: "jwk" }) };
    };
    type Body = OperationParameters<Operations["createSigningKey"]>["body"];
    // Whole keys and broken ones alike: the service must tell them apart.
    const bodyOf = (algorithm: string, private_jwk: object) =>
      ({ algorithm, private_jwk, status: "in_use" }) as Body;
    const refusedImport = (algorithm: string, jwk: object): string =>
      service.refusal("createSigningKey", { ref, body: bodyOf(algorithm, jwk) });

    it.each([
      ["RS256", "rsa"],
      ["ES256", "ec"],
      ["EdDSA", "ed25519"],
    ] as const)("is taken when it is a whole %s key", (algorithm, type) => {
      const { id, public_jwk } = service.call("createSigningKey", {
        ref,
        body: bodyOf(algorithm, jwkOf(type)),
      });
      expect(public_jwk).toMatchObject({ kid: id, alg: algorithm });
    });

    it.each([
      ["RS256", "rsa", "n"],
      ["RS256", "rsa", "d"],
      ["RS256", "rsa", "p"],
      ["RS256", "rsa", "dp"],
      ["RS256", "rsa", "dq"],
      ["RS256", "rsa", "qi"],
      ["ES256", "ec", "x"],
      ["ES256", "ec", "y"],
      ["ES256", "ec", "d"],
      ["EdDSA", "ed25519", "x"],
      ["EdDSA", "ed25519", "d"],
    ] as const)("is refused when an %s key of type %s has another's %s", (algorithm, type, part) => {
      const mixed = { ...jwkOf(type), [part]: jwkOf(type)[part] };
      expect(refusedImport(algorithm, mixed)).toMatch(/^400 private_jwk: /);
      expect(refusedImport(algorithm, { ...jwkOf(type), [part]: "!" })).toMatch(/^400 private_jwk: /);
      expect(service.call("listSigningKeys", { ref }).keys).toHaveLength(1);
    });

    it("is refused when it is too short to be safe, or empty", () => {
      expect(refusedImport("RS256", jwkOf("rsa", 1024))).toMatch(/^400 .*1024 bits, not 2048/);
      expect(refusedImport("HS256", { kty: "oct", k: "!".repeat(16) })).toMatch(/^400 .*no bytes/);
    });
  });

  it("must be of the algorithm that is asked for", () => {
    const private_jwk = { kty: "oct", k: "0123456789abcdef" } as const;
    expect(service.refusal("createSigningKey", { ref, body: { algorithm: "ES256", private_jwk } })).toMatch(
      /^400 .*HS256/,
    );
  });
});
