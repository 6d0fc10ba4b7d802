import { declaring, messagesOf, startMachine } from "../../kit/machine";
import { adoptIdIn, createdAsAdvised } from "../as-advised";
import type { Declared } from "../../kit/model-engine";
import { halfMadeBy } from "../half-made";
import type { Values } from "../../../provider/define/values";
import { NotFoundError } from "../../../provider/client/errors/errors";
import { readReplica } from "../../../provider/resources/database/read-replica/read-replica";
import { giveLargerCompute } from "../../../tools/fixtures/given-addons";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { replicasOnService } from "../../../tools/fixtures/database/read-replica";

let scenario: Scenario;
let replicas: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  giveLargerCompute(scenario, ref);
  replicas = scenario.manage(readReplica);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, region: "us-east-1", ...more });
const ids = (): string[] => replicasOnService(scenario, ref).map(({ identifier }) => identifier);

it("is waited for until it is healthy, and is gone from the service after a delete", async () => {
  const made = await replicas.create(declared());
  expect(ids()).toEqual([made.id]);
  expect(made.state).toMatchObject({
    identifier: made.id,
    status: "ACTIVE_HEALTHY",
    instanceSize: "xlarge",
    diskSizeGb: 2,
  });
  expect(scenario.progress.join("\n")).toContain("it is INIT_READ_REPLICA");

  scenario.nextRun();
  const read = await replicas.read(made);
  expect(replicas.diff(read?.state ?? {}, declared()).changes).toBe(false);
  const elsewhere = declared({ region: "eu-west-1" });
  expect(replicas.diff(made.state, elsewhere)).toMatchObject({ changes: true, replaces: [] });
  expect(replicas.failures(elsewhere, declared()).join()).toContain("run `pulumi up --target-replace '");

  scenario.nextRun();
  await replicas.delete(made);
  const { readReplicas } = scenario.emulator.world.state.projects.get(ref) ?? {};
  expect([...(readReplicas?.keys() ?? [])]).toEqual([]);
});

it("stays apart from another one of the region that is made beside it", async () => {
  const owners = ["one", "two", "three"].map((name) => `acme/shop/dev/${name}`);
  const made = await Promise.all(
    owners.map((owner) => replicas.create(declared({ __owner: owner, allowSameRegion: true }))),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  expect(ids().sort()).toEqual(made.map(({ id }) => id).sort());
  expect(scenario.calls("setUpReadReplica")).toBe(3);
  const [first] = made;
  if (first === undefined) throw new Error("Nothing was made");
  scenario.nextRun();
  await replicas.delete(first);
  expect(ids()).not.toContain(first.id);
  expect(ids()).toHaveLength(2);
});

it("makes no second one in a region unless that is asked for", async () => {
  const first = await replicas.create(declared());
  scenario.nextRun();
  const again = declared({ __owner: "acme/shop/dev/other" });
  await expect(replicas.create(again)).rejects.toThrow(/already exists.*`allowSameRegion: true`/s);
  expect(ids()).toEqual([first.id]);
  scenario.nextRun();
  const second = await replicas.create({ ...again, allowSameRegion: true });
  expect(ids()).toEqual([first.id, second.id]);
});

it("is taken over where that is asked for", async () => {
  scenario.emulator.control.call("setUpReadReplica", { ref, body: { read_replica_region: "us-east-1" } });
  const [id] = ids();
  const adopted = await replicas.create(declared({ adopt: true }));
  expect(adopted).toMatchObject({ id, state: { status: "ACTIVE_HEALTHY" } });
  expect(scenario.calls("setUpReadReplica")).toBe(0);
});

it.each([{ drop: "after" }, { status: 500, after: true }] as const)(
  "is set up once where the first answer got lost, and kept as the error says: %j",
  async (fault) => {
    scenario.emulator.control.addFault({ operation: "setUpReadReplica", ...fault });
    const made = await createdAsAdvised(scenario, replicas, declared());
    expect(ids()).toEqual([made.id]);
    expect(scenario.calls("setUpReadReplica")).toBe(1);
  },
);

it("is set up once where the listing fails right after it", async () => {
  scenario.emulator.control.addFault({
    operation: "listOrganizationProjects",
    status: 403,
    times: 8,
    skip: 2,
  });
  const made = await replicas.create(declared());
  expect(ids()).toEqual([made.id]);
  expect(scenario.calls("setUpReadReplica")).toBe(1);
});

it("is a half-made resource where the service cannot set it up, which a delete removes", async () => {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.next.readReplica = "INIT_READ_REPLICA_FAILED";
  });
  const failure = await halfMadeBy(replicas.create(declared()));
  expect(failure.message).toContain("INIT_READ_REPLICA_FAILED");
  expect(ids()).toEqual([failure.id]);
  scenario.nextRun();
  await replicas.delete({ id: failure.id, state: failure.state });
  expect(ids()).toEqual([]);
});

it("passes on that the compute size is too small", async () => {
  scenario.emulator.control.edit(({ projects }) => projects.get(ref)?.addons.delete("compute_instance"));
  await expect(replicas.create(declared())).rejects.toThrow("Read replicas require a minimum size of small");
});

it("is gone when somebody removes it, and not when a listing lacks its project or its databases", async () => {
  const made = await replicas.create(declared());
  const listed = scenario.emulator.control.call("listOrganizationProjects", { slug: "acme" });
  const halves = [
    { ...listed, projects: [], pagination: { count: 0, limit: 100, offset: 0 } },
    { ...listed, projects: listed.projects.map((project) => ({ ...project, databases: undefined })) },
    {
      ...listed,
      projects: listed.projects.map((project) => ({
        ...project,
        databases: project.databases.map((database) => ({ ...database, identifier: undefined })),
      })),
    },
  ];
  for (const body of halves) {
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "listOrganizationProjects", status: 200, body });
    await expect(replicas.read(made)).rejects.toThrow("treated as still present");
  }
  scenario.emulator.control.call("removeReadReplica", { ref, body: { database_identifier: made.id } });
  scenario.nextRun();
  expect(await replicas.read(made)).toBeUndefined();
});

it("is not gone while its project is paused, whose databases are all going down", async () => {
  const made = await replicas.create(declared());
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.forcedStatus = "INACTIVE";
  });
  scenario.nextRun();
  const read = await replicas.read(made);
  expect(read?.state).toMatchObject({ identifier: made.id, status: "GOING_DOWN" });
  await expect(replicas.delete(made)).rejects.toThrow("is paused (INACTIVE)");
});

it("asks for one listing for all replicas of a refresh", async () => {
  const regions = ["us-east-1", "eu-west-1", "eu-central-1"];
  const made = await Promise.all(
    regions.map((region) => replicas.create(declared({ region, __owner: region }))),
  );
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each) => replicas.read(each)));
  expect(scenario.calls()).toBe(2);
});

describe("one whose run was killed before its answer", () => {
  it("is kept by the identifier that the error names, and removed with the program", async () => {
    const { scenario: world, machine, projectRef } = await startMachine();
    try {
      giveLargerCompute(world, projectRef);
      const inputs = { projectRef, region: "us-east-1" };
      await machine.upThatDies(declaring("ReadReplica", inputs), { point: "answer setUpReadReplica" });
      const [message = ""] = messagesOf(await machine.up(declaring("ReadReplica", inputs)));
      const adopted = declaring("ReadReplica", { ...inputs, adoptId: adoptIdIn(message) });
      expect(messagesOf(await machine.up(adopted))).toEqual([]);
      expect(replicasOnService(world, projectRef)).toHaveLength(1);
      // The line can go again.
      expect((await machine.up(declaring("ReadReplica", inputs))).steps).toEqual([]);
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(replicasOnService(world, projectRef)).toEqual([]);
      expect(messagesOf(await machine.up(declaring("ReadReplica", inputs)))).toEqual([]);
      expect(replicasOnService(world, projectRef)).toHaveLength(1);
    } finally {
      await machine.close();
    }
  });

  it("is forgotten with its project, when that is destroyed instead", async () => {
    const { scenario: world, machine } = await startMachine();
    try {
      const shop = {
        name: "shop",
        organizationSlug: "acme",
        dbPass: "first-password",
        region: "eu-central-1",
      };
      const program: Declared[] = [
        ...declaring("Project", { ...shop, instanceSize: "xlarge" }),
        {
          name: "replica",
          type: "ReadReplica",
          inputs: (outputs) => ({ projectRef: outputs("it")["ref"], region: "us-east-1" }),
        },
      ];
      await machine.upThatDies(program, { point: "answer setUpReadReplica" });
      const project = machine.engine.get("it")?.id ?? "";
      expect(replicasOnService(world, project)).toHaveLength(1);
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(messagesOf(await machine.up(program))).toEqual([]);
      expect(machine.engine.get("it")?.id).not.toBe(project);
      expect(machine.warnings).toEqual([]);
    } finally {
      await machine.close();
    }
  });
});

// service, Read replicas: each of these was measured.
it("waits for the backup that follows a new size", async () => {
  scenario.emulator.control.call("applyAddon", {
    ref,
    body: { addon_type: "compute_instance", addon_variant: "ci_large" },
  });
  const began = scenario.clock.now();
  const made = await replicas.create(declared());
  expect(ids()).toEqual([made.id]);
  expect(scenario.clock.now() - began).toBeGreaterThan(5 * 60_000);
  expect(scenario.progress.join("\n")).toContain("a backup of the project");
});

it("is refused at once, and not gone, where there is no physical backup", async () => {
  scenario.emulator.control.set(["projects", ref, "backups", "physical"], false);
  const failure: unknown = await replicas.create(declared()).catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(NotFoundError);
  expect(String(failure)).toMatch(
    /no physical backup.*Failed to check for latest completed physical backup/s,
  );
  expect(scenario.calls("setUpReadReplica")).toBe(1);
});

it("says that the size is too small", async () => {
  scenario.emulator.control.edit(({ projects }) => projects.get(ref)?.addons.clear());
  await expect(replicas.create(declared())).rejects.toThrow(/minimum size of small.*larger `instanceSize`/s);
});

it("is neither gone nor left behind where the listing shows it with a type of tomorrow", async () => {
  const made = await replicas.create(declared());
  const listed = scenario.emulator.control.call("listOrganizationProjects", { slug: "acme" });
  const projects = listed.projects.map((project) => ({
    ...project,
    databases: project.databases.map((database) => ({
      ...database,
      type: database.identifier === made.id ? "VALUE_OF_TOMORROW" : database.type,
    })),
  }));
  const body = { ...listed, projects };
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "listOrganizationProjects", status: 200, body, times: 2 });
  expect(await replicas.read(made)).toMatchObject({ id: made.id });
  scenario.nextRun();
  await replicas.delete(made);
  expect(scenario.calls("removeReadReplica")).toBe(1);
  expect(ids()).toEqual([]);
});
