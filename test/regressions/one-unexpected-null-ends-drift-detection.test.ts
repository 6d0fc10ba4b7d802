import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

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
  scenario.emulator.control.addFault({ operation: "listSigningKeys", status: 200, body: { keys: [listed] } });
  const read = await keys.read(made);
  expect(keys.diff(read?.state ?? {}, inputs).changed).toContain("status");
});
