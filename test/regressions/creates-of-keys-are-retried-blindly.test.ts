import type { AnyResource } from "../../provider/define/resource";
import type { Values } from "../../provider/lifecycle/state";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import type { OperationName } from "../../spec/table";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { madeApiKeys } from "../lifecycle/made-api-keys";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const idsOnService = (): string[] => {
  const project = scenario.emulator.world.state.projects.get(projectRef);
  const keys = [...(project?.signingKeys.values() ?? [])].filter(({ legacy }) => !legacy);
  return [
    ...keys.map(({ id }) => id),
    ...madeApiKeys(project).map(({ id }) => id),
    ...(project?.ssoProviders.keys() ?? []),
  ];
};

const cases: [string, OperationName, AnyResource, Values][] = [
  ["an API key", "createApiKey", apiKey, { type: "secret", name: "backend" }],
  ["a standby signing key", "createSigningKey", signingKey, { algorithm: "ES256" }],
  ["a signing key in use", "createSigningKey", signingKey, { algorithm: "ES256", status: "in_use" }],
  [
    "an SSO provider by its entity",
    "createSsoProvider",
    ssoProvider,
    {
      type: "saml",
      metadataXml: '<EntityDescriptor entityID="https://idp.example.com"></EntityDescriptor>',
    },
  ],
];

describe.each(cases)("%s", (_name, operation, resource, fields) => {
  it.each([
    ["a 500", { status: 500, after: true }],
    ["a closed connection", { drop: "after" }],
  ] as const)("that was made in spite of %s is found", async (_fault, fault) => {
    scenario.emulator.control.addFault({ operation, ...fault });
    const made = await scenario.manage(resource).create({ projectRef, ...fields });
    expect(idsOnService()).toEqual([made.id]);
    expect(scenario.calls(operation)).toBe(1);
  });

  it.each([
    ["a 500", { status: 500 }],
    ["a closed connection", { drop: "before" }],
  ] as const)("that was not made because of %s is asked for again", async (_fault, fault) => {
    scenario.emulator.control.addFault({ operation, ...fault });
    const made = await scenario.manage(resource).create({ projectRef, ...fields });
    expect(idsOnService()).toEqual([made.id]);
    expect(scenario.calls(operation)).toBe(2);
  });
});

it("tells a new signing key in use from the one before it", async () => {
  const before = scenario.emulator.control.call("createSigningKey", {
    ref: projectRef,
    body: { algorithm: "ES256", status: "in_use" },
  });
  scenario.emulator.control.addFault({ operation: "createSigningKey", drop: "after" });
  const made = await scenario.manage(signingKey).create({ projectRef, algorithm: "ES256", status: "in_use" });
  expect(made.id).not.toBe(before.id);
  expect(idsOnService()).toEqual([before.id, made.id]);
});
