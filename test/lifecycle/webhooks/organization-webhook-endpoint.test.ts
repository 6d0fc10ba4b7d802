import type { Values } from "../../../provider/define/values";
import { organizationWebhookEndpoint } from "../../../provider/resources/webhooks/organization-webhook-endpoint/organization-webhook-endpoint";
import { importResource } from "../../../provider/engine/import";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let endpoints: Managed;

beforeEach(async () => {
  scenario = await startScenario();
  endpoints = scenario.manage(organizationWebhookEndpoint);
});
afterEach(() => scenario.close());

const inputs: Values = {
  organizationSlug: "acme",
  url: "https://hooks.example.com/organization",
  eventTypes: ["v1.organization.member.added"],
};
const onService = (slug = "acme") => [
  ...(scenario.emulator.world.state.organizations.get(slug)?.webhooks.endpoints.values() ?? []),
];

it("makes, reads, moves and deletes an endpoint of an organization", async () => {
  const made = await endpoints.create(inputs);
  expect(onService()).toMatchObject([{ id: made.id, eventTypes: ["v1.organization.member.added"] }]);
  expect(made.state["secret"]).toBe(onService()[0]?.signingSecret);
  scenario.nextRun();
  const read = await endpoints.read(made);
  expect(endpoints.diff(read?.state ?? {}, inputs).changes).toBe(false);
  expect(endpoints.diff(made.state, { ...inputs, organizationSlug: "hobby" }).replaces).toEqual([
    "organizationSlug",
  ]);
  await endpoints.delete(made);
  expect(onService()).toEqual([]);
  await endpoints.delete(made);
});

it("is imported by its organization and its identifier, without a secret", async () => {
  const { id } = await endpoints.create(inputs);
  scenario.nextRun();
  const found = await importResource(scenario.runtime, organizationWebhookEndpoint, `acme/${id}`, true);
  expect(found).toMatchObject({ id, inputs: { organizationSlug: "acme", url: inputs["url"] } });
  expect(found?.state).not.toHaveProperty("secret");
});

it("does not take an organization that the token does not see for one that is gone", async () => {
  const made = await endpoints.create(inputs);
  const acme = scenario.emulator.world.state.organizations.get("acme");
  scenario.emulator.control.edit(({ organizations }) => void organizations.delete("acme"));
  scenario.nextRun();
  const unproven = "This does not prove that its webhook endpoints are gone";
  await expect(endpoints.read(made)).rejects.toThrow(unproven);
  await expect(endpoints.delete(made)).rejects.toThrow(unproven);
  scenario.emulator.control.edit(({ organizations }) => {
    if (acme !== undefined) organizations.set("acme", acme);
  });
  scenario.nextRun();
  expect(await endpoints.read(made)).toBeDefined();
});
