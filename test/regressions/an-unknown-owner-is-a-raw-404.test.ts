import { resourceByType } from "../../provider/catalog";
import { billingAddon } from "../../provider/resources/billing/billing-addon/billing-addon";
import { project } from "../../provider/resources/projects/project/project";
import { samples } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const UNKNOWN_REF = "q".repeat(20);
const messageOf = (making: Promise<unknown>): Promise<string> =>
  making.then(
    () => "made",
    (error: unknown) => String(error),
  );

const ofProject = samples.filter(({ needsProject }) => needsProject);

it.each(ofProject.map(({ type }) => type))(
  "%s names the input of a project that is not there",
  async (type) => {
    const sample = samples.find((each) => each.type === type);
    const message = await messageOf(
      scenario.manage(resourceByType(type)).create(sample?.inputs(UNKNOWN_REF) ?? {}),
    );
    expect(message).toMatch(
      /`(?:projectRef|branchRef)`: no project or branch has the reference [a-z]{20}\. Check `/,
    );
  },
);

it("a project names the input of an organization that is not there", async () => {
  const declared = { name: "shop", organizationSlug: "nobody", dbPass: "a-password", region: "eu-central-1" };
  expect(await messageOf(scenario.manage(project).create(declared))).toMatch(
    /`organizationSlug`: no organization has the slug nobody\. Check `organizationSlug`/,
  );
});

it("a refusal on account of the plan says what to do", async () => {
  const projectRef = scenario.healthyProject();
  scenario.emulator.control.edit(({ organizations }) => {
    for (const organization of organizations.values()) organization.plan = "free";
  });
  const addon = { projectRef, addonType: "pitr", variant: "pitr_7" };
  expect(await messageOf(scenario.manage(billingAddon).create(addon))).toMatch(
    /The service lists the variant pitr_7 of pitr but rejected it .*Nothing was changed .*If the plan is the reason, move/s,
  );
  for (const type of ["VanitySubdomain", "Disk"]) {
    const sample = samples.find((each) => each.type === type);
    const message = await messageOf(
      scenario.manage(resourceByType(type)).create(sample?.inputs(projectRef) ?? {}),
    );
    expect(message).toContain("Change the declaration or the plan".replace("C", "c"));
  }
});

it("a read replica of a project that is too small says what it needs", async () => {
  const projectRef = scenario.healthyProject();
  const sample = samples.find(({ type }) => type === "ReadReplica");
  const message = await messageOf(
    scenario.manage(resourceByType("ReadReplica")).create(sample?.inputs(projectRef) ?? {}),
  );
  expect(message).toContain(`The service rejected a read replica of the project ${projectRef}`);
  expect(message).toContain("too small");
  expect(message).toContain("Choose a larger `instanceSize`");
});
