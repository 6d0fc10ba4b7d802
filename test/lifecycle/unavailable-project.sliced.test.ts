import { startScenario, type Scenario, type Managed } from "../kit/scenario";
import type { ProjectStatus } from "../../emulator/service/world/records/project";
import { resourceByType } from "../../provider/catalog/catalog";
import type { SettledResource } from "../../provider/engine/create/create";
import { resourceOf, sampleOf, samples, samplesInTier } from "../kit/samples";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

describe("a project that is paused or does not run", () => {
  function setStatus(status: ProjectStatus | null, ref = projectRef): void {
    scenario.emulator.control.edit(({ projects }) => {
      const record = projects.get(ref);
      if (record) record.forcedStatus = status;
    });
  }

  /** The error of what fails within moments of virtual time, not at a deadline of minutes. */
  async function atOnce(work: () => Promise<unknown>): Promise<string> {
    const from = scenario.clock.now();
    const failure = await work().then(
      () => "it did not fail",
      (error: unknown) => String(error),
    );
    expect(scenario.clock.now() - from).toBeLessThan(5_000);
    return failure;
  }

  /** What pauses the project, hands it to another organization, or is told of it: the project need not run for that. */
  const APART = ["RestoreCancellation", "ProjectClaim", "ProjectClaimToken", "WebhookEndpoint", "LogDrain"];
  const children = samplesInTier(
    samples.filter(({ needsProject, type }) => needsProject && !APART.includes(type)),
  );

  describe.each(children.map((sample) => [sample.type, sample] as const))("a %s", (_, sample) => {
    let managed: Managed;
    beforeEach(() => {
      sample.prepare?.(scenario, projectRef);
      managed = scenario.manage(resourceOf(sample));
    });

    it("is told at once that its project is paused, and what to do", async () => {
      setStatus("INACTIVE");
      const message = await atOnce(() => managed.create(sample.inputs(projectRef)));
      expect(message).toContain(`The project ${projectRef} is paused (INACTIVE)`);
      expect(message).toContain("Declare `paused: false`");
      expect(message).not.toMatch(/services|Timed out/);
    });

    it("is told so when it is changed or removed", async () => {
      const made = await managed.create(sample.inputs(projectRef));
      // Longer than the service's pause between two changes of a signing key.
      scenario.clock.advance(30 * 60_000);
      scenario.nextRun();
      setStatus("INACTIVE");
      // A branch is changed beside its paused parent; what a hostname waits for is its DNS.
      const update = (): Promise<unknown> => managed.update(made, sample.changed(projectRef));
      const remove = (): Promise<unknown> => managed.delete(made);
      const usual = [
        ...(sample.replacedBy === undefined ? [update] : []),
        ...(sample.cleanUp === undefined ? [remove] : []),
      ];
      const changes = { Branch: [], CustomHostname: [remove] }[sample.type] ?? usual;
      for (const change of changes) {
        expect(await atOnce(change)).toContain(`The project ${projectRef} is paused (INACTIVE)`);
      }
    });

    it.each(["INIT_FAILED", "PAUSE_FAILED", "RESTORE_FAILED", "GOING_DOWN"] as const)(
      "is told at once that its project is %s",
      async (status) => {
        setStatus(status);
        const message = await atOnce(() => managed.create(sample.inputs(projectRef)));
        expect(message).toContain(`The project ${projectRef} is ${status}`);
        expect(message).toMatch(/pulumi up/);
        // What may have data in it is not to be destroyed on our advice.
        if (status !== "INIT_FAILED") expect(message).not.toContain("destroy");
      },
    );

    it.each(["COMING_UP", "RESTORING", "RESIZING", "UPGRADING", "RESTARTING"] as const)(
      "waits while its project is %s",
      async (status) => {
        setStatus(status);
        const wake = scenario.clock.sleep(40_000).then(() => setStatus(null));
        await managed.create(sample.inputs(projectRef));
        await wake;
        expect(scenario.progress.join("\n")).toContain(status);
      },
    );
  });

  describe("a project that the same run restores", () => {
    let projects: Managed;
    let paused: SettledResource;
    const shop = { ...sampleOf("Project").inputs(""), organizationSlug: "hobby" };
    beforeEach(async () => {
      projects = scenario.manage(resourceByType("Project"));
      paused = await projects.create({ ...shop, paused: true });
      scenario.nextRun();
    });
    const createSecret = (): Promise<SettledResource> =>
      scenario.manage(resourceByType("Secret")).create(sampleOf("Secret").inputs(paused.id));

    it("is waited for, by what begins before it and by what begins beside it", async () => {
      const before = createSecret();
      const restoring = projects.update(paused, { ...shop, paused: false });
      const beside = scenario
        .manage(resourceByType("ApiKey"))
        .create({ projectRef: paused.id, type: "secret", name: "backend" });
      await Promise.all([before, restoring, beside]);
    });

    it("is waited for while the service still shows it as paused", async () => {
      const { control } = scenario.emulator;
      const shown = control.call("getProject", { ref: paused.id });
      control.addFault({ operation: "getProject", status: 200, body: shown, times: 12 });
      await Promise.all([projects.update(paused, { ...shop, paused: false }), createSecret()]);
      expect(control.pendingFaults()).toEqual([]);
    });
  });

  it("a paused branch is told as such", async () => {
    const branches = scenario.manage(resourceByType("Branch"));
    const branch = await branches.create({ projectRef, name: "preview" });
    setStatus("INACTIVE", branch.id);
    const message = await atOnce(() =>
      scenario.manage(resourceByType("Secret")).create(sampleOf("Secret").inputs(branch.id)),
    );
    expect(message).toContain(`The branch ${branch.id} is paused (INACTIVE)`);
    expect(message).toContain("persistent");
  });

  describe("a state that this version does not know", () => {
    const create = (): Promise<SettledResource> =>
      scenario.manage(resourceByType("Secret")).create(sampleOf("Secret").inputs(projectRef));
    function answerState(status: string, times: number): void {
      const { control } = scenario.emulator;
      const shown = control.call("getProject", { ref: projectRef });
      control.addFault({ operation: "getProject", status: 200, body: { ...shown, status }, times });
    }

    it("prolongs a wait", async () => {
      setStatus("RESTARTING");
      // For the look beside the empty list, and for the one that begins the wait.
      answerState("RESTARTING", 2);
      answerState("A_STATE_OF_TOMORROW", 3);
      const wake = scenario.clock.sleep(20_000).then(() => setStatus(null));
      await create();
      await wake;
      expect(scenario.progress.join("\n")).toContain("it is A_STATE_OF_TOMORROW");
    });

    it("begins none", async () => {
      const refusal = { operation: "createSecrets", status: 400, message: "not now" } as const;
      scenario.emulator.control.addFault({ ...refusal, times: 1_000 });
      answerState("A_STATE_OF_TOMORROW", 1_000);
      expect(await atOnce(create)).toContain("not now");
    });
  });

  it("a token that may not look at the project waits for its services as before", async () => {
    setStatus("RESTARTING");
    const { control } = scenario.emulator;
    control.addFault({ operation: "getProject", status: 403, times: 1_000 });
    const wake = scenario.clock.sleep(20_000).then(() => setStatus(null));
    await scenario.manage(resourceByType("Secret")).create(sampleOf("Secret").inputs(projectRef));
    await wake;
  });
});

describe("a project that was deleted by hand", () => {
  const parts = samplesInTier()
    .filter(({ needsProject }) => needsProject)
    .map((sample) => [sample.type, sample] as const);

  describe.each([
    ["is being removed", 0],
    ["was removed a moment ago", 60_000],
    ["is forgotten", 3_600_000],
  ])("when the project %s", (_when, ageMs) => {
    it.each(parts)("%s is seen as gone, and its delete succeeds", async (_type, sample) => {
      const ref = scenario.healthyProject();
      sample.prepare?.(scenario, ref);
      const managed = scenario.manage(resourceOf(sample));
      const made = await managed.create(sample.inputs(ref));
      scenario.emulator.control.call("deleteProject", { ref });
      scenario.clock.advance(ageMs);
      scenario.nextRun();
      await managed.delete(made);
      scenario.clock.advance(60_000);
      scenario.nextRun();
      expect(await managed.read(made)).toBeUndefined();
    });
  });
});
