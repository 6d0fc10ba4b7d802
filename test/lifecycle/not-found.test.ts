import { asDocumented } from "../../tools/fixtures/documented-service";
import { startScenario, type Scenario, type Managed } from "../kit/scenario";
import { LIST_FIELDS, PAGED } from "../../provider/define/listings";
import type { SettledResource } from "../../provider/engine/create/create";
import { operations, type OperationName } from "../../spec/table";
import { countAfterDelete, resourceOf, sampleOf, samples, type Sample } from "../kit/samples";
import { project } from "../../provider/resources/projects/project/project";
import { isNotFound } from "../../provider/client/errors/errors";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { resourceByType } from "../../provider/catalog/catalog";
import { billingAddon } from "../../provider/resources/billing/billing-addon/billing-addon";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  // An account without any other project proves nothing.
  scenario.healthyProject("another");
});
afterEach(() => scenario.close());

describe("a 404 of a listing", () => {
  /** Whether the operation reads what a project has as a whole: a collection, or a configuration. */
  const listings: readonly string[] = [...Object.keys(LIST_FIELDS), ...PAGED];
  const ofEveryProject = /^\/v1\/projects\/\{ref\}\/[^{]+$/;
  const isPart = (name: OperationName): boolean =>
    listings.includes(name) || ofEveryProject.test(operations[name].path);

  /** No operation shows these: they are there as long as the project is. */
  const isUnseen = (sample: Sample): boolean =>
    ["DatabaseWebhooks", "LoginRole"].includes(sample.type) || resourceOf(sample).isAction === true;
  /** A 404 is how the service says that a project has none. */
  const isAlone = ({ type }: Sample): boolean =>
    type.startsWith("CustomHostname") || type === "ProjectClaimToken";
  const inProject = samples.filter((sample) => sample.needsProject && !isAlone(sample) && !isUnseen(sample));

  function refuse(operation: OperationName, status = 404): void {
    scenario.emulator.control.addFault({ operation, status, message: "Not found", times: 1_000 });
  }

  describe.each(inProject.map((sample) => [sample.type, sample] as const))("a %s", (_, sample) => {
    let managed: Managed;
    let made: SettledResource;
    let read: OperationName[];
    beforeEach(async () => {
      const { control } = scenario.emulator;
      sample.prepare?.(scenario, projectRef);
      managed = scenario.manage(resourceOf(sample));
      made = await managed.create(sample.inputs(projectRef));
      scenario.nextRun();
      control.clearCalls();
      await managed.read(made);
      const called = control.calls().flatMap(({ operation = [] }) => operation);
      read = [...new Set(called.filter((operation) => isPart(operation)))];
      scenario.nextRun();
    });
    const there = async (): Promise<number> => (await sample.onService(scenario, projectRef)).length;

    it("stays in state, and destroy does not succeed while it stays", async () => {
      expect(read).not.toEqual([]);
      for (const operation of read) {
        refuse(operation);
        await expect(managed.read(made)).rejects.toThrow(/treated as still present/);
      }
      await managed.delete(made).then(
        async () => expect(await there()).toBe(countAfterDelete(sample)),
        async () => expect(await there()).toBe(1),
      );
    });

    it("is gone with its project, a moment later and long after", async () => {
      scenario.emulator.control.call("deleteProject", { ref: projectRef });
      for (const laterMs of [60_000, 60 * 60_000]) {
        scenario.clock.advance(laterMs);
        scenario.nextRun();
        expect(await managed.read(made)).toBeUndefined();
        await managed.delete(made);
      }
    });

    it.each([403, 500])("is not gone when its project answers %d", async (status) => {
      for (const operation of read) refuse(operation);
      refuse("getProject", status);
      await expect(managed.read(made)).rejects.toThrow(/is not known|does not list|getProject failed/);
    });
  });

  it("asks once for a project that is gone, however many secrets it had", async () => {
    const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        secrets.create({ projectRef, name: `S_${index}`, value: "v" }),
      ),
    );
    scenario.emulator.control.call("deleteProject", { ref: projectRef });
    scenario.clock.advance(60 * 60_000);
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    expect(await Promise.all(made.map((each) => secrets.read(each)))).toEqual(made.map(() => undefined));
    expect(scenario.calls()).toBe(5);
  });

  describe("what belongs to a branch", () => {
    it("stays while the branch is there, and is gone with it", async () => {
      const branches = scenario.manage(resourceOf(sampleOf("Branch")));
      const branch = await branches.create({ projectRef, name: "preview" });
      const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
      const made = await secrets.create({ projectRef: branch.id, name: "TOKEN", value: "value" });
      scenario.nextRun();
      refuse("listSecrets");
      await expect(secrets.read(made)).rejects.toThrow("exists, so its objects are treated as still present");
      scenario.emulator.control.clearFaults();
      scenario.nextRun();
      await branches.delete(branch);
      expect(await secrets.read(made)).toBeUndefined();
    });
  });

  describe("an SSO provider whose project has SAML switched off", () => {
    const setSaml = (isEnabled: boolean): void =>
      scenario.emulator.control.edit(({ auth, projects }) => {
        auth.ssoNeedsSaml = true;
        const project = projects.get(projectRef);
        if (project) project.auth.config.saml_enabled = isEnabled;
      });
    const providers = (): unknown[] => [
      ...(scenario.emulator.world.state.projects.get(projectRef)?.ssoProviders.values() ?? []),
    ];

    it("is neither forgotten nor said to be removed nor made again; with SAML it goes on", async () => {
      const managed = scenario.manage(resourceOf(sampleOf("SsoProvider")));
      const inputs = sampleOf("SsoProvider").inputs(projectRef);
      const made = await managed.create(inputs);
      scenario.nextRun();
      setSaml(false);
      await expect(managed.read(made)).rejects.toThrow("SAML is not enabled");
      await expect(managed.update(made, sampleOf("SsoProvider").changed(projectRef))).rejects.toThrow(
        "SAML is not enabled",
      );
      await expect(managed.delete(made)).rejects.toThrow("SAML is not enabled");
      await expect(managed.create(inputs)).rejects.toThrow("SAML is not enabled");
      expect(providers()).toHaveLength(1);

      setSaml(true);
      scenario.nextRun();
      const read = await managed.read(made);
      expect(managed.diff(read?.state ?? {}, inputs).changes).toBe(false);
      await managed.delete(made);
      expect(providers()).toEqual([]);
      await managed.delete(made);
    });

    it("is not gone while the listing shows it, whatever a look at it says", async () => {
      const managed = scenario.manage(resourceOf(sampleOf("SsoProvider")));
      const xml = '<md:EntityDescriptor entityID="https://idp.example.org"></md:EntityDescriptor>';
      const inputs = { projectRef, type: "saml", metadataXml: xml };
      const made = await managed.create(inputs);
      scenario.nextRun();
      const listed = scenario.emulator.control.call("listSsoProviders", { ref: projectRef });
      const items = listed.items.map(({ saml, ...rest }) => ({
        ...rest,
        saml: { id: saml?.id, entity_id: saml?.entity_id },
      }));
      const { control } = scenario.emulator;
      control.addFault({ operation: "listSsoProviders", status: 200, body: { items }, times: 5 });
      control.addFault({ operation: "getSsoProvider", status: 404, message: "Not found", times: 5 });
      await expect(managed.read(made)).rejects.toThrow("still has it");
    });
  });

  it("a project is removed though its branches are not listed, and that is told", async () => {
    const projects = scenario.manage(resourceOf(sampleOf("Project")));
    const made = await projects.create(sampleOf("Project").inputs(""));
    scenario.nextRun();
    refuse("listBranches");
    await projects.delete(made);
    expect(scenario.warnings.join("\n")).toContain("its branches were not deleted first");
  });

  it("an organization whose listing answers 404 has no free name", async () => {
    const projects = scenario.manage(resourceOf(sampleOf("Project")));
    refuse("listOrganizationProjects");
    await expect(projects.create(sampleOf("Project").inputs(""))).rejects.toThrow("organization acme exists");
    expect(scenario.calls("createProject")).toBe(0);
  });
});

describe("a 404 page of a gateway", () => {
  const inputs = sampleOf("Project").inputs("");

  it.each(["<html><body>404 Not Found</body></html>", ""])(
    "does not take a project for gone when a gateway answers 404 with %j",
    async (body) => {
      const managed = scenario.manage(project);
      const made = await managed.create(inputs);
      scenario.nextRun();
      scenario.emulator.control.addFault({ operation: "getProject", status: 404, body });
      await expect(managed.read(made)).rejects.toThrow("treated as still present");
      expect(await managed.read(made)).toBeDefined();
    },
  );
});

describe("an address at which nothing is the service's answer", () => {
  const bodies = ["<html><body>404 Not Found</body></html>", "", { message: "Cannot GET /v1/projects" }];
  const SAYS_WHY = /check the base URL|does not have the operation/i;
  // No operation shows a `LoginRole`: a refresh has nothing to say of it.
  const kept = samples.filter(
    (sample) => sample.type !== "LoginRole" && resourceOf(sample).isAction !== true,
  );

  it.each(kept.map((sample) => [sample.type, sample] as const))(
    "ends the refresh and the destroy of a %s, which stays as it is",
    async (_, sample) => {
      sample.prepare?.(scenario, projectRef);
      const managed = scenario.manage(resourceOf(sample));
      const made = await managed.create(sample.inputs(projectRef));
      const before = await sample.onService(scenario, projectRef);
      const { control } = scenario.emulator;
      for (const body of bodies) {
        control.clearFaults();
        control.addFault({ status: 404, body, times: Infinity });
        for (const [does, step] of [
          ["read", () => managed.read(made)],
          ["delete", () => managed.delete(made)],
        ] as const) {
          scenario.nextRun();
          control.clearCalls();
          const failure = await step().then(
            (result) => (does === "read" && result === undefined ? "gone" : undefined),
            String,
          );
          // What asks the service for nothing has no answer to judge.
          if (failure !== undefined || (does === "read" && scenario.calls() > 0))
            expect(failure).toMatch(SAYS_WHY);
        }
      }
      control.clearFaults();
      expect(await sample.onService(scenario, projectRef)).toEqual(before);
    },
  );
});

describe("an endpoint that is not there", () => {
  it("keeps an object in the state, and on the service, where an endpoint is not there", async () => {
    const keys = scenario.manage(apiKey);
    const made = await keys.create({ projectRef, type: "secret", name: "backend" });
    const { control } = scenario.emulator;
    for (const operation of ["getApiKey", "listApiKeys", "deleteApiKey"] as const) {
      control.addFault({
        operation,
        status: 404,
        times: Infinity,
        body: { message: `Cannot GET /v1/${operation}` },
      });
    }
    scenario.nextRun();
    for (const step of [keys.read(made), keys.delete(made)]) {
      const error: unknown = await step.then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(Error);
      expect(isNotFound(error)).toBe(false);
    }
    const onService = scenario.emulator.world.state.projects.get(projectRef)?.apiKeys;
    expect(onService?.has(made.id)).toBe(true);
  });
});

describe("an owner that is not known", () => {
  const UNKNOWN_REF = "q".repeat(20);
  const messageOf = (making: Promise<unknown>): Promise<string> =>
    making.then(
      () => "made",
      (error: unknown) => String(error),
    );

  const refusalOf = (type: string, ref: string): Promise<string> =>
    messageOf(scenario.manage(resourceByType(type)).create(sampleOf(type).inputs(ref)));
  const ofProject = samples.filter(({ needsProject }) => needsProject);

  it.each(ofProject.map(({ type }) => type))(
    "%s names the input of a project that is not there",
    async (type) => {
      // The current service refuses these before it looks the project up.
      if (["BackupRestore", "RestorePoint", "RestorePointUndo"].includes(type))
        scenario.emulator.control.edit(asDocumented);
      const message = await refusalOf(type, UNKNOWN_REF);
      expect(message).toMatch(
        /`(?:projectRef|branchRef)`: no project or branch has the reference [a-z]{20}\. Check `/,
      );
    },
  );

  it("a project names the input of an organization that is not there", async () => {
    const declared = { ...sampleOf("Project").inputs(""), organizationSlug: "nobody" };
    expect(await messageOf(scenario.manage(project).create(declared))).toMatch(
      /`organizationSlug`: no organization has the slug nobody\. Check `organizationSlug`/,
    );
  });

  it("a refusal on account of the plan says what to do", async () => {
    scenario.emulator.control.edit(({ organizations }) => {
      for (const organization of organizations.values()) organization.plan = "free";
    });
    const addon = { projectRef, addonType: "pitr", variant: "pitr_7" };
    expect(await messageOf(scenario.manage(billingAddon).create(addon))).toMatch(
      /The service lists the variant pitr_7 of pitr but rejected it .*Nothing was changed\. If the plan is the reason, move/s,
    );
    for (const type of ["VanitySubdomain", "Disk"]) {
      expect(await refusalOf(type, projectRef)).toContain("change the declaration or the plan");
    }
  });

  it("a read replica of a project that is too small says what it needs", async () => {
    const message = await refusalOf("ReadReplica", projectRef);
    expect(message).toContain(`The service rejected a read replica of the project ${projectRef}`);
    expect(message).toContain("minimum size of small");
    expect(message).toContain("Choose a larger `instanceSize`");
  });
});
