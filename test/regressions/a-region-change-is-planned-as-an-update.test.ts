import type { Values } from "../../provider/lifecycle/state";
import { project } from "../../provider/resources/projects/project/project";
import { startScenario, type Scenario } from "../lifecycle/scenario";

const shop: Values = {
  name: "shop",
  organizationSlug: "acme",
  dbPass: "first-password",
  region: "eu-central-1",
};

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("is planned as a replacement that removes the project of the same name first", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  expect(managed.diff(made.state, { ...shop, region: "us-east-1" })).toMatchObject({
    changes: true,
    replaces: ["region"],
    deleteBeforeReplace: true,
  });
});

it("is a replacement for another organization too, which need not wait for the removal", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  expect(managed.diff(made.state, { ...shop, organizationSlug: "other" })).toMatchObject({
    replaces: ["organizationSlug"],
    deleteBeforeReplace: false,
  });
});
