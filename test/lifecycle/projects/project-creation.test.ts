import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { InitializationError } from "../../../provider/engine/step/errors";
import { project } from "../../../provider/resources/projects/project/project";
import { sampleOf } from "../../kit/samples";

let scenario: Scenario;
let projects: Managed;
beforeEach(async () => {
  scenario = await startScenario();
  projects = scenario.manage(project);
});
afterEach(() => scenario.close());

const shop = sampleOf("Project").inputs("");
const refs = (): string[] => [...scenario.emulator.world.state.projects.keys()];

describe("waiting for a new project", () => {
  async function failedCreate(): Promise<InitializationError> {
    const error: unknown = await projects.create(shop).catch((failure: unknown) => failure);
    if (error instanceof InitializationError) return error;
    throw new Error(`not an initialization error: ${String(error)}`);
  }

  it("goes on through single refusals while the project starts", async () => {
    scenario.emulator.control.addFault({ operation: "getProject", status: 403, times: 2 });
    const made = await projects.create(shop);
    expect(made.state).toMatchObject({ status: "ACTIVE_HEALTHY" });
    expect(refs()).toEqual([made.id]);
  });

  it("keeps the ref in state when polling is refused for good, and resumes in the next run", async () => {
    scenario.emulator.control.addFault({ operation: "getProject", status: 403, times: 20 });
    const half = await failedCreate();
    expect(refs()).toEqual([half.id]);
    expect(half.state).toMatchObject({ ref: half.id, name: "shop" });
    scenario.emulator.control.clearFaults();
    scenario.nextRun();
    expect(projects.diff(half.state, shop).changes).toBe(true);
    const made = await projects.update({ id: half.id, state: half.state }, shop);
    expect(made.state).toMatchObject({ status: "ACTIVE_HEALTHY" });
    expect(refs()).toEqual([half.id]);
  });

  it("keeps a project that cannot be started in state, and every run reports it until it is deleted", async () => {
    scenario.emulator.control.edit((state) => {
      for (const organization of state.organizations.values())
        organization.nextProjectOutcome = "INIT_FAILED";
    });
    const half = await failedCreate();
    expect(half.message).toContain("INIT_FAILED");
    scenario.nextRun();
    const made = { id: half.id, state: half.state };
    await expect(projects.update(made, shop)).rejects.toThrow("INIT_FAILED");
    expect(refs()).toEqual([half.id]);
    await projects.delete(made);
    expect(await projects.read(made)).toBeUndefined();
  });
});

describe("a create without an answer", () => {
  it.each([
    ["a 500 after the work", { status: 500, after: true }],
    ["a connection closed after the work", { drop: "after" }],
  ] as const)("finds the project that was made in spite of %s", async (_name, fault) => {
    scenario.emulator.control.addFault({ operation: "createProject", ...fault });
    const made = await projects.create(shop);
    expect(refs()).toEqual([made.id]);
    expect(scenario.calls("createProject")).toBe(1);
  });

  it.each([
    ["a 500", { status: 500 }],
    ["a connection closed before the work", { drop: "before" }],
  ] as const)("asks again when the project was not made because of %s", async (_name, fault) => {
    scenario.emulator.control.addFault({ operation: "createProject", ...fault });
    const made = await projects.create(shop);
    expect(refs()).toEqual([made.id]);
    expect(scenario.calls("createProject")).toBe(2);
  });

  it("tells the new project from an older one of its name", async () => {
    const older = scenario.healthyProject("shop");
    scenario.emulator.control.addFault({ operation: "createProject", status: 502, after: true });
    const made = await projects.create({ ...shop, allowDuplicateName: true });
    expect(made.id).not.toBe(older);
    expect(refs().sort()).toEqual([made.id, older].sort());
  });
});

describe("settings right after the creation", () => {
  it("takes a setting the moment the project counts as made", async () => {
    const made = await projects.create(shop);
    const { control } = scenario.emulator;
    expect(() =>
      control.call("createSecrets", { ref: made.id, body: [{ name: "TOKEN", value: "a value" }] }),
    ).not.toThrow();
    expect(() =>
      control.call("updatePostgresConfig", { ref: made.id, body: { max_connections: 120 } }),
    ).not.toThrow();
  });

  it("rotates a password while the project comes up again", async () => {
    const hobby = { ...shop, organizationSlug: "hobby" };
    const made = await projects.create(hobby);
    scenario.emulator.control.call("pauseProject", { ref: made.id });
    scenario.clock.advance(60_000);
    scenario.emulator.control.call("restoreProject", { ref: made.id });
    await projects.update(made, { ...hobby, dbPass: "second-password" });
    expect(scenario.emulator.world.state.projects.get(made.id)?.dbPass).toBe("second-password");
  });
});

describe("the wait for health", () => {
  /** Services of every project made from now on stay unhealthy. */
  function breakStorage(): void {
    scenario.emulator.control.edit((state) => {
      for (const record of state.projects.values())
        record.unhealthyServices.set("storage", "disk is missing");
    });
  }

  it("waits until the deadline that is declared, and then names the services that are not healthy", async () => {
    const made = await projects.create(shop);
    breakStorage();
    const from = scenario.clock.now();
    const failure = await projects
      .update(made, { ...shop, name: "store", timeouts: { update: 2_400 } })
      .catch((error: unknown) => String(error));
    expect(failure).toContain("storage is UNHEALTHY (disk is missing)");
    expect(failure).not.toContain("auth is");
    expect((scenario.clock.now() - from) / 1_000).toBeCloseTo(2_400, -2);
  });

  it("outlasts refusals to tell the health for as long as the deadline allows", async () => {
    scenario.emulator.control.addFault({
      operation: "getHealth",
      status: 400,
      message: "not ready",
      times: 30,
    });
    const made = await projects.create(shop);
    expect(made.state).toMatchObject({ status: "ACTIVE_HEALTHY" });
  });
});

describe("a REST layer whose schema is empty", () => {
  it("does not wait for the REST layer of a project whose schema is empty, and says why", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.edit((state) => {
      const record = state.projects.get(made.id);
      if (record !== undefined) record.restLayer.dbSchema = "";
    });
    const updated = await projects.update(made, { ...shop, name: "store" });
    expect(updated.state).toMatchObject({ status: "ACTIVE_HEALTHY", name: "store" });
    expect(scenario.warnings.join("\n")).toMatch(
      /`rest` .* did not wait for it, because its `dbSchema` is empty/,
    );
  });

  it("still waits for every other service of such a project", async () => {
    const made = await projects.create(shop);
    scenario.emulator.control.edit((state) => {
      const record = state.projects.get(made.id);
      if (record === undefined) return;
      record.restLayer.dbSchema = "";
      record.unhealthyServices.set("auth", "no key");
    });
    const inputs = { ...shop, name: "store", timeouts: { update: 300 } };
    await expect(projects.update(made, inputs)).rejects.toThrow("auth is UNHEALTHY (no key)");
  });
});
