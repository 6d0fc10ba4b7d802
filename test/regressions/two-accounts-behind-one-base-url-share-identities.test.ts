import type { AnyResource } from "../../provider/define/resource";
import { createResource, type Made } from "../../provider/lifecycle/operations/create";
import type { Values } from "../../provider/lifecycle/state";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { project } from "../../provider/resources/projects/project/project";
import type { OperationName } from "../../spec/table";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario({
    seed: {
      organizations: [
        { slug: "acme", name: "Acme" },
        { slug: "other", name: "Other" },
      ],
    },
  });
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const shop = { name: "shop", organizationSlug: "acme", dbPass: "first-password", region: "eu-central-1" };

/** The next run of the same program, with another access token. */
async function createWithAnotherAccount(resource: AnyResource, inputs: Values): Promise<Made> {
  scenario.nextRun();
  const runtime = { ...scenario.runtime, account: () => "another" };
  return createResource(runtime, resource, scenario.manage(resource).checked(inputs));
}

const idsOnService = (): string[] =>
  [...scenario.emulator.world.state.projects.values()].flatMap(({ ref, apiKeys, signingKeys }) => [
    ref,
    ...apiKeys.keys(),
    ...signingKeys.keys(),
  ]);

it.each<[string, AnyResource, () => Values]>([
  ["a project", project, () => ({ ...shop, allowDuplicateName: true })],
  ["an API key", apiKey, () => ({ projectRef, type: "secret", name: "backend" })],
  ["a signing key in use", signingKey, () => ({ projectRef, algorithm: "ES256", status: "in_use" })],
])("names %s of the first account, with the line that takes it over", async (_what, resource, inputs) => {
  const first = await scenario.manage(resource).create(inputs());
  const there = idsOnService();
  await expect(createWithAnotherAccount(resource, inputs())).rejects.toThrow(
    new RegExp(`another access token.*\`adoptId: "${first.id}"\``, "s"),
  );
  expect(idsOnService()).toEqual(there);

  const taken = await createWithAnotherAccount(resource, { ...inputs(), adoptId: first.id });
  expect(taken.id).toBe(first.id);
  expect(idsOnService()).toEqual(there);
});

it("makes a project of its own in another organization", async () => {
  const first = await scenario.manage(project).create(shop);
  const second = await createWithAnotherAccount(project, { ...shop, organizationSlug: "other" });
  expect(second.id).not.toBe(first.id);
  const organizationOf = (ref: string): string | undefined =>
    scenario.emulator.world.state.projects.get(ref)?.organizationSlug;
  expect([organizationOf(first.id), organizationOf(second.id)]).toEqual(["acme", "other"]);
});

it("makes an API key of its own in another project", async () => {
  const elsewhere = scenario.healthyProject("elsewhere");
  const inputs = { type: "secret", name: "backend" };
  const first = await scenario.manage(apiKey).create({ projectRef, ...inputs });
  const second = await createWithAnotherAccount(apiKey, { projectRef: elsewhere, ...inputs });
  const keysOf = (ref: string): (string | null)[] =>
    [...(scenario.emulator.world.state.projects.get(ref)?.apiKeys.values() ?? [])]
      .filter(({ name }) => name === "backend")
      .map(({ id }) => id);
  expect([keysOf(projectRef), keysOf(elsewhere)]).toEqual([[first.id], [second.id]]);
});

it("makes its own where what the first account made is gone", async () => {
  const first = await scenario.manage(apiKey).create({ projectRef, type: "secret", name: "backend" });
  scenario.emulator.control.call("deleteApiKey", { ref: projectRef, id: first.id });
  const second = await createWithAnotherAccount(apiKey, { projectRef, type: "secret", name: "backend" });
  expect(idsOnService()).toContain(second.id);
});

it.each<[string, AnyResource, OperationName, OperationName, Values, Values]>([
  [
    "a signing key in use",
    signingKey,
    "createSigningKey",
    "listSigningKeys",
    { algorithm: "ES256", status: "in_use" },
    {},
  ],
  [
    "an API key of a made-up name",
    apiKey,
    "createApiKey",
    "listApiKeys",
    { type: "secret", name: "made_up_first" },
    { name: "made_up_second" },
  ],
])(
  "names %s that the first account made without ever knowing",
  async (_what, resource, create, list, inputs, renamed) => {
    const { control } = scenario.emulator;
    control.addFault({ operation: create, status: 502, after: true });
    control.addFault({ operation: list, status: 503, skip: 1, times: 1_000 });
    const before = idsOnService();
    await expect(scenario.manage(resource).create({ projectRef, ...inputs })).rejects.toThrow();
    control.clearFaults();
    const there = idsOnService();
    const [made = ""] = there.filter((id) => !before.includes(id));
    await expect(createWithAnotherAccount(resource, { projectRef, ...inputs, ...renamed })).rejects.toThrow(
      `\`adoptId: "${made}"\``,
    );
    expect(idsOnService()).toEqual(there);
  },
);
