import { startScenario, type Scenario } from "../kit/scenario";
import type { Values } from "../../provider/define/values";
import type { AnyResource } from "../../provider/define/resource";
import type { SettledResource } from "../../provider/engine/create/create";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import { secret } from "../../provider/resources/functions/secret/secret";
import { branch } from "../../provider/resources/branches/branch/branch";
import { project } from "../../provider/resources/projects/project/project";
import { sampleOf } from "../kit/samples";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const shop = sampleOf("Project").inputs("");

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
  let made: SettledResource;
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

describe("A branch deleted by hand", () => {
  it("is shown as gone, deleted without an error and made again", async () => {
    const managed = scenario.manage(branch);
    const inputs = { projectRef, name: "preview" };
    const made = await managed.create(inputs);
    scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: made.id });
    scenario.nextRun();
    expect(await managed.read(made)).toBeUndefined();
    await managed.delete(made);
    const again = await managed.create(inputs);
    expect(again.id).not.toBe(made.id);
  });
});

describe("A project deleted by hand", () => {
  it("is gone after its deletion, whether the service says 400 or 404", async () => {
    const managed = scenario.manage(project);
    const made = await managed.create(shop);
    scenario.emulator.control.call("deleteProject", { ref: made.id });
    scenario.clock.advance(60_000);
    scenario.nextRun();
    expect(await managed.read(made)).toBeUndefined();
    scenario.clock.advance(3_600_000);
    scenario.nextRun();
    expect(await managed.read(made)).toBeUndefined();
    const again = await managed.create(shop);
    expect(again.id).not.toBe(made.id);
  });

  it.each([401, 403, 500])("is not taken for gone after an answer of %d", async (status) => {
    const managed = scenario.manage(project);
    const made = await managed.create(shop);
    scenario.emulator.control.addFault({ operation: "getProject", status, times: 20 });
    await expect(managed.read(made)).rejects.toThrow(String(status));
  });
});
