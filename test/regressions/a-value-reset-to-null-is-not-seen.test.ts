import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

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
