import { z } from "zod";
import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("a branch, as documented in 2026-06", () => {
  let service: RulesWorld;
  let parent: string;
  let branch: { id: string; project_ref: string };
  beforeAll(() => {
    service = createRulesWorld({ service: "2026-06" });
  });
  afterAll(() => service.close());
  beforeEach(() => {
    parent = service.healthyProject();
  });

  function fork(further: object = {}, wait = 300): void {
    branch = service.call("createBranch", { ref: parent, body: { branch_name: "preview", ...further } });
    service.advance(wait);
  }
  const query = (ref: string, sql: string) => service.call("runQuery", { ref, body: { query: sql } });
  async function migrate(ref: string, sql: string, name = "step"): Promise<string> {
    service.advance(1);
    await service.call("applyMigration", { ref, body: { query: sql, name } });
    return (await service.call("listMigrations", { ref })).at(-1)?.version ?? "";
  }
  const history = async (ref: string): Promise<string[]> =>
    (await service.call("listMigrations", { ref })).map(({ version }) => version);
  async function tables(ref: string): Promise<string> {
    const rows = await query(
      ref,
      "select string_agg(tablename, ' ' order by tablename) as names from pg_tables where schemaname = 'public'",
    );
    return z.array(z.object({ names: z.string().nullable() })).parse(rows)[0]?.names ?? "";
  }
  const diff = (further: object = {}): Promise<string> =>
    service.call("diffBranch", { branch_id_or_ref: branch.id, ...further });
  type Verb = "mergeBranch" | "pushBranch" | "resetBranch";
  const body = (version?: string) => (version === undefined ? {} : { migration_version: version });
  async function act(verb: Verb, version?: string): Promise<string> {
    const answer = await service.call(verb, { branch_id_or_ref: branch.id, body: body(version) });
    expect(answer.message).toBe("ok");
    return answer.workflow_run_id;
  }
  const refused = (verb: Verb, version?: string): Promise<string> =>
    service.lateRefusal(verb, { branch_id_or_ref: branch.id, body: body(version) });
  const statuses = (): Record<string, string> =>
    Object.fromEntries(
      service.call("listBranches", { ref: parent }).map(({ name, status }) => [name, status]),
    );
  const log = (runId: string, ref = parent): string =>
    service.call("getActionRunLogs", { ref, run_id: runId });

  it("begins with its parent's schema and history, and with its rows if it is asked to", async () => {
    const version = await migrate(parent, "create table a (id int); insert into a values (1)");
    fork();
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual(["a", [version]]);
    expect(await query(branch.project_ref, "select * from a")).toEqual([]);
    expect(await diff()).toBe("");
    fork({ branch_name: "full", with_data: true });
    expect(await query(branch.project_ref, "select * from a")).toEqual([{ id: 1 }]);
  });

  it("whose migrations fail has none of its parent's tables", async () => {
    await migrate(parent, "create table a (id int)");
    service.projectRecord(parent).next.branchFailure = { step: "migrate", log: "boom" };
    fork();
    expect([statuses()["preview"], await tables(branch.project_ref)]).toEqual(["MIGRATIONS_FAILED", ""]);
    expect(await refused("mergeBranch")).toBe("400 Cannot merge a branch whose status is MIGRATIONS_FAILED");
    await act("resetBranch");
    service.advance(60);
    expect([statuses()["preview"], await tables(branch.project_ref)]).toEqual(["FUNCTIONS_DEPLOYED", "a"]);
  });

  it("tells how its schema differs, by both engines to the same effect", async () => {
    await migrate(parent, "create table a (id int); create schema app; create table app.b (id int)");
    fork();
    await query(
      branch.project_ref,
      "alter table a add column n int default 1; drop table app.b; create table extensions.own ()",
    );
    const script = await diff();
    expect(script).toContain("alter table public.a add column n integer default 1;");
    expect(script).toContain("drop table app.b;");
    expect(script).not.toContain("extensions.own");
    expect(await diff({ included_schemas: "app" })).toBe("drop table app.b;\n");
    const both = await diff({ included_schemas: "public, extensions" });
    expect(both).toContain("column n");
    expect(both).toContain("create table extensions.own ()");
    await query(parent, await diff({ pgdelta: true }));
    expect(await diff()).toBe("");
  });

  it("brings its migrations, and what else differs, to its parent", async () => {
    const first = await migrate(parent, "create table a (id int); insert into a values (1)");
    fork();
    const second = await migrate(
      branch.project_ref,
      "create table b (id int); insert into b values (2)",
      "add b",
    );
    await query(branch.project_ref, "create table by_hand (id int); alter table a add n int default 5");
    const runId = await act("mergeBranch");

    expect(await history(parent)).toEqual([first, second]);
    expect(await tables(parent)).toBe("a b by_hand");
    expect(await query(parent, "select a.*, b.id as b from a, b")).toEqual([{ id: 1, n: 5, b: 2 }]);
    expect(await diff()).toBe("");
    expect(await service.call("getMigration", { ref: parent, version: second })).toEqual(
      await service.call("getMigration", { ref: branch.project_ref, version: second }),
    );

    expect(statuses()).toEqual({ main: "RUNNING_MIGRATIONS", preview: "FUNCTIONS_DEPLOYED" });
    service.advance(60);
    expect(statuses()["main"]).toBe("FUNCTIONS_DEPLOYED");
    expect(log(runId)).toContain(`[migrate] Applying migration ${second} add b\n`);
    const main = service.call("getBranch", { ref: parent, name: "main" });
    for (const ref of [parent, branch.project_ref]) {
      expect(service.call("listActionRuns", { ref })[0]).toMatchObject({ id: runId, branch_id: main.id });
      expect(service.call("getActionRun", { ref, run_id: runId }).id).toBe(runId);
      expect(service.call("countActionRuns", { ref })).toBe(2);
    }
  });

  it("brings its migrations up to a version only, when it is told to", async () => {
    fork();
    const first = await migrate(branch.project_ref, "create table a (id int)");
    await migrate(branch.project_ref, "create table b (id int)");
    await query(branch.project_ref, "create table by_hand (id int)");
    await act("mergeBranch", first);
    expect([await tables(parent), await history(parent)]).toEqual(["a", [first]]);
    service.advance(60);
    expect(await refused("mergeBranch", "20200101000000")).toBe(
      "422 Migration 20200101000000 is not in the history of the branch",
    );
  });

  it("does not take back what its parent has gained meanwhile", async () => {
    fork();
    await migrate(parent, "create table newer (id int)");
    const version = await migrate(branch.project_ref, "create table a (id int)");
    await query(branch.project_ref, "create table by_hand (id int)");
    const runId = await act("mergeBranch");
    service.advance(60);
    expect(await tables(parent)).toBe("a newer");
    expect(await history(parent)).toContain(version);
    expect(log(runId)).toContain("[migrate] Further differences of the schema are left");
  });

  it("whose migration does not work on the parent leaves a failed run that says why", async () => {
    fork();
    await query(parent, "create table b (id int)");
    const first = await migrate(branch.project_ref, "create table a (id int)");
    await migrate(branch.project_ref, "create table b (id int)");
    await migrate(branch.project_ref, "create table c (id int)");
    const runId = await act("mergeBranch");
    service.advance(60);
    expect(statuses()).toMatchObject({ main: "MIGRATIONS_FAILED", preview: "FUNCTIONS_DEPLOYED" });
    expect(log(runId)).toMatch(
      /\[migrate\] Failed to run sql query: ERROR: {2}42P07: relation "b" already exists\n/,
    );
    expect(log(runId)).not.toContain("[seed]");
    expect([await tables(parent), await history(parent)]).toEqual(["a b", [first]]);

    await query(parent, "drop table b");
    await act("mergeBranch");
    service.advance(60);
    expect([await tables(parent), statuses()["main"]]).toEqual(["a b c", "FUNCTIONS_DEPLOYED"]);
  });

  it("deploys the functions that are new or differ", async () => {
    const file = (text: string) => ({ name: "index.ts", content: new TextEncoder().encode(text) });
    const deploy = (ref: string, slug: string, text: string) =>
      service.call("deployFunction", {
        ref,
        slug,
        body: { metadata: { entrypoint_path: "index.ts" }, file: [file(text)] },
      });
    const before = deploy(parent, "changed", "one");
    deploy(parent, "same", "one");
    deploy(parent, "kept", "one");
    fork();
    deploy(branch.project_ref, "changed", "two");
    deploy(branch.project_ref, "same", "one");
    const added = deploy(branch.project_ref, "added", "one");
    const runId = await act("mergeBranch");
    const functions = service.call("listFunctions", { ref: parent });
    expect(functions.map(({ slug, version }) => `${slug} ${version}`).sort()).toEqual([
      "added 1",
      "changed 2",
      "kept 1",
      "same 1",
    ]);
    expect(functions.find(({ slug }) => slug === "changed")?.id).toBe(before.id);
    expect(service.projectRecord(parent).bundles.has(added.ezbr_sha256 ?? "")).toBe(true);
    service.advance(60);
    expect(log(runId)).toMatch(/\[deploy\] Deployed function changed\n\[deploy\] Deployed function added\n/);

    service.world.state.functionQuotas.pro = 4;
    deploy(branch.project_ref, "one-too-many", "one");
    await act("mergeBranch");
    service.advance(60);
    expect(statuses()["main"]).toBe("FUNCTIONS_FAILED");
    expect(service.call("listFunctions", { ref: parent })).toHaveLength(4);
    service.world.state.functionQuotas.pro = 500;
  });

  it("whose merge is to fail at a step brings only what was done before", async () => {
    fork();
    await migrate(branch.project_ref, "create table a (id int)");
    const metadata = { entrypoint_path: "index.ts" };
    const file = [{ name: "index.ts", content: new Uint8Array([1]) }];
    service.call("deployFunction", { ref: branch.project_ref, slug: "hello", body: { metadata, file } });
    for (const [step, status, expected] of [
      ["pull", "MIGRATIONS_FAILED", ""],
      ["migrate", "MIGRATIONS_FAILED", ""],
      ["deploy", "FUNCTIONS_FAILED", "a"],
    ] as const) {
      service.projectRecord(parent).next.branchFailure = { step, log: "boom" };
      const runId = await act("mergeBranch");
      service.advance(60);
      expect([statuses()["main"], await tables(parent)]).toEqual([status, expected]);
      expect(service.call("listFunctions", { ref: parent })).toEqual([]);
      expect(log(runId)).toContain(`[${step}] boom\n`);
    }
    await act("mergeBranch");
    expect(service.call("listFunctions", { ref: parent })).toHaveLength(1);
  });

  it("takes over its parent's migrations, all or up to a version, and keeps its own work", async () => {
    fork();
    await query(branch.project_ref, "create table own (id int)");
    const first = await migrate(parent, "create table a (id int)");
    const second = await migrate(parent, "create table b (id int)");
    const runId = await act("pushBranch", first);
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual(["a own", [first]]);
    expect(statuses()).toMatchObject({ main: "FUNCTIONS_DEPLOYED", preview: "RUNNING_MIGRATIONS" });
    expect(await refused("pushBranch")).toBe(
      `400 Cannot push the branch while action run ${runId} is not over`,
    );
    service.advance(60);
    await act("pushBranch");
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual([
      "a b own",
      [first, second],
    ]);
    service.advance(60);
    expect(await refused("pushBranch", "1")).toBe(
      "422 Migration 1 is not in the history of the parent project",
    );
  });

  it("is made anew as its parent is, with its rows when it has them", async () => {
    await migrate(parent, "create table a (id int); insert into a values (1)");
    fork({ with_data: true });
    await migrate(branch.project_ref, "create table own (id int); delete from a");
    await migrate(parent, "create table b (id int)");
    await act("resetBranch");
    expect(await tables(branch.project_ref)).toBe("a b");
    expect(await query(branch.project_ref, "select * from a")).toEqual([{ id: 1 }]);
    expect(await history(branch.project_ref)).toEqual(await history(parent));
    expect(statuses()["preview"]).toBe("RUNNING_MIGRATIONS");
    service.advance(60);
    expect(statuses()["preview"]).toBe("FUNCTIONS_DEPLOYED");
  });

  it("is made anew up to a migration of its parent's, or of its own", async () => {
    const first = await migrate(parent, "create table a (id int)");
    await query(parent, "insert into a values (1); create table by_hand (id int)");
    fork({ with_data: true });
    const own = await migrate(branch.project_ref, "create table own (id int)");
    await migrate(branch.project_ref, "create table gone (id int)");
    await act("resetBranch", own);
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual([
      "a own",
      [first, own],
    ]);
    expect(await query(branch.project_ref, "select * from a")).toEqual([]);
    service.advance(60);
    await act("resetBranch", first);
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual(["a", [first]]);
    service.advance(60);
    expect(await refused("resetBranch", "1")).toBe(
      "422 Migration 1 is not in the history of the branch and its parent project",
    );
  });

  it("that is the default one, not ready, paused or going away is left alone", async () => {
    const verbs = ["mergeBranch", "pushBranch", "resetBranch"] as const;
    const all = (): Promise<string[]> => Promise.all(verbs.map((verb) => refused(verb)));
    fork({}, 34);
    expect((await all()).every((one) => one.startsWith("400 Service db of the project is not healthy"))).toBe(
      true,
    );
    service.advance(300);

    const preview = branch;
    branch = service.call("getBranch", { ref: parent, name: "main" });
    expect(await all()).toEqual(
      ["merge", "push", "reset"].map((verb) => `422 Cannot ${verb} the default branch`),
    );
    expect(await service.lateRefusal("diffBranch", { branch_id_or_ref: branch.id })).toBe(
      "422 Cannot compare the default branch",
    );
    branch = preview;

    service.call("deleteBranch", { branch_id_or_ref: branch.id, force: false });
    expect(
      (await all()).every((one) => /^400 Cannot \w+ a branch that is scheduled for deletion/.test(one)),
    ).toBe(true);
    service.advance(3_599);
    service.call("restoreBranch", { branch_id_or_ref: branch.id });
    await act("resetBranch");
    service.advance(60);

    service.call("pauseProject", { ref: branch.project_ref });
    expect((await all()).every((one) => one.startsWith("400 Project status is PAUSING"))).toBe(true);
    service.call("deleteBranch", { branch_id_or_ref: branch.id });
    expect(await all()).toEqual(verbs.map(() => "404 Branch not found"));
  });

  it("is acted upon once at a time", async () => {
    fork();
    await migrate(branch.project_ref, "create table a (id int)");
    const results = await Promise.allSettled([act("mergeBranch"), act("mergeBranch"), act("resetBranch")]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});
