import { createRulesWorld, type RulesWorld } from "../rules-world";

const create = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
const services = ["auth", "db", "pooler", "realtime", "rest", "storage"] as const;

describe("a project", () => {
  let service: RulesWorld;
  beforeEach(() => {
    service = createRulesWorld();
  });
  const statusOf = (ref: string): string => service.call("getProject", { ref }).status;
  const health = (ref: string): Record<string, string> =>
    Object.fromEntries(
      service.call("getHealth", { ref, services: [...services] }).map(({ name, status }) => [name, status]),
    );

  it("is answered before it exists, then comes up, then is healthy", () => {
    const created = service.call("createProject", { body: create });
    expect(created).toMatchObject({ status: "UNKNOWN", name: "shop", organization_slug: "acme" });
    expect(created).not.toHaveProperty("database");
    service.advance(2);
    expect(statusOf(created.ref)).toBe("COMING_UP");
    service.advance(29);
    expect(statusOf(created.ref)).toBe("COMING_UP");
    service.advance(1);
    expect(statusOf(created.ref)).toBe("ACTIVE_HEALTHY");
  });

  it("settles at the world's pace", () => {
    service = createRulesWorld({ pace: 0.01 });
    const ref = service.newProject();
    service.advance(0.33);
    expect(statusOf(ref)).toBe("ACTIVE_HEALTHY");
    expect(createRulesWorld({ pace: 0 }).call("createProject", { body: create }).status).toBe(
      "ACTIVE_HEALTHY",
    );
  });

  it("has its services healthy later than itself, the pooler last (service, Health)", () => {
    const ref = service.newProject();
    expect(new Set(Object.values(health(ref)))).toEqual(new Set(["COMING_UP"]));
    service.advance(33);
    expect(health(ref)).toMatchObject({ db: "ACTIVE_HEALTHY", auth: "COMING_UP", pooler: "UNHEALTHY" });
    service.advance(18);
    expect(service.call("getHealth", { ref, services: ["pooler", "auth"] })).toEqual([
      { name: "pooler", healthy: false, status: "UNHEALTHY", error: '{"error":"not found"}' },
      expect.objectContaining({ name: "auth", healthy: true, status: "ACTIVE_HEALTHY" }),
    ]);
    service.advance(1);
    expect(new Set(Object.values(health(ref)))).toEqual(new Set(["ACTIVE_HEALTHY"]));
  });

  it("never has a healthy REST service while its schema is empty (service, Health)", () => {
    const ref = service.healthyProject();
    service.projectRecord(ref).restLayer.dbSchema = "";
    expect(service.call("getHealth", { ref, services: ["rest"] })).toEqual([
      expect.objectContaining({ status: "UNHEALTHY", healthy: false, info: { db_schema: "" } }),
    ]);
  });

  it("reports a service that was made unhealthy with its error", () => {
    const ref = service.healthyProject();
    service.projectRecord(ref).unhealthyServices.set("storage", "disk is full");
    expect(service.call("getHealth", { ref, services: ["storage"] })).toEqual([
      { name: "storage", healthy: false, status: "UNHEALTHY", error: '{"error":"disk is full"}' },
    ]);
  });

  it("tells its database when looked at alone and in the list of all", () => {
    const ref = service.newProject();
    const database = { version: "17.6.1.011", postgres_engine: "17", release_channel: "ga" };
    expect(service.call("getProject", { ref }).database).toMatchObject(database);
    expect(service.call("listProjects", {})).toEqual([
      expect.objectContaining({ ref, database: expect.objectContaining(database) as unknown }),
    ]);
  });

  it("can have the name of another", () => {
    expect(service.newProject("twin")).not.toBe(service.newProject("twin"));
    expect(service.call("listProjects", {})).toHaveLength(2);
  });

  it("needs an organization that exists", () => {
    expect(service.refusal("createProject", { body: { ...create, organization_slug: "nobody" } })).toBe(
      "404 Organization not found",
    );
  });

  it("gets a concrete region for a group of regions", () => {
    const regionOf = (code: "americas" | "emea" | "apac"): string =>
      service.call("createProject", { body: { ...create, region_selection: { type: "smartGroup", code } } })
        .region;
    expect([regionOf("americas"), regionOf("emea"), regionOf("apac")]).toEqual([
      "us-east-1",
      "eu-central-1",
      "ap-southeast-1",
    ]);
    const specific = { type: "specific", code: "eu-west-3" } as const;
    expect(service.call("createProject", { body: { ...create, region_selection: specific } }).region).toBe(
      "eu-west-3",
    );
    expect(service.call("createProject", { body: { ...create, region: "sa-east-1" } }).region).toBe(
      "sa-east-1",
    );
  });

  it("takes a region in one spelling only", () => {
    const body = {
      ...create,
      region: "us-east-1",
      region_selection: { type: "smartGroup", code: "emea" },
    } as const;
    expect(service.refusal("createProject", { body })).toMatch(/^400 .*region_selection/);
  });

  it("ends as INIT_FAILED when the organization's next project is to fail, and only that one", () => {
    const organization = service.world.state.organizations.get("acme");
    if (organization) organization.nextProjectOutcome = "INIT_FAILED";
    const failing = service.healthyProject();
    expect(statusOf(failing)).toBe("INIT_FAILED");
    expect(new Set(Object.values(health(failing)))).toEqual(new Set(["UNHEALTHY"]));
    expect(statusOf(service.healthyProject())).toBe("ACTIVE_HEALTHY");
  });

  it("shows a status that a test forces, until something else begins", () => {
    const ref = service.healthyProject();
    service.projectRecord(ref).forcedStatus = "ACTIVE_UNHEALTHY";
    expect(statusOf(ref)).toBe("ACTIVE_UNHEALTHY");
    service.projectRecord(ref).forcedStatus = "INACTIVE";
    service.call("restoreProject", { ref });
    expect(statusOf(ref)).toBe("COMING_UP");
  });

  it("is renamed in any state", () => {
    const ref = service.newProject();
    expect(service.call("updateProject", { ref, body: { name: "store" } })).toEqual({
      id: 1,
      ref,
      name: "store",
    });
    expect(service.call("getProject", { ref }).name).toBe("store");
  });

  it("takes a new password once it is active, and never tells it", () => {
    const ref = service.newProject();
    const body = { password: "another-password" };
    expect(service.refusal("updateDatabasePassword", { ref, body })).toMatch(/^400 .*UNKNOWN/);
    service.advance(60);
    expect(service.call("updateDatabasePassword", { ref, body }).message).not.toContain("another-password");
    expect(service.projectRecord(ref).dbPass).toBe("another-password");
    expect(JSON.stringify(service.call("getProject", { ref }))).not.toContain("another-password");
  });

  it("refuses changes of its configuration until it is active and the service concerned is healthy", () => {
    const ref = service.newProject();
    const body = [{ name: "TOKEN", value: "x" }];
    service.advance(10);
    expect(service.refusal("createSecrets", { ref, body })).toMatch(/^400 Project status is COMING_UP/);
    expect(service.refusal("updatePostgresConfig", { ref, body: { work_mem: "8MB" } })).toMatch(/^400/);
    service.advance(22);
    service.call("createSecrets", { ref, body });
    expect(service.refusal("updatePostgresConfig", { ref, body: { work_mem: "8MB" } })).toMatch(
      /^400 Service db/,
    );
    expect(service.refusal("createSigningKey", { ref, body: { algorithm: "ES256" } })).toMatch(
      /^400 Service auth/,
    );
    service.advance(5);
    service.call("updatePostgresConfig", { ref, body: { work_mem: "8MB" } });
  });

  it("is unknown by another ref on every path", () => {
    const ref = "zzzzzzzzzzzzzzzzzzzz";
    for (const name of [
      "getProject",
      "deleteProject",
      "listSecrets",
      "listBranches",
      "getPostgresConfig",
    ] as const) {
      expect(service.refusal(name, { ref })).toBe("404 Project not found");
    }
    expect(service.refusal("getHealth", { ref, services: ["db"] })).toBe("404 Project not found");
  });
});

describe("pausing", () => {
  it("leads to INACTIVE and back through COMING_UP and RESTORING, as measured", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject("shop", "hobby");
    const status = (): string => service.call("getProject", { ref }).status;
    service.call("pauseProject", { ref });
    expect(status()).toBe("PAUSING");
    expect(service.refusal("restoreProject", { ref })).toBe(
      "400 This project is no longer in a paused state, it is PAUSING",
    );
    service.advance(60);
    expect(status()).toBe("INACTIVE");
    expect(service.refusal("pauseProject", { ref })).toMatch(/^400 .*INACTIVE/);
    service.call("restoreProject", { ref });
    expect(status()).toBe("COMING_UP");
    service.advance(20);
    expect(status()).toBe("RESTORING");
    service.advance(170);
    expect(status()).toBe("ACTIVE_HEALTHY");
    expect(service.call("getHealth", { ref, services: ["db"] })[0]?.healthy).toBe(false);
    expect(service.refusal("pauseProject", { ref })).toMatch(/^400 /);
    service.advance(30);
    service.call("pauseProject", { ref });
  });

  it("leads to INACTIVE and back through RESTORING and COMING_UP, as it was documented", () => {
    const service = createRulesWorld();
    service.world.state.service = "2026-06";
    const ref = service.healthyProject("shop", "hobby");
    const status = (): string => service.call("getProject", { ref }).status;
    service.call("pauseProject", { ref });
    service.advance(15);
    expect(status()).toBe("INACTIVE");
    expect(service.call("getHealth", { ref, services: ["db"] })).toHaveLength(1);
    service.call("restoreProject", { ref });
    expect(status()).toBe("RESTORING");
    service.advance(20);
    expect(status()).toBe("COMING_UP");
    service.advance(15);
    expect(status()).toBe("ACTIVE_HEALTHY");
    service.call("pauseProject", { ref });
  });

  it("answers as a paused project does, and as before once it is restored", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject("shop", "hobby");
    const keys = service.call("listApiKeys", { ref });
    service.call("pauseProject", { ref });
    service.advance(60);
    expect(service.call("listApiKeys", { ref })).toEqual([]);
    expect(service.call("listPoolerConfigs", { ref })).toEqual([]);
    expect(service.call("listSecrets", { ref })).toEqual([]);
    expect(service.refusal("getHealth", { ref, services: ["db"] })).toBe("400 No active services available");
    expect(service.refusal("getRestLayerConfig", { ref })).toBe("404 Postgres config not found");
    expect(service.refusal("getJitUser", { ref })).toMatch(/^406 /);
    for (const name of [
      "listSigningKeys",
      "listSsoProviders",
      "getSslEnforcement",
      "restartProject",
    ] as const)
      expect(service.refusal(name, { ref })).toMatch(/^500 /);
    for (const [name, more] of [
      ["listMigrations", {}],
      ["runQuery", { body: { query: "select 1" } }],
      ["getReadonlyMode", {}],
    ] as const)
      expect(service.refusal(name, { ref, ...more })).toBe(
        "544 Connection terminated due to connection timeout",
      );
    service.call("restoreProject", { ref });
    service.advance(190);
    expect(service.call("listApiKeys", { ref })).toEqual(keys);
  });

  it("falls back to INACTIVE when the restore fails, and can be restored again", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject("shop", "hobby");
    const status = (): string => service.call("getProject", { ref }).status;
    service.call("pauseProject", { ref });
    service.advance(60);
    service.projectRecord(ref).next.restore = "INACTIVE";
    service.call("restoreProject", { ref });
    service.advance(170);
    expect(status()).toBe("INACTIVE");
    service.call("restoreProject", { ref });
    service.advance(190);
    expect(status()).toBe("ACTIVE_HEALTHY");
  });

  it("can fail", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject("shop", "hobby");
    service.projectRecord(ref).next.pause = "PAUSE_FAILED";
    service.call("pauseProject", { ref });
    service.advance(60);
    expect(service.call("getProject", { ref }).status).toBe("PAUSE_FAILED");
  });
});

describe("deleting a project", () => {
  let service: RulesWorld;
  beforeEach(() => {
    service = createRulesWorld();
  });

  it("comes too early while it is UNKNOWN", () => {
    const ref = service.newProject();
    expect(service.refusal("deleteProject", { ref })).toBe("400 Project not ready for deletion.");
    service.advance(2);
    expect(service.call("deleteProject", { ref })).toMatchObject({ ref });
  });

  it("leads through GOING_DOWN to a removed resource and then to an unknown one", () => {
    const ref = service.healthyProject();
    service.call("deleteProject", { ref });
    expect(service.call("getProject", { ref }).status).toBe("GOING_DOWN");
    expect(service.call("deleteProject", { ref }).ref).toBe(ref);
    expect(service.refusal("createSecrets", { ref, body: [] })).toMatch(/^400 .*GOING_DOWN/);
    service.advance(15);
    expect(service.refusal("getProject", { ref })).toBe("400 Resource has been removed");
    expect(service.refusal("listSecrets", { ref })).toBe("400 Resource has been removed");
    expect(service.call("listProjects", {})).toEqual([]);
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toEqual([]);
    service.advance(300);
    expect(service.refusal("getProject", { ref })).toBe("404 Project not found");
    expect(service.world.state.projects.size).toBe(0);
  });

  it("takes settled branches along", () => {
    const ref = service.healthyProject();
    const branch = service.call("createBranch", { ref, body: { branch_name: "preview" } });
    service.advance(120);
    service.call("deleteProject", { ref });
    expect(service.refusal("getBranchConfig", { branch_id_or_ref: branch.id })).toBe("404 Branch not found");
    expect(service.refusal("listSecrets", { ref: branch.project_ref })).toBe("404 Project not found");
  });

  it("leaves a branch behind that is still provisioning, which answers 403", () => {
    const ref = service.healthyProject();
    const branch = service.call("createBranch", { ref, body: { branch_name: "preview" } });
    service.advance(10);
    service.call("deleteProject", { ref });
    service.advance(3_600);
    expect(service.refusal("getBranchConfig", { branch_id_or_ref: branch.id })).toMatch(/^403/);
    expect(service.refusal("deleteBranch", { branch_id_or_ref: branch.project_ref })).toMatch(/^403/);
    expect(service.refusal("listSecrets", { ref: branch.project_ref })).toMatch(/^403/);
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toEqual([]);
    service.world.state.service = "2026-06";
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toEqual([
      expect.objectContaining({ ref: branch.project_ref, is_branch: true }),
    ]);
    service.world.state.service = "current";
  });
});
