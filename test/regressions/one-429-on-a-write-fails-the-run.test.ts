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

it.each([
  ["createApiKey", apiKey, { type: "publishable", name: "website" }],
  ["createSigningKey", signingKey, { algorithm: "ES256" }],
  ["createSsoProvider", ssoProvider, { type: "saml", metadataUrl: "https://idp.example.com/metadata" }],
  ["createSecrets", secret, { name: "PAYMENT_TOKEN", value: "a-value" }],
] as const)("waits and sends %s again", async (operation, resource, inputs) => {
  scenario.emulator.control.addFault({ operation, status: 429, times: 2 });
  const made = await scenario.manage(resource).create({ projectRef, ...inputs });
  expect(made.id).not.toBe("");
  expect(scenario.emulator.control.pendingFaults()).toEqual([]);
  expect(scenario.calls(operation)).toBe(3);
});

it("uses the budget of a window up and goes on in the next one, without a refusal", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `key_${index}`);
  const keys = scenario.manage(apiKey);
  await Promise.all(names.map((name) => keys.create({ projectRef, type: "publishable", name })));
  const calls = scenario.emulator.control.calls();
  expect(calls.filter(({ status }) => status === 429)).toEqual([]);
  // 151 calls at 120 a minute: the wait for one window to end, and not for two.
  expect((calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0)).toBeLessThan(62_000);
});
