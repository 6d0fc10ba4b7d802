import { startScenario, type Scenario } from "../kit/scenario";
import type { Values } from "../../provider/define/values";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import type { AnyResource } from "../../provider/define/resource";
import { madeApiKeys } from "./made-api-keys";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

async function expectCandidatesNamed(
  resource: AnyResource,
  inputs: Values,
  ids: readonly string[],
): Promise<void> {
  const failure = await scenario
    .manage(resource)
    .create({ projectRef, ...inputs, adopt: true })
    .catch((error: unknown) => String(error));
  for (const id of ids) expect(failure).toContain(id);
  expect(failure).toContain("`adoptId:");
}

it("names both API keys of one name, and takes none", async () => {
  const { control } = scenario.emulator;
  const ids = ["backend", "another"].map(
    (name) => control.call("createApiKey", { ref: projectRef, body: { type: "secret", name } }).id ?? "",
  );
  control.edit(({ projects }) => {
    for (const key of madeApiKeys(projects.get(projectRef))) key.name = "backend";
  });
  await expectCandidatesNamed(apiKey, { type: "secret", name: "backend", description: "mine" }, ids);
  const keys = scenario.emulator.world.state.projects.get(projectRef)?.apiKeys;
  expect(ids.map((id) => keys?.get(id)?.description)).toEqual([null, null]);
});

it("names both signing keys of one algorithm", async () => {
  const ids = (["in_use", "standby"] as const).map(
    (status) =>
      scenario.emulator.control.call("createSigningKey", {
        ref: projectRef,
        body: { algorithm: "ES256", status },
      }).id,
  );
  await expectCandidatesNamed(signingKey, { algorithm: "ES256" }, ids);
});

it("names the provider of the address and the provider of the domain", async () => {
  const ids = [
    { metadata_url: "https://idp.example.com/metadata", domains: ["one.example"] },
    { metadata_url: "https://idp.example.com/other", domains: ["two.example"] },
  ].map(
    (body) =>
      scenario.emulator.control.call("createSsoProvider", {
        ref: projectRef,
        body: { type: "saml", ...body },
      }).id,
  );
  const inputs = {
    type: "saml",
    metadataUrl: "https://idp.example.com/metadata",
    domains: ["two.example"],
  };
  await expectCandidatesNamed(ssoProvider, inputs, ids);
});
