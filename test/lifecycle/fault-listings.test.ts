import { resourceByType } from "../../provider/catalog/catalog";
import type { Values } from "../../provider/define/values";
import { startScenario, type Scenario } from "../kit/scenario";

/** An answer that lacks what it should list says nothing about what is there. */
describe("a listing without its list", () => {
  let scenario: Scenario;
  beforeEach(async () => {
    scenario = await startScenario();
  });
  afterEach(() => scenario.close());

  const answerOnce = (operation: Parameters<Scenario["calls"]>[0], body: unknown): void => {
    if (operation !== undefined) scenario.emulator.control.addFault({ operation, status: 200, body });
  };
  const shop: Values = {
    name: "shop",
    organizationSlug: "acme",
    dbPass: "first-password",
    region: "eu-central-1",
  };

  it.each([{}, { projects: null }, { projects: "none" }])(
    "lets no second project of the name be made: %j",
    async (body) => {
      scenario.healthyProject("shop");
      answerOnce("listOrganizationProjects", body);
      const projects = scenario.manage(resourceByType("Project"));
      await expect(projects.create(shop)).rejects.toThrow("the answer has no `projects`");
      expect(scenario.calls("createProject")).toBe(0);
      scenario.nextRun();
      await expect(projects.create(shop)).rejects.toThrow("already exists");
    },
  );

  it.each([
    {},
    { selected_addons: "none" },
    { selected_addons: [{}] },
    { selected_addons: [{ type: "compute_instance" }] },
    { selected_addons: [{ type: "compute_instance", variant: { name: "Small" } }] },
  ])("does not show a project's size as changed: %j", async (body) => {
    const projects = scenario.manage(resourceByType("Project"));
    const inputs = { ...shop, instanceSize: "small" };
    const made = await projects.create(inputs);
    scenario.nextRun();
    // The add-ons tell the size to whoever may not read the organization's listing.
    scenario.emulator.control.addFault({ operation: "listOrganizationProjects", status: 403 });
    answerOnce("listAddons", body);
    await expect(projects.read(made)).rejects.toThrow("listAddons");
    const read = await projects.read(made);
    expect(projects.diff(read?.state ?? {}, inputs)).toMatchObject({ changes: false });
  });

  it.each([{}, { projects: "none" }])(
    "does not show a project's size as changed: the listing %j",
    async (body) => {
      const projects = scenario.manage(resourceByType("Project"));
      const inputs = { ...shop, instanceSize: "small" };
      const made = await projects.create(inputs);
      scenario.nextRun();
      answerOnce("listOrganizationProjects", body);
      await expect(projects.read(made)).rejects.toThrow("listOrganizationProjects");
      const read = await projects.read(made);
      expect(projects.diff(read?.state ?? {}, inputs)).toMatchObject({ changes: false });
    },
  );

  it("does not show an API key as gone whose id is missing", async () => {
    const projectRef = scenario.healthyProject();
    const keys = scenario.manage(resourceByType("ApiKey"));
    const inputs = { projectRef, type: "secret", name: "backend" };
    const made = await keys.create(inputs);
    scenario.nextRun();
    const listed = scenario.emulator.control.call("listApiKeys", { ref: projectRef });
    answerOnce(
      "listApiKeys",
      listed.map(({ id, ...key }) => (key.name === "backend" ? key : { id, ...key })),
    );
    await expect(keys.read(made)).rejects.toThrow("has no ID");
    scenario.nextRun();
    expect(await keys.read(made)).toBeDefined();
  });

  it.each([{ run_steps: undefined }, { run_steps: null }])(
    "does not take a branch for usable whose steps are not told: %j",
    async (change) => {
      const projectRef = scenario.healthyProject();
      const branches = scenario.manage(resourceByType("Branch"));
      // As an emulator without the fault would show them.
      const runs = [
        { id: "a".repeat(36), branch_id: null, created_at: new Date(0).toISOString(), ...change },
      ];
      for (let look = 0; look < 5; look += 1) answerOnce("listActionRuns", runs);
      const made = await branches.create({ projectRef, name: "preview" });
      expect(scenario.progress.join()).toContain("no step shows yet");
      const steps = scenario.emulator.control.call("listActionRuns", { ref: made.id })[0]?.run_steps ?? [];
      expect(steps.map(({ status }) => status)).toEqual(["EXITED", "EXITED", "EXITED", "EXITED"]);
    },
  );
});
