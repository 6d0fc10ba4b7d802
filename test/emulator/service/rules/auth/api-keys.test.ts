import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("an API key", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const create = (type: "secret" | "publishable", name: string) =>
    service.call("createApiKey", { ref, body: { type, name }, reveal: true });

  it("that is secret is shown as its prefix and 26 dots until it is revealed (service, API keys)", () => {
    const { id, api_key: full, prefix } = create("secret", "backend");
    expect(full).toMatch(/^svc_secret_.{20,}$/);
    const shown = service.call("getApiKey", { ref, id: id ?? "" });
    expect(prefix).toMatch(/^svc_secret_.{5}$/);
    // The section says dots, not which: middle dots, which are in no key.
    expect(shown.api_key).toBe(`${prefix}${"\u00B7".repeat(26)}`);
    expect(full).not.toContain("\u00B7");
    expect(service.call("getApiKey", { ref, id: id ?? "", reveal: true }).api_key).toBe(full);
    expect(service.call("listApiKeys", { ref, reveal: true }).map(({ api_key }) => api_key)).toContain(full);
    expect(shown.hash).toMatch(/^[\w-]{43}$/);
  });

  it("that is publishable is always shown", () => {
    const { id, api_key: full } = create("publishable", "frontend");
    expect(service.call("getApiKey", { ref, id: id ?? "" }).api_key).toBe(full);
  });

  it("has a name of its own among the keys of its type (service, API keys)", () => {
    create("secret", "backend");
    expect(create("publishable", "backend")).toMatchObject({ type: "publishable", name: "backend" });
    const other = create("secret", "another");
    expect(service.refusal("createApiKey", { ref, body: { type: "secret", name: "backend" } })).toMatch(
      /^409/,
    );
    expect(service.refusal("updateApiKey", { ref, id: other.id ?? "", body: { name: "backend" } })).toMatch(
      /^409/,
    );
    for (const name of ["abc", "1abc", "Backend", "with-dash", "a".repeat(65)]) {
      expect(service.refusal("createApiKey", { ref, body: { type: "secret", name } })).toMatch(/^400/);
    }
  });

  it("keeps a description and a template, which can be changed and reset to null", () => {
    const body = {
      type: "secret",
      name: "backend",
      description: "one",
      secret_jwt_template: { role: "admin" },
    } as const;
    const { id } = service.call("createApiKey", { ref, body });
    const changed = service.call("updateApiKey", {
      ref,
      id: id ?? "",
      body: { description: "two", name: "server" },
    });
    expect(changed).toMatchObject({
      name: "server",
      description: "two",
      secret_jwt_template: { role: "admin" },
    });
    const reset = { description: null, secret_jwt_template: null };
    expect(service.call("updateApiKey", { ref, id: id ?? "", body: reset })).toMatchObject(reset);
  });

  it("is deleted with the reason for it", () => {
    const { id } = create("secret", "backend");
    service.call("deleteApiKey", { ref, id: id ?? "", was_compromised: true, reason: "leaked" });
    const gone = "406 Failed to find API key for project";
    expect(service.refusal("getApiKey", { ref, id: id ?? "" })).toBe(gone);
    expect(service.projectRecord(ref).deletedApiKeys).toEqual([
      { id, name: "backend", wasCompromised: true, reason: "leaked" },
    ]);
    expect(service.refusal("deleteApiKey", { ref, id: id ?? "" })).toBe(gone);
    service.world.state.service = "2026-06";
    expect(service.refusal("getApiKey", { ref, id: id ?? "" })).toBe("404 API key not found");
  });

  it("is listed beside the four of a new project, the legacy ones while these are enabled (service, API keys)", () => {
    create("secret", "backend");
    const listed = (): (string | null | undefined)[] =>
      service.call("listApiKeys", { ref }).map(({ name, type }) => `${name} ${type ?? ""}`);
    expect(listed()).toEqual([
      "anon legacy",
      "service_role legacy",
      "default publishable",
      "default secret",
      "backend secret",
    ]);
    service.projectRecord(ref).legacyApiKeysEnabled = false;
    expect(listed()).toEqual(["default publishable", "default secret", "backend secret"]);
  });

  it("that is legacy has a hash, but neither a template nor times (service, API keys)", () => {
    const [anon] = service.call("listApiKeys", { ref });
    expect(anon).toMatchObject({
      name: "anon",
      type: "legacy",
      hash: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    for (const field of ["secret_jwt_template", "inserted_at", "updated_at"])
      expect(anon).not.toHaveProperty(field);
  });
});
