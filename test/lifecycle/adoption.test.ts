import { startScenario, type Scenario } from "./scenario";
import type { Values } from "../../provider/lifecycle/state";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";
import type { AnyResource } from "../../provider/define/resource";
import { madeApiKeys } from "./made-api-keys";
import { project } from "../../provider/resources/projects/project/project";
import { sampleOf } from "./samples";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const shop = sampleOf("Project").inputs("");

describe("an object of a project", () => {
  let projectRef: string;
  beforeEach(() => {
    projectRef = scenario.healthyProject();
  });

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
});

describe("a project", () => {
  it("names all candidates when there is more than one, and takes none", async () => {
    const refs = [scenario.healthyProject("shop"), scenario.healthyProject("shop")];
    scenario.healthyProject("shopping");
    const failure = await scenario
      .manage(project)
      .create({ ...shop, adopt: true })
      .catch((error: unknown) => String(error));
    for (const ref of refs) expect(failure).toContain(ref);
    expect(failure).toContain("adopt");
    expect([...scenario.emulator.world.state.projects.values()].map(({ dbPass }) => dbPass)).toEqual([
      "initial-password",
      "initial-password",
      "initial-password",
    ]);
  });

  it("takes the one that is named by its ref", async () => {
    const [first] = [scenario.healthyProject("shop"), scenario.healthyProject("shop")];
    const made = await scenario.manage(project).create({ ...shop, adoptId: first });
    expect(made.id).toBe(first);
  });

  it("does not make a second project of a name unless that is declared", async () => {
    const ref = scenario.healthyProject("shop");
    const managed = scenario.manage(project);
    await expect(managed.create(shop)).rejects.toThrow(`adoptId: "${ref}"`);
    expect(scenario.calls("createProject")).toBe(0);
    const made = await managed.create({ ...shop, allowDuplicateName: true });
    expect(made.id).not.toBe(ref);
  });

  it("counts neither branches nor projects that are going down", async () => {
    const ref = scenario.healthyProject("shop");
    scenario.emulator.control.call("createBranch", { ref, body: { branch_name: "shop" } });
    scenario.clock.advance(600_000);
    scenario.emulator.control.call("deleteProject", { ref });
    const made = await scenario.manage(project).create(shop);
    expect(made.id).not.toBe(ref);
  });
});
