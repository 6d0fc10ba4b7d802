import { finishDatabaseWork } from "../../../../../emulator/service/rules/shared/database/database-work";
import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("a branch", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const create = (branch_name = "preview"): { id: string; project_ref: string } =>
    service.call("createBranch", { ref, body: { branch_name } });
  const status = (id: string): string =>
    service.call("listBranches", { ref }).find((branch) => branch.id === id)?.status ?? "gone";
  const names = (): string[] => service.call("listBranches", { ref }).map(({ name }) => name);

  it("that is the first one makes a default branch for the project itself", () => {
    create();
    create("second");
    const branches = service.call("listBranches", { ref });
    expect(branches.map(({ name, is_default }) => [name, is_default])).toEqual([
      ["main", true],
      ["preview", false],
      ["second", false],
    ]);
    expect(branches[0]).toMatchObject({
      project_ref: ref,
      parent_project_ref: ref,
      status: "FUNCTIONS_DEPLOYED",
    });
  });

  it("that is the default one cannot be deleted", () => {
    create();
    const main = service.call("getBranch", { ref, name: "main" });
    expect(service.refusal("deleteBranch", { branch_id_or_ref: main.id })).toBe(
      "422 Cannot delete the default branch",
    );
    expect(service.call("getBranchConfig", { branch_id_or_ref: main.id }).ref).toBe(ref);
  });

  it("has a name of its own within its project", () => {
    create();
    expect(service.refusal("createBranch", { ref, body: { branch_name: "preview" } })).toMatch(/^409 /);
    const second = create("second");
    expect(
      service.refusal("updateBranch", { branch_id_or_ref: second.id, body: { branch_name: "preview" } }),
    ).toMatch(/^409 /);
    expect(service.refusal("getBranch", { ref, name: "third" })).toBe("404 Branch not found");
  });

  it("is told to be ready first, and is made step by step afterwards", () => {
    const { id, project_ref } = create();
    const healthy = (): string[] =>
      service
        .call("getHealth", { ref: project_ref, services: ["db", "auth", "pooler"] })
        .flatMap((entry) => (entry.healthy ? [entry.name] : []));
    const preview = (): string | undefined =>
      service.call("getBranch", { ref, name: "preview" }).preview_project_status;
    const timeline = [0, 2, 5, 10, 15, 32, 46, 51, 52].map((second, index, seconds) => {
      service.advance(second - (seconds[index - 1] ?? 0));
      return [second, status(id), preview(), healthy().join(" ")];
    });
    expect(timeline).toEqual([
      [0, "FUNCTIONS_DEPLOYED", "UNKNOWN", ""],
      [2, "FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY", ""],
      [5, "FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY", "db"],
      [10, "FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY", "db auth pooler"],
      [15, "FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY", "db auth pooler"],
      [32, "CREATING_PROJECT", "ACTIVE_HEALTHY", "db auth pooler"],
      [46, "RUNNING_MIGRATIONS", "ACTIVE_HEALTHY", "db auth pooler"],
      [51, "MIGRATIONS_PASSED", "ACTIVE_HEALTHY", "db auth pooler"],
      [52, "FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY", "db auth pooler"],
    ]);
  });

  it("that follows a Git branch shows the measured states at the measured times", () => {
    const { id } = service.call("createBranch", { ref, body: { branch_name: "preview", git_branch: "f" } });
    const timeline = [15, 32, 65, 81].map((second, index, seconds) => {
      service.advance(second - (seconds[index - 1] ?? 0));
      return status(id);
    });
    expect(timeline).toEqual([
      "FUNCTIONS_DEPLOYED",
      "CREATING_PROJECT",
      "RUNNING_MIGRATIONS",
      "FUNCTIONS_DEPLOYED",
    ]);
    const [run] = service.call("listActionRuns", { ref });
    expect(run?.run_steps.map(({ name }) => name)).toEqual([
      "clone",
      "pull",
      "health",
      "configure",
      "migrate",
      "seed",
      "deploy",
    ]);
  });

  it("shows its run later than itself, and the steps later than the run", () => {
    const { id, project_ref } = create();
    const listed = () => service.call("listActionRuns", { ref: project_ref });
    service.advance(4);
    expect(listed()).toEqual([]);
    expect(service.call("countActionRuns", { ref })).toBe(0);
    service.advance(1);
    expect(listed()).toMatchObject([{ branch_id: id, run_steps: [] }]);
    service.advance(5);
    const steps = (): string[] =>
      listed().flatMap((run) => run.run_steps.map(({ name, status: stepStatus }) => `${name} ${stepStatus}`));
    expect(steps()).toEqual(["pull RUNNING", "configure CREATED", "migrate CREATED", "deploy CREATED"]);
    service.advance(60);
    expect(steps()).toEqual(["pull EXITED", "configure EXITED", "migrate EXITED", "deploy EXITED"]);
    const runId = listed()[0]?.id ?? "";
    expect(service.call("getActionRunLogs", { ref, run_id: runId })).toContain("[deploy] done\n");
    expect(service.call("listActionRuns", { ref, offset: 1 })).toEqual([]);
    expect(service.refusal("getActionRun", { ref, run_id: "none" })).toBe("404 Action run not found");
  });

  it("has the configuration and the functions of its project, not the secrets", async () => {
    service.call("updateAuthConfig", { ref, body: { site_url: "https://shop.example" } });
    service.call("updateRestLayerConfig", { ref, body: { max_rows: 7 } });
    service.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "x" }] });
    const metadata = { entrypoint_path: "index.ts" };
    const file = [{ name: "index.ts", content: new Uint8Array([1]) }];
    service.call("deployFunction", { ref, slug: "hello", body: { metadata, file } });
    const { project_ref } = create();
    service.advance(60);
    await finishDatabaseWork(service.world);
    expect(service.call("getAuthConfig", { ref: project_ref }).site_url).toBe("https://shop.example");
    expect(service.call("getRestLayerConfig", { ref: project_ref }).max_rows).toBe(7);
    expect(service.call("listFunctions", { ref: project_ref }).map(({ slug }) => slug)).toEqual(["hello"]);
    const secrets = service.call("listSecrets", { ref: project_ref }).map(({ name }) => name);
    expect(secrets.filter((name) => !name.startsWith("SVC_"))).toEqual([]);
  });

  it("that is renamed is listed by its former name for a while", () => {
    const { id } = create();
    expect(
      service.call("updateBranch", { branch_id_or_ref: id, body: { branch_name: "renamed" } }).name,
    ).toBe("renamed");
    expect(names()).toEqual(["main", "preview"]);
    service.advance(20);
    expect(names()).toEqual(["main", "renamed"]);
  });

  it("is detached from Git by an empty text", () => {
    const { id } = service.call("createBranch", { ref, body: { branch_name: "preview", git_branch: "f" } });
    const detached = service.call("updateBranch", { branch_id_or_ref: id, body: { git_branch: "" } });
    expect(detached).not.toHaveProperty("git_branch");
  });

  it.each([
    ["migrate", "MIGRATIONS_FAILED"],
    ["seed", "MIGRATIONS_FAILED"],
    ["deploy", "FUNCTIONS_FAILED"],
  ] as const)("whose step %s is to fail ends as %s with the step's log", (step, failed) => {
    service.projectRecord(ref).next.branchFailure = { step, log: "relation does not exist" };
    const { id, project_ref } = service.call("createBranch", {
      ref,
      body: { branch_name: "preview", git_branch: "f" },
    });
    service.advance(90);
    expect(status(id)).toBe(failed);
    const [run] = service.call("listActionRuns", { ref: project_ref });
    const statuses = run?.run_steps.map((one) => one.status) ?? [];
    expect(run?.run_steps.find((one) => one.status === "DEAD")?.name).toBe(step);
    expect(statuses.slice(statuses.indexOf("DEAD") + 1).every((one) => one === "CREATED")).toBe(true);
    expect(service.call("getActionRunLogs", { ref: project_ref, run_id: run?.id ?? "" })).toContain(
      `[${step}] relation does not exist\n`,
    );
    const second = create("second");
    service.advance(60);
    expect(status(second.id)).toBe("FUNCTIONS_DEPLOYED");
  });

  it("fails when a test lets a step of its run fail", () => {
    const { id } = create();
    service.advance(60);
    const [run] = service.branchRecord(id).runs;
    if (run) run.failure = { step: "deploy", log: "boom" };
    expect(status(id)).toBe("FUNCTIONS_FAILED");
  });

  it("may have a preview project that does not come up", () => {
    service.projectRecord(ref).next.branchProject = "INIT_FAILED";
    create();
    service.advance(60);
    expect(service.call("getBranch", { ref, name: "preview" }).preview_project_status).toBe("INIT_FAILED");
  });

  it("is no project of its own, but its ref is taken below it", () => {
    const branchRef = create().project_ref;
    service.advance(120);
    expect(service.refusal("getProject", { ref: branchRef })).toBe("404 Project not found");
    expect(service.refusal("updateProject", { ref: branchRef, body: { name: "x" } })).toBe(
      "404 Project not found",
    );
    expect(service.refusal("deleteProject", { ref: branchRef })).toBe("404 Project not found");
    service.call("createSecrets", { ref: branchRef, body: [{ name: "TOKEN", value: "x" }] });
    expect(service.call("listSecrets", { ref: branchRef })).toHaveLength(1);
    expect(service.call("listSecrets", { ref })).toEqual([]);
    for (const name of ["listFunctions", "listApiKeys", "listSigningKeys", "getPostgresConfig"] as const) {
      service.call(name, { ref: branchRef });
    }
  });

  it("has no branches", () => {
    const branchRef = create().project_ref;
    expect(service.refusal("listBranches", { ref: branchRef })).toMatch(/^403/);
    expect(service.refusal("createBranch", { ref: branchRef, body: { branch_name: "x" } })).toMatch(/^403/);
    expect(service.refusal("getBranch", { ref: branchRef, name: "x" })).toMatch(/^403/);
    expect(service.refusal("disableBranching", { ref: branchRef })).toMatch(/^403/);
  });

  it("needs a project that is active", () => {
    const early = service.newProject();
    expect(service.refusal("createBranch", { ref: early, body: { branch_name: "x" } })).toMatch(
      /^400 .*UNKNOWN/,
    );
  });

  it("keeps what it was created with", () => {
    const body = {
      branch_name: "preview",
      git_branch: "feature/a",
      persistent: true,
      region: "eu-west-1",
      with_data: true,
      notify_url: "https://example.com/hook",
      postgres_engine: "15",
      secrets: { TOKEN: "x" },
    } as const;
    const branch = service.call("createBranch", { ref, body });
    expect(branch).toMatchObject({
      git_branch: "feature/a",
      persistent: true,
      with_data: true,
      notify_url: "https://example.com/hook",
    });
    expect(service.call("getBranchConfig", { branch_id_or_ref: branch.id }).postgres_engine).toBe("15");
    expect(service.call("listSecrets", { ref: branch.project_ref }).map(({ name }) => name)).toEqual([
      "TOKEN",
    ]);
    expect(service.projectRecord(branch.project_ref).region).toBe("eu-west-1");
  });

  it("tells how to reach its database by its id and by its ref, with or without the credentials", () => {
    const { id, project_ref } = create();
    const config = service.call("getBranchConfig", { branch_id_or_ref: id });
    expect(config).toMatchObject({ ref: project_ref, db_port: 5432, db_user: "postgres" });
    expect(config.db_host).toContain(project_ref);
    expect(config.db_pass).toBe(service.projectRecord(project_ref).dbPass);
    expect(service.call("getBranchConfig", { branch_id_or_ref: project_ref })).toEqual(config);
    service.world.state.branchCredentialsShown = false;
    expect(service.call("getBranchConfig", { branch_id_or_ref: id })).not.toHaveProperty("db_pass");
  });

  it("is changed in place", () => {
    const { id, project_ref } = create();
    const body = {
      branch_name: "renamed",
      git_branch: "feature/b",
      notify_url: "https://example.com/b",
      request_review: true,
      status: "FUNCTIONS_FAILED",
    } as const;
    expect(service.call("updateBranch", { branch_id_or_ref: project_ref, body })).toMatchObject({
      id,
      name: "renamed",
      git_branch: "feature/b",
      notify_url: "https://example.com/b",
      review_requested_at: "2026-01-01T00:02:00.000Z",
      status: "FUNCTIONS_FAILED",
    });
  });

  it("that is persistent cannot be deleted until it is demoted", () => {
    const { id } = service.call("createBranch", { ref, body: { branch_name: "stage", persistent: true } });
    expect(service.refusal("deleteBranch", { branch_id_or_ref: id })).toMatch(/^422 .*persistent/);
    service.call("updateBranch", { branch_id_or_ref: id, body: { persistent: false } });
    service.call("deleteBranch", { branch_id_or_ref: id });
    expect(names()).toEqual(["main"]);
  });

  it("goes at once, with all that it has", () => {
    const { id, project_ref } = create();
    expect(service.call("deleteBranch", { branch_id_or_ref: id })).toEqual({ message: "ok" });
    expect(service.refusal("getBranchConfig", { branch_id_or_ref: id })).toBe("404 Branch not found");
    expect(service.refusal("listSecrets", { ref: project_ref })).toBe("404 Project not found");
    expect(service.refusal("deleteBranch", { branch_id_or_ref: id })).toBe("404 Branch not found");
  });

  it("goes an hour after a soft deletion, unless it is restored", () => {
    const { id } = create();
    service.call("deleteBranch", { branch_id_or_ref: id, force: false });
    expect(service.call("getBranch", { ref, name: "preview" }).deletion_scheduled_at).toBe(
      "2026-01-01T01:02:00.000Z",
    );
    expect(service.refusal("createBranch", { ref, body: { branch_name: "preview" } })).toMatch(
      /^409 .*scheduled/,
    );
    service.advance(3_599);
    expect(service.call("restoreBranch", { branch_id_or_ref: id })).toEqual({
      message: "Branch restoration initiated",
    });
    service.advance(3_600);
    expect(service.call("getBranch", { ref, name: "preview" })).not.toHaveProperty("deletion_scheduled_at");
    expect(service.refusal("restoreBranch", { branch_id_or_ref: id })).toMatch(/^400/);
    service.call("deleteBranch", { branch_id_or_ref: id, force: false });
    service.advance(3_600);
    expect(names()).toEqual(["main"]);
  });

  it("goes at once although softly deleted when the organization has no soft deletion", () => {
    const organization = service.world.state.organizations.get("acme");
    if (organization) organization.softBranchDeletion = false;
    service.call("deleteBranch", { branch_id_or_ref: create().id, force: false });
    expect(names()).toEqual(["main"]);
  });

  it("goes with all others when branching is switched off", () => {
    create();
    service.call("createBranch", { ref, body: { branch_name: "stage", persistent: true } });
    service.call("disableBranching", { ref });
    expect(names()).toEqual([]);
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toHaveLength(1);
    expect(service.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  });

  it("pauses by itself when it is unused, unless it is persistent", () => {
    create();
    service.call("createBranch", { ref, body: { branch_name: "stage", persistent: true } });
    const previews = (): (string | undefined)[] =>
      ["preview", "stage"].map((name) => service.call("getBranch", { ref, name }).preview_project_status);
    service.advance(7 * 24 * 3_600 + 1);
    expect(previews()).toEqual(["ACTIVE_HEALTHY", "ACTIVE_HEALTHY"]);
    service.advance(1);
    expect(previews()).toEqual(["INACTIVE", "ACTIVE_HEALTHY"]);
    const branchRef = service.call("getBranch", { ref, name: "preview" }).project_ref;
    service.call("restoreProject", { ref: branchRef });
    service.advance(190);
    expect(previews()[0]).toBe("ACTIVE_HEALTHY");
    service.world.state.idleBranchPauseMs = null;
    service.advance(365 * 24 * 3_600);
    expect(previews()[0]).toBe("ACTIVE_HEALTHY");
  });
});

describe("a branch, as documented in 2026-06", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    ref = service.healthyProject();
  });
  const create = (branch_name = "preview"): { id: string; project_ref: string } =>
    service.call("createBranch", { ref, body: { branch_name } });
  const status = (id: string): string =>
    service.call("listBranches", { ref }).find((branch) => branch.id === id)?.status ?? "gone";

  it("is made step by step, and ready before its services are", () => {
    const { id, project_ref } = create();
    const healthy = (): string[] =>
      service
        .call("getHealth", { ref: project_ref, services: ["db", "auth", "pooler"] })
        .flatMap((entry) => (entry.healthy ? [entry.name] : []));
    const preview = (): string | undefined =>
      service.call("getBranch", { ref, name: "preview" }).preview_project_status;
    expect([status(id), preview()]).toEqual(["CREATING_PROJECT", "UNKNOWN"]);
    service.advance(34);
    expect([status(id), preview()]).toEqual(["CREATING_PROJECT", "ACTIVE_HEALTHY"]);
    service.advance(1);
    expect(status(id)).toBe("RUNNING_MIGRATIONS");
    service.advance(12);
    expect(status(id)).toBe("MIGRATIONS_PASSED");
    service.advance(5);
    expect([status(id), healthy()]).toEqual(["FUNCTIONS_DEPLOYED", []]);
    service.advance(10);
    expect(healthy()).toEqual(["db"]);
    service.advance(49);
    expect(healthy()).toEqual(["db", "auth"]);
    service.advance(1);
    expect(healthy()).toEqual(["db", "auth", "pooler"]);
  });

  it("tells its action run's steps and what they wrote", () => {
    const { id, project_ref } = create();
    const [run] = service.call("listActionRuns", { ref: project_ref });
    const steps = (): string[] =>
      service
        .call("getActionRun", { ref, run_id: run?.id ?? "" })
        .run_steps.map(({ name, status: stepStatus }) => `${name} ${stepStatus}`);
    expect(run?.branch_id).toBe(id);
    service.advance(10);
    expect(steps()).toEqual([
      "clone EXITED",
      "pull EXITED",
      "health RUNNING",
      "configure CREATED",
      "migrate CREATED",
      "seed CREATED",
      "deploy CREATED",
    ]);
    service.advance(60);
    expect(new Set(steps().map((step) => step.split(" ")[1]))).toEqual(new Set(["EXITED"]));
    expect(service.call("getActionRunLogs", { ref, run_id: run?.id ?? "" })).toContain("[deploy] done\n");
    expect(service.call("listActionRuns", { ref })).toHaveLength(1);
    expect(service.call("listActionRuns", { ref, offset: 1 })).toEqual([]);
    expect(service.refusal("getActionRun", { ref, run_id: "none" })).toBe("404 Action run not found");
  });

  it("that is persistent says how it can be deleted", () => {
    const { id } = service.call("createBranch", { ref, body: { branch_name: "stage", persistent: true } });
    expect(service.refusal("deleteBranch", { branch_id_or_ref: id })).toBe(
      "422 Cannot delete a persistent branch: set persistent to false first",
    );
  });

  it("is in its organization's listing of projects", () => {
    create();
    expect(service.call("listOrganizationProjects", { slug: "acme" }).projects).toHaveLength(2);
  });
});
