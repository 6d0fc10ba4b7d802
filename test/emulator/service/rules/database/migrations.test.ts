import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("a migration", () => {
  let service: RulesWorld;
  let ref: string;
  beforeAll(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  afterAll(() => service.close());
  /** One database serves all tests: each begins without a history, and a second later. */
  beforeEach(async () => {
    service.world.state.migrationPartners = null;
    service.caller.identity = "user:owner";
    service.advance(1);
    if (!service.world.databases.isUsed(ref)) return;
    await query(
      "drop schema if exists svc_migrations cascade; drop schema public cascade; create schema public",
    );
  });

  const query = (sql: string): Promise<unknown> => service.call("runQuery", { ref, body: { query: sql } });
  const versions = async (): Promise<string[]> =>
    (await service.call("listMigrations", { ref })).map(({ version }) => version);
  const hasTable = async (name: string): Promise<boolean> =>
    JSON.stringify(await query(`select to_regclass('public.${name}') is not null as found`)).includes("true");
  async function apply(sql: string, further: object = {}, key?: string): Promise<string> {
    const before = await versions();
    await service.call("applyMigration", {
      ref,
      body: { query: sql, ...further },
      ...(key !== undefined && { "Idempotency-Key": key }),
    });
    const now = await versions();
    return now.find((version) => !before.includes(version)) ?? now.at(-1) ?? "";
  }
  const detail = (version: string) => service.call("getMigration", { ref, version });

  it("is not there in a database that was never used, which need not start for it", async () => {
    const other = service.healthyProject("other");
    expect(await service.call("listMigrations", { ref: other })).toEqual([]);
    expect(service.world.databases.isUsed(other)).toBe(false);
  });

  it("is executed and recorded, under the time at which it was applied", async () => {
    const version = await apply("create table a (id int); insert into a values (1);", {
      name: "add a",
      rollback: "drop table a;",
    });
    expect(version).toBe(
      new Date(service.world.clock.now()).toISOString().replaceAll(/\D/g, "").slice(0, 14),
    );
    expect(await query("select * from a")).toEqual([{ id: 1 }]);
    expect(await service.call("listMigrations", { ref })).toEqual([{ version, name: "add a" }]);
    expect(await detail(version)).toEqual({
      version,
      name: "add a",
      statements: ["create table a (id int)", "insert into a values (1)"],
      rollback: ["drop table a"],
      created_by: "owner@example.com",
    });
  });

  it("has a version of its own and after all others, whatever the clock says and others wrote", async () => {
    await apply("select 1");
    await apply("select 2");
    const [first = "", second = ""] = await versions();
    expect(BigInt(second)).toBe(BigInt(first) + 1n);
    await query("insert into svc_migrations.schema_migrations (version) values ('20261231235959'), ('7')");
    expect(await apply("select 3")).toBe("20270101000000");
    await query("insert into svc_migrations.schema_migrations (version) values ('99999999999999')");
    expect(await apply("select 4")).toBe("100000000000000");
    // As the files of migrations are ordered.
    expect((await versions()).slice(-2)).toEqual(["7", "99999999999999"]);
  });

  it("that fails leaves nothing, and is not recorded", async () => {
    const sql = "create table a (id int);\ninsert into a values ('x');";
    expect(await service.lateRefusal("applyMigration", { ref, body: { query: sql } })).toMatch(
      /^400 Failed to run sql query: ERROR: {2}22P02: invalid input syntax for type integer: "x"\nLINE 2: /,
    );
    expect([await hasTable("a"), await versions()]).toEqual([false, []]);
  });

  it("may be wrapped in a transaction, but not have several", async () => {
    await apply("begin; create table a (id int); commit;");
    expect(await hasTable("a")).toBe(true);
    for (const sql of ["create table b (id int); commit; select 1/0", "begin; create table b (id int)"]) {
      expect(await service.lateRefusal("applyMigration", { ref, body: { query: sql } })).toMatch(
        /^400 .*one transaction/,
      );
    }
    expect([await hasTable("b"), await versions()]).toEqual([false, [expect.any(String)]]);
  });

  it("may become another role and set what it likes for itself", async () => {
    await apply(
      "grant all on schema public to anon; set search_path = ''; set role anon; create table public.a (id int)",
    );
    expect(await query("select tableowner from pg_tables where tablename = 'a'")).toEqual([
      { tableowner: "anon" },
    ]);
  });

  it("is applied once for one idempotency key", async () => {
    const version = await apply("create table a (id int)", {}, "key-1");
    service.advance(10);
    expect(await apply("create table a (id int)", {}, "key-1")).toBe(version);
    expect((await detail(version)).idempotency_key).toBe("key-1");
    expect(
      await service.lateRefusal("applyMigration", {
        ref,
        body: { query: "select 1" },
        "Idempotency-Key": "key-1",
      }),
    ).toBe("422 Idempotency-Key key-1 belongs to another migration");
    await Promise.all([1, 2, 3].map(() => apply("create table b (id int)", {}, "key-2")));
    expect(await versions()).toHaveLength(2);
  });

  it("can be recorded without being applied, and recorded again without a trace", async () => {
    const put = (name: string | undefined, sql: string, key?: string) =>
      service.call("upsertMigration", {
        ref,
        body: { query: sql, ...(name !== undefined && { name }) },
        ...(key !== undefined && { "Idempotency-Key": key }),
      });
    for (let times = 0; times < 2; times += 1) {
      await put("one", "create table a (id int)");
      await put(undefined, "create table b (id int)");
      await put("two", "create table c (id int)", "key");
    }
    const history = await service.call("listMigrations", { ref });
    expect(history.map(({ name }) => name)).toEqual(["one", undefined, "two"]);
    await put("renamed", "create table d (id int)", "key");
    await put("one", "create table e (id int)");
    const [one, , two] = await versions();
    expect(await detail(two ?? "")).toMatchObject({
      name: "renamed",
      statements: ["create table d (id int)"],
    });
    expect(await detail(one ?? "")).toMatchObject({ name: "one", statements: ["create table e (id int)"] });
    expect(await Promise.all(["a", "b", "c", "d", "e"].map(hasTable))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("gets another name and other rollback statements", async () => {
    const version = await apply("create table a (id int)", { name: "add a" });
    await service.call("updateMigration", { ref, version, body: { rollback: "drop table a; select ';'" } });
    await service.call("updateMigration", { ref, version, body: { name: "a" } });
    expect(await detail(version)).toMatchObject({ name: "a", rollback: ["drop table a", "select ';'"] });
    expect(await service.lateRefusal("updateMigration", { ref, version: "1", body: { name: "x" } })).toBe(
      "404 Migration 1 not found",
    );
    expect(await service.lateRefusal("getMigration", { ref, version: "1" })).toBe(
      "404 Migration 1 not found",
    );
  });

  it("is rolled back with all later ones, the newest first", async () => {
    const first = await apply("create table a (id int)", { rollback: "drop table a" });
    const second = await apply("create table b (id int primary key)", { rollback: "drop table b" });
    await apply("create table c (b int references b)", { rollback: "drop table c" });
    await service.call("rollbackMigrations", { ref, gte: second });
    expect(await versions()).toEqual([first]);
    expect(await Promise.all(["a", "b", "c"].map(hasTable))).toEqual([true, false, false]);
    await service.call("rollbackMigrations", { ref, gte: second });
    expect(await versions()).toEqual([first]);
  });

  it("without rollback statements is only removed from the history", async () => {
    const version = await apply("create table a (id int)");
    await service.call("rollbackMigrations", { ref, gte: version });
    expect([await versions(), await hasTable("a")]).toEqual([[], true]);
  });

  it("whose rollback fails stays, and with it all that was to be rolled back", async () => {
    const first = await apply("create table a (id int)", { rollback: "drop table nowhere" });
    const second = await apply("create table b (id int)", { rollback: "drop table b" });
    expect(await service.lateRefusal("rollbackMigrations", { ref, gte: first })).toMatch(
      new RegExp(`^400 Failed to roll back migration ${first}: ERROR: {2}42P01: `),
    );
    expect([await versions(), await hasTable("b")]).toEqual([[first, second], true]);
  });

  it("is the business of everybody, unless the state names the applications", async () => {
    service.world.state.migrationPartners = ["partner-1"];
    const refused = "403 Forbidden: migrations are for selected partner OAuth applications only";
    expect(await service.lateRefusal("listMigrations", { ref })).toBe(refused);
    service.caller.identity = "app:other";
    expect(await service.lateRefusal("applyMigration", { ref, body: { query: "select 1" } })).toBe(refused);
    service.caller.identity = "app:partner-1";
    expect(await service.call("listMigrations", { ref })).toEqual([]);
  });

  it("needs a project whose database is up, and writes nothing in read-only mode", async () => {
    const early = service.newProject("early");
    expect(await service.lateRefusal("listMigrations", { ref: early })).toMatch(
      /^400 Project status is UNKNOWN/,
    );
    expect(await service.lateRefusal("getMigration", { ref: "zzzzzzzzzzzzzzzzzzzz", version: "1" })).toBe(
      "404 Project not found",
    );
    service.projectRecord(ref).readonly.enabled = true;
    expect(await service.lateRefusal("applyMigration", { ref, body: { query: "select 1" } })).toMatch(
      /^400 .*25006/,
    );
    expect(await service.call("listMigrations", { ref })).toEqual([]);
    service.projectRecord(ref).readonly.enabled = false;
  });
});
