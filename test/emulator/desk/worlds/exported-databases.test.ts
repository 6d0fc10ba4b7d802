import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, MovableClock, startEmulator } from "../../../../emulator";
import { PostgresClient } from "../postgres-port/postgres-client";

const PASSWORD = "first-password";

describe("the databases of an exported world", () => {
  let folder: string;
  let file: string;
  const running: Emulator[] = [];
  const clients: PostgresClient[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-world-"));
    file = join(folder, "world");
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const emulator of running.splice(0)) await emulator.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(options: Parameters<typeof startEmulator>[0]): Promise<Emulator> {
    const emulator = await startEmulator({ clock: new MovableClock(), postgresPort: 0, ...options });
    running.push(emulator);
    return emulator;
  }
  const addressOf = ({ control, world }: Emulator, ref: string): { host: string; port: number } => ({
    host: control.call("getProject", { ref }).database.host,
    port: world.addresses?.pooler.port ?? 0,
  });
  async function logIn(
    emulator: Emulator,
    ref: string,
    login: { user?: string; password: string },
  ): Promise<PostgresClient> {
    const client = await PostgresClient.open(addressOf(emulator, ref), login);
    clients.push(client);
    return client;
  }
  const run = ({ control }: Emulator, ref: string, query: string): Promise<unknown> =>
    control.call("runQuery", { ref, body: { query } });
  const count = "insert into public.orders (note) values ('next') returning id";

  it("have the same rows, sequences, roles, extensions, histories and passwords", async () => {
    const source = await start({});
    const { control } = source;
    const body = { name: "shop", organization_slug: "acme", db_pass: "initial-password" };
    const { ref } = control.call("createProject", { body });
    const unused = control.call("createProject", { body: { ...body, name: "blog" } }).ref;
    control.advance(120_000);
    control.call("updateDatabasePassword", { ref, body: { password: PASSWORD } });
    await control.call("applyMigration", {
      ref,
      body: {
        name: "orders",
        query: "create table public.orders (id bigint generated always as identity (start 7), note text)",
      },
    });
    await run(
      source,
      ref,
      `create extension citext; create role reporter login password 'of-sql'; grant select on public.orders to reporter;
       insert into public.orders (note) values ('first'), ('second');`,
    );
    const login = await control.call("createLoginRole", { ref, body: { read_only: false } });
    const branch = control.call("createBranch", { ref, body: { branch_name: "copy", with_data: true } });
    control.advance(120_000);

    // What a client has not committed is not in it, and its export does not wait for ever.
    const client = await logIn(source, ref, { password: PASSWORD });
    await client.query("begin; insert into public.orders (note) values ('uncommitted')");
    const exported = control.exportWorld(file);
    await client.query("rollback");
    await exported;
    expect((await client.query("select 1")).rows).toEqual([["1"]]);

    const host = addressOf(source, ref).host;
    const read = async (emulator: Emulator): Promise<unknown[]> =>
      Promise.all([
        run(emulator, ref, "select * from public.orders order by id"),
        run(emulator, branch.project_ref, "select * from public.orders order by id"),
        run(emulator, ref, "select extname, extversion from pg_extension order by 1"),
        run(emulator, ref, "select rolname, rolcanlogin, rolvaliduntil from pg_roles order by 1"),
        run(emulator, ref, "select relname, relacl::text from pg_class where relname = 'orders'"),
        run(emulator, unused, "select count(*)::int from pg_tables"),
        emulator.control.call("listMigrations", { ref }),
        emulator.control.call("getTypescriptTypes", { ref }),
        run(emulator, ref, count),
        run(emulator, branch.project_ref, count),
      ]);
    const expected = await read(source);
    expect(expected[0]).toEqual([
      { id: 7, note: "first" },
      { id: 8, note: "second" },
    ]);
    await Promise.all(clients.splice(0).map((open) => open.close()));
    await running.pop()?.close();

    const copy = await start({ worldFile: file });
    expect(await read(copy)).toEqual(expected);
    expect(addressOf(copy, ref).host).toBe(host);
    const asPostgres = await logIn(copy, ref, { password: PASSWORD });
    expect((await asPostgres.query("select current_user")).rows).toEqual([["postgres"]]);
    await expect(logIn(copy, ref, { password: "initial-password" })).rejects.toThrow("28P01");
    await logIn(copy, ref, { user: "reporter", password: "of-sql" });
    await logIn(copy, ref, { user: login.role, password: login.password });
    expect(copy.control.internalErrors).toEqual([]);

    // What a test did to it is gone with a reset.
    await run(copy, ref, "drop table public.orders");
    copy.control.call("deleteProject", { ref: unused });
    copy.control.reset();
    expect((await read(copy)).slice(0, -2)).toEqual(expected.slice(0, -2));
    expect(copy.control.call("listProjects", {})).toHaveLength(2);
    expect(copy.control.internalErrors).toEqual([]);
  });

  it("have what a call under way at the export has done, in all databases and in the state, or nothing of it", async () => {
    const source = await start({});
    const { control } = source;
    const body = { name: "shop", organization_slug: "acme", db_pass: PASSWORD };
    const { ref } = control.call("createProject", { body });
    control.advance(120_000);
    await control.call("applyMigration", { ref, body: { name: "one", query: "create table one ()" } });
    const { id, project_ref } = control.call("createBranch", { ref, body: { branch_name: "preview" } });
    control.advance(600_000);
    await control.call("applyMigration", {
      ref: project_ref,
      body: { name: "two", query: "create table two ()" },
    });
    const merged = control.call("mergeBranch", { branch_id_or_ref: id, body: {} });
    await Promise.all([merged, control.exportWorld(file)]);
    control.advance(600_000);
    const copy = await start({ worldFile: file });
    copy.control.advance(600_000);
    const tables = "select tablename from pg_tables where schemaname = 'public' order by 1";
    expect(await run(copy, ref, tables)).toEqual(await run(source, ref, tables));
    const runs = (emulator: Emulator): unknown => emulator.control.call("listActionRuns", { ref });
    expect(runs(copy)).toEqual(runs(source));
  });
});
