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
  const consenting = { ...shop, deletionProtection: false };
  const made = await managed.create(consenting);
  expect(managed.diff(made.state, { ...consenting, region: "us-east-1" })).toMatchObject({
    changes: true,
    replaces: ["region"],
    deleteBeforeReplace: true,
  });
});

it("is refused, and planned as no replacement, without `deletionProtection: false` in the state", async () => {
  const managed = scenario.manage(project);
  const made = await managed.create(shop);
  const moved = { ...shop, region: "us-east-1", deletionProtection: false };
  expect(managed.failures(moved, shop).join()).toContain("A change of region replaces the Project");
  expect(managed.diff(made.state, moved)).toMatchObject({ changes: true, replaces: [] });
});

it("is a replacement for another organization in no case", async () => {
  const managed = scenario.manage(project);
  const consenting = { ...shop, deletionProtection: false };
  const made = await managed.create(consenting);
  const moved = { ...consenting, organizationSlug: "other" };
  expect(managed.failures(moved, consenting).join()).toContain("To move the project to another organization");
  expect(managed.diff(made.state, moved)).toMatchObject({ changes: true, replaces: [] });
});
