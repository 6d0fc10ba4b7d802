import { z } from "zod";
import { createRulesWorld, type RulesWorld } from "../rules-world";

const EXTENSION = `create extension if not exists "pg_net" with schema "extensions";\n`;

describe("a branch, as measured", () => {
  let service: RulesWorld;
  let parent: string;
  let branch: { id: string; project_ref: string };
  beforeAll(() => {
    service = createRulesWorld();
  });
  afterAll(() => service.close());
  beforeEach(() => {
    parent = service.healthyProject();
  });

  function fork(further: object = {}, wait = 60): void {
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
    (await service.call("listMigrations", { ref })).map(({ version, name }) => `${version} ${name ?? ""}`);
  async function tables(ref: string): Promise<string> {
    const rows = await query(
      ref,
      "select string_agg(tablename, ' ' order by tablename) as names from pg_tables where schemaname = 'public'",
    );
    return z.array(z.object({ names: z.string().nullable() })).parse(rows)[0]?.names ?? "";
  }
  const diff = (further: object = {}): Promise<string> =>
    service.call("diffBranch", { branch_id_or_ref: branch.id, ...further });
  async function merge(): Promise<string> {
    const answer = await service.call("mergeBranch", { branch_id_or_ref: branch.id, body: {} });
    return answer.workflow_run_id;
  }
  const statuses = (): Record<string, string> =>
    Object.fromEntries(
      service.call("listBranches", { ref: parent }).map(({ name, status }) => [name, status]),
    );
  const stepsOf = (ref: string, runId: string): string =>
    service
      .call("getActionRun", { ref, run_id: runId })
      .run_steps.map(({ name, status }) => `${name} ${status}`)
      .join(", ");

  it("is built by the migrations of its parent, 45 seconds later, and lacks what they have not made", async () => {
    await migrate(parent, "create table a (id int)");
    await query(parent, "create table by_hand (id int); insert into a values (1)");
    fork({}, 44);
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual(["", []]);
    expect(await diff()).toContain("drop table public.a;");
    service.advance(1);
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual([
      "a",
      await history(parent),
    ]);
    expect(await query(branch.project_ref, "select * from a")).toEqual([]);
    service.advance(30);
    fork({ branch_name: "full", with_data: true });
    expect(await query(branch.project_ref, "select * from a")).toEqual([{ id: 1 }]);
    expect(await tables(branch.project_ref)).toBe("a by_hand");
  });

  it("whose parent has a migration that cannot run again fails, and says why", async () => {
    await query(parent, "create table by_hand (id int)");
    await migrate(parent, "alter table by_hand add n int");
    fork();
    expect(await tables(branch.project_ref)).toBe("");
    expect(statuses()["preview"]).toBe("MIGRATIONS_FAILED");
    const [run] = service.call("listActionRuns", { ref: branch.project_ref });
    expect(stepsOf(parent, run?.id ?? "")).toBe(
      "pull EXITED, configure EXITED, migrate DEAD, deploy CREATED",
    );
    expect(service.call("getActionRunLogs", { ref: parent, run_id: run?.id ?? "" })).toContain(
      'relation "by_hand" does not exist',
    );
  });

  it("gives a parent without migrations the row `remote_schema`, and a second branch is built by it", async () => {
    await query(parent, "create table a (id int); insert into a values (1)");
    fork({}, 44);
    expect(await history(parent)).toEqual([]);
    service.advance(1);
    const rows = await history(parent);
    expect(rows).toEqual([expect.stringMatching(/^\d{14} remote_schema$/)]);
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual(["a", rows]);
    expect(await query(branch.project_ref, "select * from a")).toEqual([]);
    await query(parent, "create table later (id int)");
    fork({ branch_name: "second" });
    expect([await tables(branch.project_ref), await history(branch.project_ref)]).toEqual(["a", rows]);
  });

  it("keeps what was sent to it before its schema was there, and fails where the two contradict each other", async () => {
    await query(parent, "create table a (id int)");
    fork({}, 10);
    await query(branch.project_ref, "create table early (id int)");
    service.advance(60);
    expect(await tables(branch.project_ref)).toBe("a early");
    expect(statuses()["preview"]).toBe("FUNCTIONS_DEPLOYED");

    fork({ branch_name: "second" }, 10);
    await query(branch.project_ref, "create table a (other text)");
    service.advance(60);
    expect(await tables(branch.project_ref)).toBe("a");
    expect(statuses()["second"]).toBe("MIGRATIONS_FAILED");
  });

  it("brings the rows of its history to its parent, and nothing else", async () => {
    await migrate(parent, "create table a (id int)");
    fork();
    await migrate(branch.project_ref, "create table b (id int); insert into b values (2)", "add b");
    await query(branch.project_ref, "create table by_hand (id int); alter table a add n int default 5");
    const metadata = { entrypoint_path: "index.ts" };
    const file = [{ name: "index.ts", content: new Uint8Array([1]) }];
    service.call("deployFunction", { ref: branch.project_ref, slug: "hello", body: { metadata, file } });
    const runId = await merge();
    service.advance(44);
    expect(await tables(parent)).toBe("a");
    service.advance(1);
    expect(await tables(parent)).toBe("a b");
    expect(await history(parent)).toEqual(await history(branch.project_ref));
    expect(await query(parent, "select * from b")).toEqual([{ id: 2 }]);
    expect(service.call("listFunctions", { ref: parent }).map(({ slug }) => slug)).toEqual(["hello"]);
    const rest = await diff();
    expect(rest).toContain("create table public.by_hand");
    expect(rest).not.toContain("create table public.b (");

    service.advance(200);
    expect(stepsOf(parent, runId)).toBe(
      "clone EXITED, pull EXITED, health EXITED, configure PAUSED, migrate EXITED, seed EXITED, deploy EXITED",
    );
    expect(statuses()).toEqual({ main: "FUNCTIONS_DEPLOYED", preview: "FUNCTIONS_DEPLOYED" });
    expect(service.refusal("getActionRun", { ref: branch.project_ref, run_id: runId })).toBe(
      "404 Action run not found",
    );
    expect(service.call("listActionRuns", { ref: branch.project_ref }).map(({ id }) => id)).not.toContain(
      runId,
    );
    // A run that stays paused is no obstacle.
    await merge();
  });

  it("whose migration the parent refuses leaves a run that died of it", async () => {
    fork();
    await query(parent, "create table b (id int)");
    await migrate(branch.project_ref, "create table b (id int)");
    const runId = await merge();
    service.advance(60);
    expect(await tables(parent)).toBe("b");
    expect(stepsOf(parent, runId)).toContain("migrate DEAD, seed CREATED, deploy CREATED");
    expect(statuses()["main"]).toBe("MIGRATIONS_FAILED");
  });

  it("differs always: by an extension, and by the default engine by a trigger too", async () => {
    fork();
    expect(await diff({ pgdelta: true })).toBe(EXTENSION);
    expect(await diff()).toMatch(
      /^create extension if not exists "pg_net"[^\n]+\nCREATE TRIGGER tr_check_filters [^\n]+\n$/,
    );
    await query(branch.project_ref, "create table own (id int)");
    expect(await diff()).toMatch(/^create extension.*\nCREATE TRIGGER.*\n(?:.*\n)*create table public\.own/);
  });

  it("takes over the functions of its parent with a push, and keeps those that only it has", async () => {
    const metadata = { entrypoint_path: "index.ts" };
    const deploy = (ref: string, slug: string, text: string) =>
      service.call("deployFunction", {
        ref,
        slug,
        body: { metadata, file: [{ name: "index.ts", content: new TextEncoder().encode(text) }] },
      });
    fork();
    deploy(parent, "shared", "of the parent");
    deploy(branch.project_ref, "shared", "of the branch");
    deploy(branch.project_ref, "own", "of the branch");
    await service.call("pushBranch", { branch_id_or_ref: branch.id, body: {} });
    const functions = service.call("listFunctions", { ref: branch.project_ref });
    expect(functions.map(({ slug, version }) => `${slug} ${version}`).sort()).toEqual(["own 1", "shared 2"]);
    const [ofParent] = service.call("listFunctions", { ref: parent });
    expect(functions.find(({ slug }) => slug === "shared")?.ezbr_sha256).toBe(ofParent?.ezbr_sha256);
  });
});
