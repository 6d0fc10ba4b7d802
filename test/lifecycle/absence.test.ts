import type { SettledResource } from "../../provider/engine/create/create";
import { readMarks, writeMarks } from "../../provider/define/state-marks";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { resourceOf, sampleOf } from "../kit/samples";
import { resourceByType } from "../../provider/catalog/catalog";
import { declaring, Machine, messagesOf } from "../kit/machine";
import type { ProjectRecord } from "../../emulator/service/world/state";
import { giveLargerCompute } from "../../tools/fixtures/given-addons";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

type Answer = Partial<{ status: number; message: string; body: unknown }>;

/** The service answers so from now on, whatever there is. */
function answer(
  operation: OperationName,
  { status = 404, message = "Not found", ...rest }: Answer = {},
): void {
  scenario.emulator.control.addFault({ operation, status, message, ...rest, times: 1_000 });
}

/** What becomes of an object in a refresh and in a destroy: `gone`, `kept`, or what the error says. */
async function outcomesOf(
  managed: Managed,
  made: SettledResource,
): Promise<{ read: string; delete: string }> {
  scenario.nextRun();
  const read = await managed.read(made).then(
    (found) => (found === undefined ? "gone" : "kept"),
    (error: unknown) => String(error),
  );
  scenario.nextRun();
  const deleted = await managed.delete(made).then(
    () => "gone",
    (error: unknown) => String(error),
  );
  return { read, delete: deleted };
}

describe("a project that answers 404", () => {
  const shop = { name: "shop", organizationSlug: "acme", dbPass: "a-password", region: "eu-central-1" };
  const REFUSALS = { protected: /protected from deletion/, unlisted: /nothing proves that it was deleted/ };

  async function madeWith(inputs: Values): Promise<[Managed, SettledResource]> {
    const managed = scenario.manage(resourceOf(sampleOf("Project")));
    if (inputs["adopt"] === true) scenario.healthyProject("shop");
    return [managed, await managed.create({ ...shop, ...inputs })];
  }
  const list = (projects: readonly object[]): Answer => ({
    status: 200,
    body: { projects, pagination: { count: projects.length, limit: 100, offset: 0 } },
  });
  const removed = { status: 400, message: "Resource has been removed" };

  it.each<[title: string, listing: Answer | undefined, read: string | RegExp]>([
    ["its organization lists others", list([{ ref: "x".repeat(20), name: "other" }]), "gone"],
    ["its organization lists nothing", list([]), "gone"],
    ["its organization lists it", undefined, /the organization acme lists it/],
    ["its organization cannot be listed", { status: 403 }, /cannot be listed.*organization_projects_read/],
    ["its organization is not there", { status: 404 }, /cannot be listed/],
  ])("is judged by its organization: %s", async (_, listing, expected) => {
    const [managed, made] = await madeWith({});
    answer("getProject");
    if (listing !== undefined) answer("listOrganizationProjects", listing);
    const seen = await outcomesOf(managed, made);
    for (const outcome of [seen.read, seen.delete])
      if (typeof expected === "string") expect(outcome).toBe(expected);
      else expect(outcome).toMatch(expected);
    expect(scenario.emulator.world.state.projects.has(made.id)).toBe(true);
    if (expected === "gone") expect(scenario.warnings.join()).toContain("creates a new, empty one");
  });

  it.each<[title: string, inputs: Values]>([
    ["adopted", { adopt: true }],
    ["protected by the program", { deletionProtection: true }],
  ])("stays where it is %s, until the service says that it was removed", async (_, inputs) => {
    const [managed, made] = await madeWith(inputs);
    answer("getProject");
    answer("listOrganizationProjects", list([]));
    expect((await outcomesOf(managed, made)).read).toMatch(REFUSALS.protected);
    scenario.emulator.control.clearFaults();
    answer("getProject", removed);
    expect((await outcomesOf(managed, made)).read).toBe("gone");
  });

  it.each<[string, Values, Answer]>([
    ["nothing proves it", {}, { status: 403 }],
    ["it is protected", { deletionProtection: true }, list([])],
  ])(
    "“`pulumi state delete … --target-dependents`” ends it where %s, without a call",
    async (_, more, listing) => {
      const machine = new Machine(scenario);
      const program = declaring("Project", { ...shop, ...more });
      expect(messagesOf(await machine.up(program))).toEqual([]);
      answer("getProject");
      answer("listOrganizationProjects", listing);
      expect(messagesOf(await machine.refresh()).join()).toMatch(
        /Use a token that can see the project.* If you deleted it, remove it .*`pulumi state delete 'urn:pulumi:[^']+::it' --target-dependents`/,
      );
      // It is there all the same, and a token that sees it goes on with it.
      scenario.emulator.control.clearFaults();
      expect(await machine.up(program)).toEqual({ steps: [], failures: [] });
      const before = scenario.calls();
      machine.engine.stateDelete("it");
      expect(await machine.destroy()).toEqual({ steps: [], failures: [] });
      expect(scenario.calls()).toBe(before);
      await machine.leave();
    },
  );

  it("is unknown after a 403, and the error names both reasons", async () => {
    const [managed, made] = await madeWith({});
    answer("getProject", { status: 403 });
    const { read } = await outcomesOf(managed, made);
    expect(read).toMatch(/lacks the permission `project_admin_read`, or the project was deleted/);
    expect(read).toContain("pulumi state delete");
  });

  it("keeps what is in it once it was refused itself", async () => {
    const [managed, made] = await madeWith({});
    scenario.healthyProject("other");
    const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
    const secret = await secrets.create({ projectRef: made.id, name: "TOKEN", value: "value" });
    scenario.nextRun();
    for (const operation of ["getProject", "getBranchConfig", "listSecrets"] as const) answer(operation);
    await expect(managed.read(made)).rejects.toThrow("lists it");
    expect(await secrets.read(secret)).toMatchObject({ state: { name: "TOKEN" } });
  });
});

describe("what is in a project", () => {
  let ref: string;
  beforeEach(() => {
    ref = scenario.healthyProject();
  });

  async function madeOf(type: string): Promise<[Managed, SettledResource]> {
    const sample = sampleOf(type);
    const managed = scenario.manage(resourceOf(sample));
    return [managed, await managed.create(sample.inputs(ref))];
  }

  const KEPT = /was not found, but the project \w+ is/;
  /** What a listing without an object means to a refresh, and a 404 of the object to a destroy, by the project's status. */
  const rules: readonly [status: string, read: "gone" | "kept", deleted: string | RegExp][] = [
    ["ACTIVE_HEALTHY", "gone", "gone"],
    ["ACTIVE_UNHEALTHY", "kept", "gone"],
    ["INIT_FAILED", "kept", "gone"],
    ["GOING_DOWN", "gone", "gone"],
    ["REMOVED", "gone", "gone"],
    ...[
      ...["INACTIVE", "PAUSING", "PAUSE_FAILED", "COMING_UP", "RESTORING", "RESTORE_FAILED", "UNKNOWN"],
      ...["RESIZING", "UPGRADING", "RESTARTING", "PROMOTING", "A_STATE_OF_TOMORROW"],
    ].map((status): [string, "kept", RegExp] => [status, "kept", KEPT]),
  ];

  it.each(rules)("counts in %s as %s to a refresh, and to a destroy as %s", async (status, read, deleted) => {
    const [keys, key] = await madeOf("ApiKey");
    const [identities, identity] = await madeOf("ThirdPartyAuth");
    const project = scenario.emulator.control.call("getProject", { ref });
    answer("getProject", { status: 200, body: { ...project, status } });
    answer("listApiKeys", { status: 200, body: [] });
    answer("deleteThirdPartyAuth");
    expect((await outcomesOf(keys, key)).read).toBe(read);
    const outcome = (await outcomesOf(identities, identity)).delete;
    expect(outcome).toEqual(typeof deleted === "string" ? deleted : expect.stringMatching(deleted));
    const warned = scenario.warnings.filter((line) => line.includes("stays in Pulumi's state"));
    expect(warned).toHaveLength(read === "kept" ? 1 : 0);
  });

  /** Somebody deletes what was made, and the answers still have something else. */
  const byHand: Readonly<Record<string, (record: ProjectRecord, id: string) => void>> = {
    ReadReplica: ({ readReplicas }, id) => void readReplicas.delete(id),
    BillingAddon: ({ addons }, id) => void addons.delete(id as "pitr"),
    VanitySubdomain: (record) => void (record.vanitySubdomain = null),
    AllowedCidr: ({ network }) => void (network.restrictions.config = { v4: ["192.0.2.0/24"], v6: [] }),
  };

  it.each(Object.entries(byHand))(
    "counts to the destroy of a %s only while it is active, also where the answer has something else",
    async (type, remove) => {
      const { control } = scenario.emulator;
      giveLargerCompute(scenario, ref);
      const [managed, made] = await madeOf(type);
      control.edit(({ projects }) => {
        const record = projects.get(ref);
        if (record !== undefined) remove(record, made.id);
      });
      const project = control.call("getProject", { ref });
      for (const status of ["INACTIVE", "RESTORING", "A_STATE_OF_TOMORROW"]) {
        answer("getProject", { status: 200, body: { ...project, status } });
        const outcomes = await outcomesOf(managed, made);
        expect(outcomes).toEqual({ read: "kept", delete: expect.stringMatching(KEPT) as string });
        control.clearFaults();
      }
      expect(await outcomesOf(managed, made)).toEqual({ read: "gone", delete: "gone" });
    },
  );

  it("warns once for a project, however many objects it does not show", async () => {
    const sample = sampleOf("ApiKey");
    const keys = scenario.manage(resourceOf(sample));
    const made = await Promise.all(
      [1, 2, 3].map((index) => keys.create({ ...sample.inputs(ref), name: `key_${index}` })),
    );
    const project = scenario.emulator.control.call("getProject", { ref });
    answer("getProject", { status: 200, body: { ...project, status: "INACTIVE" } });
    answer("listApiKeys", { status: 200, body: [] });
    scenario.nextRun();
    const read = await Promise.all(made.map((each) => keys.read(each)));
    expect(read.map((each) => each?.state)).toEqual(made.map(({ state }) => state));
    expect(scenario.warnings).toHaveLength(1);
  });

  it("is unknown where the token may not read the project's state, and the error names the permission", async () => {
    const sample = sampleOf("ApiKey");
    const managed = scenario.manage(resourceOf(sample));
    const made = await managed.create(sample.inputs(ref));
    answer("listApiKeys", { status: 200, body: [] });
    answer("getProject", { status: 403 });
    expect((await outcomesOf(managed, made)).read).toMatch(/project_admin_read.*pulumi state delete/);
  });

  describe("whose project answers 404, as does a branch", () => {
    async function secretOf(projectRef: string): Promise<[Managed, SettledResource]> {
      const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
      const made = await secrets.create({ projectRef, name: "TOKEN", value: "value" });
      for (const operation of ["getProject", "getBranchConfig", "listSecrets", "deleteSecrets"] as const)
        answer(operation);
      return [secrets, made];
    }

    it.each<[title: string, projects: Answer, read: string]>([
      ["are without it", { status: 200, body: [{ ref: "x".repeat(20), name: "other" }] }, "gone"],
      ["are none", { status: 200, body: [] }, "kept"],
      ["cannot be listed", { status: 403 }, "kept"],
    ])("is judged by the projects of the token, which %s", async (_, projects, expected) => {
      const [secrets, made] = await secretOf(ref);
      answer("listProjects", projects);
      answer("listBranches", { status: 200, body: [] });
      const outcomes = await outcomesOf(secrets, made);
      expect(outcomes.read).toBe(expected);
      if (expected === "kept") expect(outcomes.delete).toMatch(/no listing proves.*pulumi state delete/);
      else expect(outcomes.delete).toBe("gone");
    });

    it("is judged by one look at the project and the branch, however many listings answer 404", async () => {
      const [secrets, made] = await secretOf(ref);
      scenario.emulator.control.clearFaults();
      const keys = scenario.manage(resourceOf(sampleOf("ApiKey")));
      const key = await keys.create(sampleOf("ApiKey").inputs(ref));
      for (const operation of ["getProject", "getBranchConfig", "listSecrets", "listApiKeys"] as const)
        answer(operation);
      scenario.nextRun();
      scenario.emulator.control.clearCalls();
      expect(await secrets.read(made)).toMatchObject({ state: { name: "TOKEN" } });
      expect(await keys.read(key)).toMatchObject({ id: key.id });
      expect([scenario.calls("getProject"), scenario.calls("getBranchConfig")]).toEqual([1, 1]);
    });

    it("stays while the projects of the token list it, or a project lists the branch", async () => {
      const branches = scenario.manage(resourceOf(sampleOf("Branch")));
      const branch = await branches.create({ projectRef: ref, name: "preview" });
      for (const owner of [ref, branch.id]) {
        const [secrets, made] = await secretOf(owner);
        expect((await outcomesOf(secrets, made)).read).toBe("kept");
        scenario.emulator.control.clearFaults();
        scenario.nextRun();
      }
    });

    it("is gone with a branch that its parent no longer lists", async () => {
      const branches = scenario.manage(resourceOf(sampleOf("Branch")));
      const branch = await branches.create({ projectRef: ref, name: "preview" });
      const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
      const made = await secrets.create({ projectRef: branch.id, name: "TOKEN", value: "value" });
      scenario.emulator.control.call("deleteBranch", { branch_id_or_ref: branch.id });
      scenario.clock.advance(60 * 60_000);
      scenario.nextRun();
      expect(await branches.read(branch)).toBeUndefined();
      expect(await secrets.read(made)).toBeUndefined();
    });
  });

  describe("at another address", () => {
    const elsewhere = (made: SettledResource, service: string): SettledResource => ({
      ...made,
      state: writeMarks(made.state, { service }),
    });

    it.each(["SsoProvider", "ApiKey", "Secret", "AuthConfig"])(
      "is not gone: a %s of which nothing is there is an error that names both addresses",
      async (type) => {
        const sample = sampleOf(type);
        const managed = scenario.manage(resourceOf(sample));
        const made = elsewhere(await managed.create(sample.inputs(ref)), "https://api.example.com");
        scenario.emulator.control.call("deleteProject", { ref });
        scenario.clock.advance(24 * 60 * 60_000);
        const outcomes = await outcomesOf(managed, made);
        for (const outcome of [outcomes.read, outcomes.delete]) {
          expect(outcome).toContain(`is not at ${scenario.emulator.url}`);
          expect(outcome).toMatch(
            /the service at https:\/\/api\.example\.com.*baseUrlAliases.*pulumi state delete/s,
          );
        }
      },
    );

    it("a project is not gone, nor what is in it: no warning says that the next run makes another", async () => {
      const projects = scenario.manage(resourceOf(sampleOf("Project")));
      const shop = { name: "shop", organizationSlug: "acme", dbPass: "a-password" };
      const made = elsewhere(await projects.create(shop), "https://api.example.com");
      const secrets = scenario.manage(resourceOf(sampleOf("Secret")));
      const secret = await secrets.create({ projectRef: made.id, name: "TOKEN", value: "a" });
      scenario.emulator.world.state.projects.delete(made.id);
      const outcomes = await outcomesOf(projects, made);
      for (const outcome of [outcomes.read, outcomes.delete])
        expect(outcome).toContain(`is not at ${scenario.emulator.url}`);
      expect(scenario.warnings.join()).not.toContain("is gone");
      // The state of an earlier version has no address: the run has proven nothing of the project.
      const unmarked = { ...secret, state: writeMarks(secret.state, { service: undefined }) };
      scenario.nextRun();
      await expect(projects.read(made)).rejects.toThrow("is not at");
      expect(await secrets.read(unmarked)).toBeDefined();
    });

    it("an update that does not find it names both addresses", async () => {
      const sample = sampleOf("ApiKey");
      const keys = scenario.manage(resourceOf(sample));
      const made = elsewhere(await keys.create(sample.inputs(ref)), "https://api.example.com");
      answer("updateApiKey");
      await expect(keys.update(made, sample.changed(ref))).rejects.toThrow(
        /is not at .*the service at https:\/\/api\.example\.com/,
      );
    });

    it("changes nothing while it is found there, and is recorded by the next write", async () => {
      const sample = sampleOf("ApiKey");
      const keys = scenario.manage(resourceOf(sample));
      const made = await keys.create(sample.inputs(ref));
      expect(readMarks(made.state).service).toBe(scenario.emulator.url);
      const moved = elsewhere(made, "https://api.example.com");
      const read = await keys.read(moved);
      expect(read?.state).toEqual(moved.state);
      expect(keys.diff(moved.state, sample.inputs(ref)).changes).toBe(false);
      const updated = await keys.update(moved, sample.changed(ref));
      expect(readMarks(updated.state).service).toBe(scenario.emulator.url);
    });

    it("is judged as ever where the other address is an alias, or the state has none", async () => {
      const sample = sampleOf("ApiKey");
      const keys = scenario.manage(resourceOf(sample));
      const made = await keys.create(sample.inputs(ref));
      answer("listApiKeys", { status: 200, body: [] });
      answer("getApiKey");
      const unmarked = writeMarks(made.state, { service: undefined });
      expect((await outcomesOf(keys, { ...made, state: unmarked })).read).toBe("gone");
      scenario.nextRun();
      Object.assign(scenario.runtime, { baseUrlAliases: () => ["https://api.example.com"] });
      expect(await keys.read(elsewhere(made, "https://api.example.com"))).toBeUndefined();
    });
  });
});

it("does not take an organization for gone by its 404", async () => {
  const sample = sampleOf("Organization");
  const organizations = scenario.manage(resourceOf(sample));
  const made = await organizations.create(sample.inputs(""));
  answer("getOrganization");
  expect((await outcomesOf(organizations, made)).read).toMatch(/does not prove that it was deleted/);
});

it.each([
  [true, "stays"],
  [false, "is gone"],
])(
  "a branch with deletionProtection: %s that answers 404, as does its project, %s where the token sees other projects",
  async (deletionProtection, outcome) => {
    const managed = scenario.manage(resourceByType("Branch"));
    const projectRef = scenario.healthyProject();
    const branch = await managed.create({ projectRef, name: "staging", deletionProtection });
    for (const operation of ["getProject", "getBranchConfig", "getBranch"] as const) answer(operation);
    scenario.emulator.control.addFault({
      ...{ operation: "listBranches", status: 404, message: "Not found", times: 1 },
    });
    answer("listBranches", { status: 200, body: [] });
    answer("listProjects", { status: 200, body: [{ ref: "x".repeat(20), name: "other" }] });
    scenario.nextRun();
    expect((await managed.read(branch)) === undefined ? "is gone" : "stays").toBe(outcome);
  },
);
