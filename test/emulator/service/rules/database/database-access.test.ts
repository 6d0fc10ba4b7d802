import { createRulesWorld, START } from "../rules-world";

const rules = createRulesWorld();
afterAll(() => rules.close());
let ref: string;
beforeEach(() => {
  ref = rules.healthyProject();
});

function query(sql: string): Promise<Record<string, unknown>[]> {
  return rules.call("runQuery", { ref, body: { query: sql } });
}

function refusalOf(sql: string): Promise<string> {
  return rules.lateRefusal("runQuery", { ref, body: { query: sql } });
}

describe("read-only mode", () => {
  it("is off until the service turns it on, and cannot be overridden before", () => {
    expect(rules.call("getReadonlyMode", { ref })).toEqual({
      enabled: false,
      override_enabled: false,
      override_active_until: "",
    });
    expect(rules.refusal("disableReadonlyMode", { ref })).toBe("400 The project is not in read-only mode");
  });

  it("refuses every write while it is on, and only writes", async () => {
    await query("create table notes (note text)");
    rules.projectRecord(ref).readonly.enabled = true;
    expect(await query("select count(*) from notes")).toEqual([{ count: 0 }]);
    expect(await refusalOf("insert into notes values ('late')")).toBe(
      "400 Failed to run sql query: ERROR:  25006: cannot execute INSERT in a read-only transaction",
    );
    expect(await refusalOf("drop table notes")).toContain("25006");
    expect(await rules.lateRefusal("enableWebhooks", { ref })).toContain("25006");
    expect(await rules.lateRefusal("createLoginRole", { ref, body: { read_only: true } })).toContain("25006");
  });

  it("is overridden for fifteen minutes", async () => {
    await query("create table notes (note text)");
    rules.projectRecord(ref).readonly.enabled = true;
    rules.call("disableReadonlyMode", { ref });
    const until = new Date(rules.world.clock.now() + 15 * 60_000).toISOString();
    expect(rules.call("getReadonlyMode", { ref })).toEqual({
      enabled: true,
      override_enabled: true,
      override_active_until: until,
    });
    rules.advance(15 * 60 - 1);
    await query("insert into notes values ('in time')");
    rules.advance(1);
    expect(rules.call("getReadonlyMode", { ref }).override_enabled).toBe(false);
    expect(await refusalOf("insert into notes values ('late')")).toContain("25006");
    rules.projectRecord(ref).readonly.enabled = false;
    expect(await query("select note from notes")).toEqual([{ note: "in time" }]);
  });
});

describe("a full disk", () => {
  it("makes the project read-only until there is room", async () => {
    await query("create table notes (note text)");
    const { disk } = rules.projectRecord(ref);
    const { usedBytes } = disk;
    // At its most: it cannot grow by itself any more.
    disk.autoscale.maxSizeGb = disk.attributes.size_gb;
    disk.usedBytes = disk.attributes.size_gb * 2 ** 30;
    expect(rules.call("getReadonlyMode", { ref }).enabled).toBe(true);
    expect(await refusalOf("insert into notes values ('no room')")).toContain("25006");
    disk.usedBytes = usedBytes;
    expect(rules.call("getReadonlyMode", { ref }).enabled).toBe(false);
    await query("insert into notes values ('room again')");
  });
});

describe("the CLI's login role", () => {
  const roles = () =>
    query(`select r.rolname as role, r.rolcanlogin as login, r.rolvaliduntil as until, g.rolname as member_of
      from pg_roles r join pg_auth_members m on m.member = r.oid join pg_roles g on g.oid = m.roleid
      where r.rolname like 'cli\\_login\\_%' order by g.rolname`);

  it("is a role of the database that can log in for a while", async () => {
    const now = rules.world.clock.now();
    const writer = await rules.call("createLoginRole", { ref, body: { read_only: false } });
    const reader = await rules.call("createLoginRole", { ref, body: { read_only: true } });
    expect(writer.role).toMatch(/^cli_login_[0-9a-f]{16}$/);
    expect(writer.password).not.toBe(reader.password);
    expect(writer.ttl_seconds).toBe(300);
    const until = new Date(now + 300_000).toISOString().replace("T", " ").replace(".000Z", "+00");
    expect(now).toBeGreaterThan(START);
    expect(await roles()).toEqual([
      { role: writer.role, login: true, until, member_of: "postgres" },
      { role: reader.role, login: true, until, member_of: "svc_read_only_user" },
    ]);
  });

  it("goes when its time is over and another one comes, but what it made stays", async () => {
    const { role } = await rules.call("createLoginRole", { ref, body: { read_only: false } });
    await rules.world.databases.use(ref, (database) =>
      database.asPlatform(() =>
        database.exec(`create table made (id int); alter table made owner to ${role}`),
      ),
    );
    rules.advance(300);
    const next = await rules.call("createLoginRole", { ref, body: { read_only: true } });
    expect((await roles()).map((row) => row["role"])).toEqual([next.role]);
    expect(await query("select tableowner from pg_tables where tablename = 'made'")).toEqual([
      { tableowner: "postgres" },
    ]);
  });

  it("is not taken along to a branch", async () => {
    await rules.call("createLoginRole", { ref, body: { read_only: false } });
    const { project_ref: branch } = rules.call("createBranch", {
      ref,
      body: { branch_name: "preview", with_data: true },
    });
    rules.advance(600);
    const body = { query: "select count(*) from pg_roles where rolname like 'cli%'" };
    expect(await rules.call("runQuery", { ref: branch, body })).toEqual([{ count: 0 }]);
  });

  it("lasts as long as the state says, which knows the last one", async () => {
    rules.world.state.loginRoleSeconds = 3_600;
    const now = rules.world.clock.now();
    const made = await rules.call("createLoginRole", { ref, body: { read_only: true } });
    rules.world.state.loginRoleSeconds = 300;
    expect(made.ttl_seconds).toBe(3_600);
    expect(rules.projectRecord(ref).lastLoginRole).toEqual({
      role: made.role,
      readOnly: true,
      validUntil: now + 3_600_000,
    });
  });

  it("goes with all others when they are deleted", async () => {
    await rules.call("createLoginRole", { ref, body: { read_only: false } });
    expect(await rules.call("deleteLoginRoles", { ref })).toEqual({ message: "ok" });
    expect(rules.projectRecord(ref).lastLoginRole).toBeNull();
    expect(await roles()).toEqual([]);
    expect(await rules.call("deleteLoginRoles", { ref })).toEqual({ message: "ok" });
  });
});

describe("webhooks", () => {
  it("once enabled, are triggers whose requests are kept, however often they are enabled", async () => {
    await rules.call("enableWebhooks", { ref });
    await query(`create table orders (id int primary key);
      create trigger tell after insert or delete on orders for each row
        execute function svc_functions.http_request('https://example.com/hook', 'POST', '{"x-key": "1"}', '{}', '500');
      insert into orders values (1)`);
    await rules.call("enableWebhooks", { ref });
    await query("delete from orders");
    expect(
      await query(
        `select hook_name, method, url, headers, timeout_milliseconds, convert_from(body, 'utf8')::jsonb as payload
          from svc_functions.hooks h join net.http_request_queue q on q.id = h.request_id order by q.id`,
      ),
    ).toEqual(
      [
        { type: "INSERT", record: { id: 1 }, old_record: null },
        { type: "DELETE", record: null, old_record: { id: 1 } },
      ].map((payload) => ({
        hook_name: "tell",
        method: "POST",
        url: "https://example.com/hook",
        headers: { "x-key": "1" },
        timeout_milliseconds: 500,
        payload: { ...payload, table: "orders", schema: "public" },
      })),
    );
  });

  const schemas = (of = ref) =>
    rules.call("runQuery", {
      ref: of,
      body: { query: "select count(*) from pg_namespace where nspname = 'svc_functions'" },
    });

  it("are not there before they are enabled, and wait for the first use of a database that nothing has used", async () => {
    const other = rules.healthyProject();
    await rules.call("enableWebhooks", { ref });
    expect(rules.projectRecord(ref).webhooksEnabled).toBe(true);
    expect(rules.world.databases.isUsed(ref)).toBe(false);
    expect(await schemas()).toEqual([{ count: 1 }]);
    expect(rules.projectRecord(other).webhooksEnabled).toBe(false);
    expect(await schemas(other)).toEqual([{ count: 0 }]);
  });

  it("stay away once somebody drops them, until they are enabled again", async () => {
    await rules.call("enableWebhooks", { ref });
    expect(await schemas()).toEqual([{ count: 1 }]);
    await rules.world.databases.use(ref, (database) =>
      database.asPlatform(() => database.exec("drop schema svc_functions cascade")),
    );
    expect(await schemas()).toEqual([{ count: 0 }]);
    await rules.call("enableWebhooks", { ref });
    expect(await schemas()).toEqual([{ count: 1 }]);
  });

  it("are refused in read-only mode, whether or not the database is in use", async () => {
    rules.projectRecord(ref).readonly.enabled = true;
    expect(await rules.lateRefusal("enableWebhooks", { ref })).toContain("25006");
    expect(rules.projectRecord(ref).webhooksEnabled).toBe(false);
  });

  it.each([
    ["is in use", true],
    ["is not in use yet", false],
  ])("are taken along to a branch of a project whose database %s", async (_, isUsed) => {
    await rules.call("enableWebhooks", { ref });
    if (isUsed) await schemas();
    const { project_ref: branch } = rules.call("createBranch", { ref, body: { branch_name: "preview" } });
    rules.advance(600);
    expect(await schemas(branch)).toEqual([{ count: 1 }]);
    expect(rules.projectRecord(branch).webhooksEnabled).toBe(true);
  });

  it("refuse a trigger without a URL when it fires", async () => {
    await rules.call("enableWebhooks", { ref });
    await query(`create table orders (id int primary key);
      create trigger wrong after update on orders for each row execute function svc_functions.http_request();
      insert into orders values (2)`);
    expect(await refusalOf("update orders set id = 3")).toContain("url argument is missing");
  });
});
