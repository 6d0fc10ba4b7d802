import type { AnyResource } from "../../provider/define/resource";
import type { Made } from "../../provider/lifecycle/operations/create";
import type { Values } from "../../provider/lifecycle/state";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import { secret } from "../../provider/resources/functions/secret/secret";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const removeByHand = (id: string): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(projectRef);
    for (const kept of [project?.apiKeys, project?.signingKeys, project?.ssoProviders, project?.secrets]) {
      kept?.delete(id);
    }
  });

const cases: [string, AnyResource, Values][] = [
  ["An API key", apiKey, { type: "secret", name: "backend" }],
  ["A signing key", signingKey, { algorithm: "ES256" }],
  ["An SSO provider", ssoProvider, { type: "saml", metadataUrl: "https://idp.example.com/metadata" }],
  ["A secret", secret, { name: "PAYMENT_TOKEN", value: "a-value" }],
];

describe.each(cases)("%s deleted by hand", (_name, resource, fields) => {
  let made: Made;
  const inputs = (): Values => ({ projectRef, ...fields });
  beforeEach(async () => {
    made = await scenario.manage(resource).create(inputs());
    removeByHand(made.id);
    scenario.nextRun();
  });

  it("is shown as gone and made again", async () => {
    expect(await scenario.manage(resource).read(made)).toBeUndefined();
    const again = await scenario.manage(resource).create(inputs());
    expect(await scenario.manage(resource).read(again)).toBeDefined();
  });

  it("can be destroyed", async () => {
    await expect(scenario.manage(resource).delete(made)).resolves.toBeUndefined();
  });
});

it.each(cases)("%s of a project that is gone is shown as gone", async (_name, resource, fields) => {
  const made = await scenario.manage(resource).create({ projectRef, ...fields });
  scenario.healthyProject("another");
  scenario.emulator.control.call("deleteProject", { ref: projectRef });
  scenario.clock.advance(600_000);
  scenario.nextRun();
  expect(await scenario.manage(resource).read(made)).toBeUndefined();
  await scenario.manage(resource).delete(made);
});
