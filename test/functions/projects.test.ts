import { InvalidInputError, NotFoundError, ResponseSchemaError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf, faults, NOBODY } from "./invoke";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

/** Projects made past the API's log and limits. */
function makeProjects(count: number, name = (index: number) => `project-${index}`): string[] {
  return Array.from({ length: count }, (_, index) => {
    const body = { name: name(index), organization_slug: "acme", db_pass: "initial-password" };
    return scenario.emulator.control.call("createProject", { body }).ref;
  });
}

const recordOf = (ref: string) => scenario.emulator.world.state.projects.get(ref);

describe("getProject", () => {
  it("tells a project by its reference, as the service has it", async () => {
    const ref = scenario.healthyProject("shop");
    const record = recordOf(ref);
    expect(await invoke(scenario, "getProject", { ref })).toEqual({
      ref,
      name: "shop",
      organizationId: "acme",
      organizationSlug: "acme",
      region: "eu-central-1",
      status: "ACTIVE_HEALTHY",
      createdAt: new Date(record?.createdAt ?? 0).toISOString(),
      database: {
        host: `db.${ref}.service.example`,
        version: record?.database.version,
        postgresEngine: record?.database.engine,
        releaseChannel: "ga",
      },
    });
  });

  it("finds it by its exact name among those that contain it", async () => {
    makeProjects(120, (index) => `shop-${index}`);
    const ref = scenario.healthyProject("shop");
    scenario.healthyProject("Shop");
    const found = await invoke(scenario, "getProject", { organizationSlug: "acme", name: "shop" });
    expect(found["ref"]).toBe(ref);
  });

  it("guesses nothing where two bear the name: it lists both", async () => {
    const refs = makeProjects(2, () => "shop");
    const error = await errorOf(scenario, "getProject", { organizationSlug: "acme", name: "shop" });
    expect(error).toBeInstanceOf(InvalidInputError);
    for (const ref of refs) expect(error.message).toContain(ref);
    expect(error.message).toContain("Declare `ref`");
  });

  it("says what is not there: a reference, a name, an organization, a removed project", async () => {
    const error = await errorOf(scenario, "getProject", { ref: NOBODY });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`No project has the reference ${NOBODY}`);
    const unnamed = await errorOf(scenario, "getProject", { organizationSlug: "acme", name: "shop" });
    expect(unnamed).toBeInstanceOf(NotFoundError);
    expect(unnamed.message).toContain('has no project named "shop"');
    const nowhere = await errorOf(scenario, "getProject", { organizationSlug: "nobody", name: "shop" });
    expect(nowhere).toBeInstanceOf(NotFoundError);
    expect(nowhere.message).toContain("No organization has the slug nobody");
    const ref = scenario.healthyProject();
    scenario.emulator.control.call("deleteProject", { ref });
    scenario.clock.advance(5 * 60_000);
    expect(await errorOf(scenario, "getProject", { ref })).toBeInstanceOf(NotFoundError);
  });

  it("refuses arguments that name no project or two, all faults at once", () => {
    expect(faults("getProject", {})).toEqual([
      "ref: required, but missing: give `ref`, or `organizationSlug` and `name`",
    ]);
    expect(faults("getProject", { name: "shop" })).toEqual([
      "organizationSlug: required, but missing: required with `name`",
    ]);
    expect(faults("getProject", { organizationSlug: "acme" })).toEqual([
      "name: required, but missing: required with `organizationSlug`",
    ]);
    expect(faults("getProject", { ref: NOBODY, organizationSlug: "acme", name: "shop" })).toEqual([
      'organizationSlug: got "acme"; conflicts with `ref`',
      'name: got "shop"; conflicts with `ref`',
    ]);
    expect(faults("getProject", { ref: "SHORT", nam: "shop" }).map((line) => line.split(":")[0])).toEqual([
      "ref",
      "nam",
    ]);
  });

  it("leaves out what the service leaves out", async () => {
    const [ref = ""] = makeProjects(1);
    scenario.emulator.control.addFault({ operation: "getProject", status: 200, body: { ref, name: null } });
    expect(await invoke(scenario, "getProject", { ref })).toEqual({ ref });
  });
});

interface Projects {
  readonly projects: readonly { readonly ref: string; readonly name: string; readonly isBranch: boolean }[];
}

describe("getProjects", () => {
  const list = (more: object = {}): Promise<Projects> =>
    invoke<Projects>(scenario, "getProjects", { organizationSlug: "acme", ...more });

  it.each([100, 101, 250])("lists all of %d projects, each once, page by page", async (count) => {
    const refs = makeProjects(count);
    const { projects } = await list();
    expect(new Set(projects.map(({ ref }) => ref))).toEqual(new Set(refs));
    expect(projects).toHaveLength(count);
    // After a full page nothing says for sure that there is no other.
    expect(scenario.calls("listOrganizationProjects")).toBe(Math.floor(count / 100) + 1);
  });

  it("tells of each what the service tells, branches and databases among it", async () => {
    const ref = scenario.healthyProject("shop");
    scenario.emulator.control.call("createBranch", { ref, body: { branch_name: "preview" } });
    const { projects } = await list({ sort: "created_asc" });
    expect(projects.map(({ isBranch }) => isBranch)).toEqual([false]);
    // As documented in 2026-06, branches are among them.
    scenario.emulator.control.edit((state) => void (state.service = "2026-06"));
    const former = await list({ sort: "created_asc" });
    expect(former.projects.map(({ isBranch }) => isBranch)).toEqual([false, true]);
    expect(projects[0]).toEqual({
      ref,
      name: "shop",
      isBranch: false,
      status: "ACTIVE_HEALTHY",
      region: "eu-central-1",
      cloudProvider: "CLOUD",
      createdAt: new Date(recordOf(ref)?.createdAt ?? 0).toISOString(),
      databases: [
        {
          identifier: ref,
          type: "PRIMARY",
          status: "ACTIVE_HEALTHY",
          region: "eu-central-1",
          cloudProvider: "CLOUD",
          infraComputeSize: "micro",
          diskVolumeSizeGb: 2,
          diskType: "gp3",
          diskThroughputMbps: 125,
        },
      ],
    });
  });

  it("searches, filters by state and sorts", async () => {
    const paused = scenario.healthyProject("shop-a");
    scenario.healthyProject("shop-b");
    scenario.healthyProject("other");
    scenario.emulator.control.set(["projects", paused, "forcedStatus"], "INACTIVE");
    const names = async (more: object): Promise<string[]> =>
      (await list(more)).projects.map(({ name }) => name);
    expect(await names({ search: "shop", sort: "name_desc" })).toEqual(["shop-b", "shop-a"]);
    expect(await names({ statuses: ["INACTIVE"] })).toEqual(["shop-a"]);
    expect(await names({ statuses: ["INACTIVE", "ACTIVE_HEALTHY"], sort: "created_asc" })).toEqual([
      "shop-a",
      "shop-b",
      "other",
    ]);
  });

  it("tells all or fails, whatever the service says of its pages", async () => {
    const projects = makeProjects(3).map((ref) => ({ ref }));
    const answer = (body: object): void => {
      scenario.emulator.control.clearFaults();
      const operation = "listOrganizationProjects";
      scenario.emulator.control.addFault({ operation, status: 200, body, times: 1_000 });
    };
    const failure = async (body: object): Promise<Error> => {
      answer(body);
      return errorOf(scenario, "getProjects", { organizationSlug: "acme" });
    };
    const pagination = { count: 3, limit: 100, offset: 0 };
    answer({ projects, pagination });
    expect((await list()).projects).toEqual(projects);
    const failures = [
      await failure({ projects }),
      await failure({ projects, pagination: { ...pagination, count: 1_000 } }),
      await failure({ projects: [], pagination }),
      await failure({}),
    ];
    expect(failures.map((error) => error instanceof ResponseSchemaError)).toEqual([true, true, true, true]);
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringContaining("without new objects"),
      expect.stringContaining("without new objects"),
      expect.stringContaining("0 of the 3 objects"),
      expect.stringContaining("the answer has no `projects`"),
    ]);
  });

  it("asks once for many that ask at the same time, and again for who asks later", async () => {
    makeProjects(150);
    await Promise.all(Array.from({ length: 30 }, () => list()));
    expect(scenario.calls("listOrganizationProjects")).toBe(2);
    await Promise.all([list({ search: "a" }), list({ sort: "name_asc" })]);
    const [ref = ""] = makeProjects(1, () => "new");
    expect((await list()).projects.map((each) => each.ref)).toContain(ref);
  });

  it("sends a value that this version does not know, with a warning", async () => {
    const asked = { organizationSlug: "acme", sort: "size_asc", statuses: ["RESIZING"] };
    const { message } = await errorOf(scenario, "getProjects", asked);
    expect(message).toContain("listOrganizationProjects failed: the service answered 400");
    expect(scenario.warnings).toEqual([
      expect.stringContaining('sort: this version does not know "size_asc"; the nearest known value is'),
      expect.stringContaining(
        'statuses[0]: this version does not know "RESIZING"; the nearest known value is',
      ),
    ]);
  });

  it("says which organization is not there, and refuses bad arguments", async () => {
    const error = await errorOf(scenario, "getProjects", { organizationSlug: "nobody" });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("No organization has the slug nobody");
    expect(faults("getProjects", { statuses: ["RESIZING"], sort: "up", limit: 3 })).toEqual([
      "organizationSlug: required, but missing: expected a string",
      "limit: unknown property; known: organizationSlug, search, statuses, sort",
    ]);
  });
});
