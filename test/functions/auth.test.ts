import { NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, invokeWrapped, errorOf, faults, NOBODY } from "./invoke";
import { recordOf } from "./scenes";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const record = () => recordOf(scenario, projectRef);
const iso = (ms: number | undefined): string => new Date(ms ?? 0).toISOString();

type Entry = Readonly<Record<string, unknown>>;

describe("getApiKeys", () => {
  const list = async (): Promise<Entry[]> =>
    (await invoke<{ apiKeys: Entry[] }>(scenario, "getApiKeys", { projectRef })).apiKeys;

  function makeKey(type: "publishable" | "secret", name: string): string {
    const body = { type, name, description: `for ${name}` };
    return scenario.emulator.control.call("createApiKey", { ref: projectRef, body }).id ?? "";
  }

  it("tells every key revealed, the JWT-based ones of old among them", async () => {
    const id = makeKey("secret", "backend");
    const onService = record().apiKeys.get(id);
    const keys = await list();
    expect(keys.find(({ name }) => name === "backend")).toEqual({
      apiKeyId: id,
      type: "secret",
      name: "backend",
      description: "for backend",
      apiKey: onService?.apiKey,
      prefix: onService?.prefix,
      hash: expect.any(String) as string,
      secretJwtTemplate: { role: "service_role" },
      createdAt: iso(onService?.insertedAt).replace("Z", "000+00:00"),
      updatedAt: iso(onService?.updatedAt).replace("Z", "000+00:00"),
    });
    const legacy = keys.filter(({ type }) => type === "legacy");
    expect(legacy.map(({ name }) => name).sort()).toEqual(["anon", "service_role"]);
  });

  it("wraps every key's value, and nothing else of it", async () => {
    const id = makeKey("publishable", "frontend");
    const { apiKeys } = (await invokeWrapped(scenario, "getApiKeys", { projectRef })) as { apiKeys: Entry[] };
    for (const { apiKey, ...others } of apiKeys) {
      expect(apiKey).toEqual({ secret: expect.any(String) as string });
      expect(JSON.stringify(others)).not.toContain('"secret":');
    }
    const [made] = apiKeys.filter(({ apiKeyId }) => apiKeyId === id);
    expect(made?.["apiKey"]).toEqual({ secret: record().apiKeys.get(id)?.apiKey });
  });

  it("asks once for many, and the resource of the same run asks no more", async () => {
    makeKey("secret", "backend");
    await Promise.all(Array.from({ length: 20 }, list));
    await list();
    expect(scenario.calls("listApiKeys")).toBe(1);
  });

  it("tells the keys of a branch by the branch's reference", async () => {
    const branch = scenario.emulator.control.call("createBranch", {
      ref: projectRef,
      body: { branch_name: "preview" },
    });
    scenario.clock.advance(10 * 60_000);
    const { apiKeys } = await invoke<{ apiKeys: Entry[] }>(scenario, "getApiKeys", {
      projectRef: branch.project_ref,
    });
    expect(apiKeys.length).toBeGreaterThan(0);
  });
});

describe("getSigningKeys", () => {
  it("tells every key with its public half", async () => {
    const made = scenario.emulator.control.call("createSigningKey", {
      ref: projectRef,
      body: { algorithm: "ES256", status: "standby" },
    });
    const { signingKeys } = await invoke<{ signingKeys: Entry[] }>(scenario, "getSigningKeys", {
      projectRef,
    });
    expect(signingKeys).toHaveLength(record().signingKeys.size);
    expect(signingKeys.find(({ signingKeyId }) => signingKeyId === made.id)).toEqual({
      signingKeyId: made.id,
      algorithm: "ES256",
      status: "standby",
      publicJwk: expect.objectContaining({ kty: "EC", kid: made.id }) as object,
      createdAt: made.created_at,
      updatedAt: made.updated_at,
    });
    const old = signingKeys.find(({ algorithm }) => algorithm === "HS256");
    expect(old).toMatchObject({ status: "in_use" });
    expect(old).not.toHaveProperty("publicJwk");
    await invoke(scenario, "getSigningKeys", { projectRef });
    expect(scenario.calls("listSigningKeys")).toBe(1);
  });
});

describe("getSsoProviders", () => {
  const metadataUrl = "https://idp.example.com/metadata";

  it("tells every provider as it is declared", async () => {
    const made = scenario.emulator.control.call("createSsoProvider", {
      ref: projectRef,
      body: {
        type: "saml",
        metadata_url: metadataUrl,
        domains: ["example.com", "example.org"],
        attribute_mapping: { keys: { mail: { name: "email" } } },
      },
    });
    const { ssoProviders } = await invoke<{ ssoProviders: Entry[] }>(scenario, "getSsoProviders", {
      projectRef,
    });
    expect(ssoProviders).toHaveLength(1);
    expect(ssoProviders[0]).toMatchObject({
      providerId: made.id,
      type: "saml",
      metadataUrl,
      entityId: metadataUrl,
      domains: ["example.com", "example.org"],
      attributeMapping: { keys: { mail: { name: "email" } } },
      createdAt: made.created_at,
      updatedAt: made.updated_at,
    });
    await invoke(scenario, "getSsoProviders", { projectRef });
    expect(scenario.calls("listSsoProviders")).toBe(1);
  });

  it("answers none where there is none, and says where SAML is not enabled", async () => {
    expect(await invoke(scenario, "getSsoProviders", { projectRef })).toEqual({ ssoProviders: [] });
    scenario.nextRun();
    scenario.emulator.control.set("auth.ssoNeedsSaml", true);
    const error = await errorOf(scenario, "getSsoProviders", { projectRef });
    expect(error).not.toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("SAML is not enabled");
  });
});

describe.each(["getApiKeys", "getSigningKeys", "getSsoProviders"])("%s", (name) => {
  it("says which project is not there", async () => {
    const error = await errorOf(scenario, name, { projectRef: NOBODY });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(NOBODY);
    expect(error.message).toContain("check `projectRef`".slice(1));
  });

  it("refuses bad arguments, all at once", () => {
    expect(faults(name, { projectRef: "short", reveal: true })).toEqual([
      'projectRef: got "short"; expected a reference of 20 lowercase letters, as `abcdefghijklmnopqrst`',
      "reveal: unknown property; known: projectRef",
    ]);
    expect(faults(name, {})).toEqual(["projectRef: required, but missing: expected a string"]);
  });
});
