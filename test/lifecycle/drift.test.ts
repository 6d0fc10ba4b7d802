import { startScenario, type Scenario } from "../kit/scenario";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import type { Values } from "../../provider/define/values";
import { secret } from "../../provider/resources/functions/secret/secret";
import { resourceByType } from "../../provider/catalog/catalog";
import { sampleOf } from "../kit/samples";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

describe("a value that is reset to null", () => {
  it("sees and repairs a description and a template that were reset", async () => {
    const keys = scenario.manage(apiKey);
    const inputs = {
      projectRef,
      type: "secret",
      name: "backend",
      description: "one",
      secretJwtTemplate: { role: "reader" },
    };
    const made = await keys.create(inputs);
    scenario.emulator.control.call("updateApiKey", {
      ref: projectRef,
      id: made.id,
      body: { description: null, secret_jwt_template: null },
    });
    scenario.nextRun();
    const read = await keys.read(made);
    expect([...keys.diff(read?.state ?? {}, inputs).changed].sort()).toEqual([
      "description",
      "secretJwtTemplate",
    ]);
    await keys.update({ id: made.id, state: read?.state ?? {} }, inputs);
    expect(scenario.emulator.world.state.projects.get(projectRef)?.apiKeys.get(made.id)).toMatchObject({
      description: "one",
      secretJwtTemplate: { role: "reader" },
    });
  });

  it("sees a mapping, a format and domains that were taken away", async () => {
    const providers = scenario.manage(ssoProvider);
    const inputs = {
      projectRef,
      type: "saml",
      metadataUrl: "https://idp.example.com/metadata",
      domains: ["example.com"],
      attributeMapping: { keys: { email: { name: "mail" } } },
      nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    };
    const made = await providers.create(inputs);
    scenario.emulator.control.edit(({ projects }) => {
      const provider = projects.get(projectRef)?.ssoProviders.get(made.id);
      if (provider) Object.assign(provider, { attributeMapping: null, nameIdFormat: null, domains: [] });
    });
    scenario.nextRun();
    const read = await providers.read(made);
    expect([...providers.diff(read?.state ?? {}, inputs).changed].sort()).toEqual([
      "attributeMapping",
      "domains",
      "nameIdFormat",
    ]);
  });
});

describe("an unexpected null", () => {
  it("sees the drift of a key's description beside nulls in other fields", async () => {
    const keys = scenario.manage(apiKey);
    const inputs = { projectRef, type: "secret", name: "backend", description: "one" };
    const made = await keys.create(inputs);
    const body = [
      {
        id: made.id,
        name: "backend",
        type: "secret",
        description: "by hand",
        prefix: null,
        hash: null,
        api_key: null,
      },
      { id: null, name: "another", type: null, inserted_at: 17 },
    ];
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 200, body });
    const read = await keys.read(made);
    expect([...keys.diff(read?.state ?? {}, inputs).changed]).toEqual(["description"]);
  });

  it("sees the drift of a provider's domains beside a null in its SAML settings", async () => {
    const providers = scenario.manage(ssoProvider);
    const metadataUrl = "https://idp.example.com/metadata";
    const inputs = { projectRef, type: "saml", metadataUrl, domains: ["example.com"] };
    const made = await providers.create(inputs);
    const onlyDomains = {
      id: made.id,
      saml: null,
      domains: [{ id: null, domain: "by-hand.example" }, { domain: null }],
    };
    scenario.nextRun();
    scenario.emulator.control.addFault({
      operation: "listSsoProviders",
      status: 200,
      body: { items: [onlyDomains] },
    });
    scenario.emulator.control.addFault({ operation: "getSsoProvider", status: 200, body: onlyDomains });
    const read = await providers.read(made);
    expect([...providers.diff(read?.state ?? {}, inputs).changed]).toEqual(["domains"]);
  });

  it("sees the drift of a signing key's status beside a null in its public key", async () => {
    const keys = scenario.manage(signingKey);
    const inputs = { projectRef, algorithm: "ES256", status: "standby" };
    const made = await keys.create(inputs);
    const listed = { id: made.id, algorithm: null, status: "revoked", public_jwk: null, created_at: null };
    scenario.nextRun();
    scenario.emulator.control.addFault({
      operation: "listSigningKeys",
      status: 200,
      body: { keys: [listed] },
    });
    const read = await keys.read(made);
    expect(keys.diff(read?.state ?? {}, inputs).changed).toContain("status");
  });
});

describe("a masked secret", () => {
  const token = (): Values => ({ projectRef, name: "PAYMENT_TOKEN", value: "first-value" });

  it("takes the hash of the declared value for no drift", async () => {
    const secrets = scenario.manage(secret);
    const made = await secrets.create(token());
    scenario.nextRun();
    const read = await secrets.read(made);
    expect(read?.state["value"]).toBe("first-value");
    expect(secrets.diff(read?.state ?? {}, token()).changes).toBe(false);
  });

  it("sees by the hash that a value was changed outside, and repairs it", async () => {
    const secrets = scenario.manage(secret);
    const made = await secrets.create(token());
    scenario.emulator.control.call("createSecrets", {
      ref: projectRef,
      body: [{ name: "PAYMENT_TOKEN", value: "changed by hand" }],
    });
    scenario.nextRun();
    const read = await secrets.read(made);
    expect([...secrets.diff(read?.state ?? {}, token()).changed]).toEqual(["value"]);
    await secrets.update({ id: made.id, state: read?.state ?? {} }, token());
    const onService = scenario.emulator.world.state.projects.get(projectRef)?.secrets.get("PAYMENT_TOKEN");
    expect(onService?.value).toBe("first-value");
  });

  it("reads an API key revealed, so that it is not replaced by its mask", async () => {
    const keys = scenario.manage(apiKey);
    const made = await keys.create({ projectRef, type: "secret", name: "backend" });
    const key = scenario.emulator.world.state.projects.get(projectRef)?.apiKeys.get(made.id)?.apiKey;
    expect(made.state["apiKey"]).toBe(key);
    scenario.nextRun();
    expect((await keys.read(made))?.state["apiKey"]).toBe(key);
  });
});

describe("a refresh that finds a changed secret", () => {
  it.each([
    ["AuthConfig", "smtp.port, smtp.password changed outside this program"],
    ["CryptoExtensionKey", "rootKey changed outside this program"],
    ["Secret", "value changed outside this program"],
  ])("names what changed of %s", async (type, line) => {
    const sample = sampleOf(type);
    sample.prepare?.(scenario, projectRef);
    const managed = scenario.manage(resourceByType(type));
    const made = await managed.create(managed.checked(sample.inputs(projectRef)));
    scenario.nextRun();
    await managed.read(made);
    expect(scenario.infos).toEqual([]);

    scenario.emulator.control.edit((state) => sample.editOutside?.(state, projectRef));
    scenario.nextRun();
    const read = await managed.read(made);

    expect(scenario.infos).toEqual([expect.stringContaining(line)]);
    expect(scenario.infos.join()).not.toMatch(/by hand|root-key-by-hand/);

    // What is known is not said again.
    scenario.nextRun();
    await managed.read({ id: made.id, state: read?.state ?? {} });
    expect(scenario.infos).toHaveLength(1);
  });
});
