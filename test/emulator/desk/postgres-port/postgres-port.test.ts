import { execFile, spawnSync } from "node:child_process";
import { type Emulator, MovableClock, startEmulator } from "../../../../emulator";
import { PostgresPort } from "../../../../emulator/desk/postgres-port/postgres-port";
import { type Answered, PostgresClient } from "./postgres-client";

const PASSWORD = "first-password";

describe("the Postgres port", () => {
  let emulator: Emulator;
  let ref: string;
  const clients: PostgresClient[] = [];
  beforeAll(async () => {
    emulator = await startEmulator({ clock: new MovableClock(), postgresPort: 0 });
  });
  beforeAll(() => {
    ref = newProject("shop");
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    expect(emulator.control.internalErrors).toEqual([]);
  });
  afterAll(() => emulator.close());

  function newProject(name: string): string {
    const body = { name, organization_slug: "acme", db_pass: PASSWORD };
    const { ref: made } = emulator.control.call("createProject", { body });
    emulator.control.advance(120_000);
    return made;
  }
  const hostOf = (project: string): string =>
    emulator.control.call("getProject", { ref: project }).database.host;
  const port = (): number => emulator.world.addresses?.pooler.port ?? 0;

  async function open(
    login: { readonly user?: string; readonly password?: string; readonly [name: string]: string },
    host = hostOf(ref),
  ): Promise<PostgresClient> {
    const client = await PostgresClient.open({ host, port: port() }, { password: PASSWORD, ...login });
    clients.push(client);
    return client;
  }
  const refusal = (login: Parameters<typeof open>[0], host?: string): Promise<string> =>
    open(login, host).then(
      () => "logged in",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const rows = async (answered: Promise<Answered>): Promise<unknown> => {
    const { rows: found, error } = await answered;
    return error ?? found;
  };

  it("lets postgres in with the password that the API or SQL set last, and with no other", async () => {
    const host = hostOf(ref);
    const client = await open({});
    expect(client.parameters.get("server_encoding")).toBe("UTF8");
    expect(client.parameters.get("session_authorization")).toBe("postgres");
    expect(await rows(client.query("select current_user, 1 + 1"))).toEqual([["postgres", "2"]]);
    const wrong = 'FATAL 28P01 password authentication failed for user "postgres"';
    expect(await refusal({ password: "another" })).toBe(wrong);
    emulator.control.call("updateDatabasePassword", { ref, body: { password: "second-password" } });
    expect(await refusal({}, host)).toBe(wrong);
    await open({ password: "second-password" });
    await client.query("alter role postgres password 'of-sql'");
    expect(await refusal({ password: "second-password" })).toBe(wrong);
    await open({ password: "of-sql" });
    emulator.control.call("updateDatabasePassword", { ref, body: { password: PASSWORD } });
    expect(await refusal({ password: "of-sql" })).toBe(wrong);
    await open({});
  });

  it("lets login roles of the API in until their time is over, and roles that SQL made", async () => {
    const { role, password } = await emulator.control.call("createLoginRole", {
      ref,
      body: { read_only: true },
    });
    const reader = await open({ user: role, password });
    expect(await rows(reader.query("select session_user::text"))).toEqual([[role]]);
    expect(await rows(reader.query("create table public.t ()"))).toContain("42501");
    const owner = await open({});
    await owner.query("create role app login password 'of the app'; alter role app set work_mem = '5MB'");
    const app = await open({ user: "app", password: "of the app" });
    expect(await rows(app.query("select session_user::text, current_setting('work_mem')"))).toEqual([
      ["app", "5MB"],
    ]);
    expect(await refusal({ user: "anon", password: "" })).toContain("28P01");
    expect(await refusal({ user: "nobody", password: "" })).toContain("28P01");
    emulator.control.advance(3_600_000);
    expect(await refusal({ user: role, password })).toContain("28P01");
  });

  it("has an address for each project and branch, and one for all by their refs", async () => {
    const other = newProject("other");
    const branch = emulator.control.call("createBranch", { ref, body: { branch_name: "preview" } });
    emulator.control.advance(600_000);
    const config = emulator.control.call("getBranchConfig", { branch_id_or_ref: branch.id });
    const hosts = [hostOf(ref), hostOf(other), config.db_host];
    expect(new Set(hosts).size).toBe(3);
    await (await open({})).query("create table public.mine ()");
    const isThere = "select to_regclass('public.mine')";
    expect(await rows((await open({}, hosts[0])).query(isThere))).toEqual([["mine"]]);
    expect(await rows((await open({}, hosts[1])).query(isThere))).toEqual([[null]]);
    emulator.control.set("branchCredentialsShown", true);
    const { db_pass: password = "", db_port: branchPort } = emulator.control.call("getBranchConfig", {
      branch_id_or_ref: branch.id,
    });
    expect(branchPort).toBe(port());
    expect(await rows((await open({ password }, config.db_host)).query("select 1"))).toEqual([["1"]]);
    expect(await refusal({}, config.db_host)).toContain("28P01");
    const [pooler] = emulator.control.call("listPoolerConfigs", { ref });
    expect(pooler?.db_port).toBe(port());
    const user = pooler?.db_user ?? "";
    expect(await rows((await open({ user }, pooler?.db_host)).query(isThere))).toEqual([["mine"]]);
    expect(await refusal({}, pooler?.db_host)).toContain(
      "name the project in the user, as in postgres.<ref>",
    );
    expect(await refusal({ user: `postgres.${"x".repeat(20)}` }, pooler?.db_host)).toContain("28000");
  });

  it("takes sessions at the pooler's host and port 5432, whatever its own port is", async () => {
    const second = new PostgresPort();
    try {
      // A program of this machine may have 5432.
      await second.listen({ port: 0, sessionPort: 0 });
      second.serve(emulator.world);
      expect(second.session?.host).toBe(second.pooler.host);
      expect(second.session?.port).not.toBe(second.pooler.port);
      const login = { user: `postgres.${ref}`, password: PASSWORD };
      for (const address of [second.pooler, second.session ?? { host: "", port: 0 }]) {
        const client = await PostgresClient.open(address, login);
        expect(await rows(client.query("select current_user"))).toEqual([["postgres"]]);
        await client.close();
      }
    } finally {
      await second.close();
    }
  });

  it("says why a project that is paused or gone has no database", async () => {
    const passing = newProject("passing");
    const host = hostOf(passing);
    emulator.control.set("organizations.acme.plan", "free");
    emulator.control.call("pauseProject", { ref: passing });
    emulator.control.advance(600_000);
    expect(await refusal({}, host)).toContain("FATAL 57P03");
    emulator.control.set("organizations.acme.plan", "pro");
    emulator.control.call("deleteProject", { ref: passing });
    emulator.control.advance(600_000);
    expect(await refusal({}, host)).toBe(`FATAL 28000 the project ${passing} was removed`);
  });

  it("gives a client its session back that made room for others in between", async () => {
    const [one, two] = [await open({ application_name: "one" }), await open({ options: "-c work_mem=7MB" })];
    await one.query("set search_path = auth; set role anon; prepare p as select 'by sql'; listen news");
    // The next message of the client finds the database with another.
    await emulator.control.call("runQuery", { ref, body: { query: "select 1" } });
    const noTypes = Buffer.from([0, 0]);
    one.send("P", "named\0", "select 'named'\0", noTypes);
    one.send("P", "\0", "select 'unnamed'\0", noTypes);
    one.send("S");
    expect((await one.answer()).types).toBe("11Z");
    expect(await rows(two.query("select current_setting('work_mem'), current_setting('role')"))).toEqual([
      ["7MB", "none"],
    ]);
    await emulator.control.call("runQuery", { ref, body: { query: "select 1" } });
    for (const name of ["", "named"]) {
      one.send("B", "\0", `${name}\0`, Buffer.alloc(6));
      one.send("E", "\0", Buffer.alloc(4));
      one.send("S");
      expect((await one.answer()).rows).toEqual([[name === "" ? "unnamed" : "named"]]);
    }
    const session =
      "select current_setting('application_name'), current_setting('search_path'), current_user";
    expect(await rows(one.query(session))).toEqual([["one", "auth", "anon"]]);
    expect(await rows(one.query("execute p"))).toEqual([["by sql"]]);
    expect(await rows(one.query("select pg_listening_channels()"))).toEqual([["news"]]);
  });

  it("keeps a transaction together while others wait, and takes it back when its client leaves", async () => {
    const [one, two] = [await open({}), await open({})];
    await one.query("create table public.kept (a int)");
    await one.query("begin; insert into public.kept values (1)");
    const counted = rows(two.query("select count(*) from public.kept"));
    await one.query("insert into public.kept values (2)");
    await one.query("commit");
    expect(await counted).toEqual([["2"]]);
    await one.query("begin; delete from public.kept");
    clients.splice(clients.indexOf(one), 1);
    await one.close();
    expect(await rows(two.query("select count(*) from public.kept"))).toEqual([["2"]]);
  });

  it("takes and gives rows by COPY, and survives their faults", async () => {
    const client = await open({});
    await client.query("create table public.t (a int)");
    client.send("Q", "copy public.t from stdin\0");
    expect((await client.next()).type).toBe("G");
    client.send("d", "1\n2\n");
    client.send("d", "3\n");
    client.send("c");
    expect((await client.answer()).types).toBe("CZ");
    client.send("Q", "copy public.t from stdin\0");
    expect((await client.next()).type).toBe("G");
    client.send("d", "no number\n");
    client.send("c");
    expect((await client.answer()).error).toContain("ERROR 22P02");
    client.send("Q", "copy public.t to stdout\0");
    expect((await client.answer()).types).toBe("HdddcCZ");
    expect(await rows(client.query("select sum(a) from public.t"))).toEqual([["6"]]);
  });

  it("runs what the service runs for its users though Postgres wants a superuser, and refuses the rest", async () => {
    const client = await open({});
    const sql =
      "create function public.noted() returns event_trigger language plpgsql as 'begin end'; create event trigger noted on ddl_command_end execute function public.noted()";
    expect((await client.query(sql)).error).toBeUndefined();
    expect(await rows(client.query("select rolsuper from pg_roles where rolname = 'postgres'"))).toEqual([
      ["f"],
    ]);
    const refused = "select 'event trigger'; copy (select 1) to program 'id'";
    expect((await client.query(refused)).error).toContain("ERROR 42501 permission denied to COPY");
    expect(await rows(client.query("select 1"))).toEqual([["1"]]);
  });

  it("lets a project in read-only mode only read", async () => {
    emulator.control.set(`projects.${ref}.readonly.enabled`, true);
    const client = await open({});
    expect((await client.query("create table public.t ()")).error).toContain("ERROR 25006");
    expect(await rows(client.query("select 1"))).toEqual([["1"]]);
    emulator.control.set(`projects.${ref}.readonly.enabled`, false);
  });

  it("ends what is not Postgres' protocol", async () => {
    await expect(fetch(`http://${hostOf(ref)}:${port()}/`)).rejects.toThrow();
    expect(await refusal({ database: "other" })).toBe('FATAL 3D000 database "other" does not exist');
    expect(await refusal({ replication: "database" })).toContain("0A000");
    expect(await refusal({ no_such_setting: "1" })).toContain("FATAL 42704");
  });

  const psql = spawnSync("psql", ["--version"]).status === 0;
  (psql ? it : it.skip)(
    `takes psql by a URL${psql ? "" : " (not tried: this machine has no psql)"}`,
    async () => {
      // Not at once: the emulator runs in this very process.
      const run = (password: string, ...args: string[]): Promise<string> => {
        const url = `postgresql://postgres:${password}@${hostOf(ref)}:${port()}/postgres`;
        return new Promise((resolve) => {
          execFile("psql", [url, "-XAtq", ...args], (_, stdout, stderr) => resolve(stdout + stderr));
        });
      };
      const create = "create table public.orders (id int primary key, total numeric not null)";
      expect(await run(PASSWORD, "-c", create, "-c", "insert into public.orders values (1, 2.5)")).toBe("");
      expect(await run(PASSWORD, "-c", "table public.orders")).toBe("1|2.5\n");
      expect(await run(PASSWORD, "-c", "\\di public.orders*")).toContain("orders_pkey|index|postgres|orders");
      expect(await run("another", "-c", "select 1")).toContain(
        'password authentication failed for user "postgres"',
      );
    },
  );
});
