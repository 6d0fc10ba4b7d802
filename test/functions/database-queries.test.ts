import { ApiError, ForbiddenError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf, faults, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const sql = (query: string) => scenario.client.runQuery({ ref: projectRef, body: { query } });

const readsOfAProject = [
  ["getMigrations", {}, "listMigrations"],
  ["getTypescriptTypes", {}, "getTypescriptTypes"],
  ["getQueryResult", { query: "select 1 as one" }, "runReadOnlyQuery"],
  ["getAdvisors", {}, "getSecurityAdvisors"],
  ["getReadOnlyStatus", {}, "getReadonlyMode"],
  ["getBuckets", {}, "listBuckets"],
] as const;

describe.each(readsOfAProject)("%s", (name, more, operation) => {
  it("names a project that does not exist", async () => {
    const error = await errorOf(scenario, name, { projectRef: NOBODY, ...more });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`No project or branch has the reference ${NOBODY}`);
  });

  it("makes one call for many at the same time", async () => {
    await Promise.all(Array.from({ length: 10 }, () => invoke(scenario, name, { projectRef, ...more })));
    expect(scenario.calls(operation)).toBe(1);
  });

  it("fails when the token lacks the permission", async () => {
    scenario.emulator.control.addFault({ operation, status: 403, body: { message: "No permission" } });
    const error = await errorOf(scenario, name, { projectRef, ...more });
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error.message).toContain("No permission");
  });
});

describe("getMigrations", () => {
  it("returns the history in order, and a migration without a name", async () => {
    const apply = (body: { query: string; name?: string }) =>
      scenario.client.applyMigration({ ref: projectRef, body });
    await apply({ query: "create table public.users (id int primary key)", name: "users" });
    scenario.clock.advance(1_000);
    await apply({ query: "alter table public.users add email text" });
    const { migrations } = await invoke<{ migrations: readonly { version: string; name?: string }[] }>(
      scenario,
      "getMigrations",
      { projectRef },
    );
    expect(migrations.map(({ name }) => name)).toEqual(["users", undefined]);
    expect(migrations[0]?.version).toMatch(/^\d{14}$/);
    expect(Number(migrations[1]?.version)).toBeGreaterThan(Number(migrations[0]?.version));
    expect(migrations[1]).not.toHaveProperty("name");
  });

  it("says to whom migrations are open", async () => {
    scenario.emulator.world.state.migrationPartners = [];
    const error = await errorOf(scenario, "getMigrations", { projectRef });
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error.message).toContain("use a token with the scope database:read");
    expect(error.message).toContain("selected partner OAuth applications only");
  });
});

describe("getTypescriptTypes", () => {
  it("returns the types of the schemas that are asked for", async () => {
    await sql("create schema shop; create table shop.orders (id int primary key, note text)");
    await sql("create table public.users (id int primary key)");
    const plain = await invoke<{ types: string }>(scenario, "getTypescriptTypes", { projectRef });
    expect(plain.types).toContain("users: {");
    expect(plain.types).not.toContain("orders: {");
    const includedSchemas = ["shop", "public"];
    const both = await invoke<{ types: string }>(scenario, "getTypescriptTypes", {
      projectRef,
      includedSchemas,
    });
    expect(both.types).toContain("orders: {");
    expect(both.types).toContain("users: {");
  });

  it("names a schema that the database lacks, and refuses an empty list", async () => {
    const error = await errorOf(scenario, "getTypescriptTypes", { projectRef, includedSchemas: ["shop"] });
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain("no schema called shop");
    expect(faults("getTypescriptTypes", { projectRef, includedSchemas: [] })).toHaveLength(1);
  });
});

describe("getQueryResult", () => {
  it("returns rows whose values keep their types", async () => {
    await sql(
      "create table public.users (id int primary key, email text, tags text[], extra jsonb, ok bool)",
    );
    await sql(`insert into public.users values (1, 'a@example.com', '{x,y}', '{"a": {"b": 1}}', true),
      (2, null, '{}', 'null', false)`);
    const query = "select * from public.users where id <= $1 order by id";
    expect(await invoke(scenario, "getQueryResult", { projectRef, query, parameters: [2] })).toEqual({
      rows: [
        { id: 1, email: "a@example.com", tags: ["x", "y"], extra: { a: { b: 1 } }, ok: true },
        { id: 2, email: null, tags: [], extra: null, ok: false },
      ],
      rowCount: 2,
    });
  });

  it("runs as a role that only reads", async () => {
    await sql("create table public.users (id int primary key)");
    const query = "insert into public.users values (1)";
    const error = await errorOf(scenario, "getQueryResult", { projectRef, query });
    expect(error).toBeInstanceOf(ApiError);
    expect(await sql("select * from public.users")).toEqual([]);
  });

  it("shows what the database says of a wrong query", async () => {
    const error = await errorOf(scenario, "getQueryResult", {
      projectRef,
      query: "select * from public.nope",
    });
    expect(error.message).toContain('relation "public.nope" does not exist');
  });

  it("asks anew for another query or other parameters", async () => {
    const ask = (parameters: readonly unknown[]) =>
      invoke(scenario, "getQueryResult", { projectRef, query: "select $1::int as n", parameters });
    const [one, two] = await Promise.all([ask([1]), ask([2])]);
    expect([one, two]).toEqual([
      { rows: [{ n: 1 }], rowCount: 1 },
      { rows: [{ n: 2 }], rowCount: 1 },
    ]);
  });
});

describe("getAdvisors", () => {
  interface Lint {
    readonly name: string;
    readonly metadata?: { readonly name?: string };
  }
  const read = (more: object = {}) =>
    invoke<Record<"performance" | "security", Lint[]>>(scenario, "getAdvisors", { projectRef, ...more });

  it("returns the findings by kind, each with its object", async () => {
    scenario.emulator.world.state.configurationLinted = false;
    await sql("create table public.users (id int)");
    const { performance, security } = await read();
    expect(performance.map(({ name }) => name)).toContain("no_primary_key");
    expect(security.find(({ name }) => name === "rls_disabled_in_public")).toMatchObject({
      level: "ERROR",
      facing: "EXTERNAL",
      categories: ["SECURITY"],
      metadata: { schema: "public", name: "users", type: "table" },
      cacheKey: expect.stringContaining("users") as string,
    });
  });

  it("leaves out the configuration on request", async () => {
    scenario.emulator.world.state.configurationLinted = true;
    const whole = await read();
    const { security } = await read({ databaseOnly: true });
    expect(whole.security.map(({ name }) => name)).toContain("ssl_not_enforced");
    expect(security).toEqual([]);
  });
});

describe("getReadOnlyStatus", () => {
  it("returns the mode and until when it is lifted", async () => {
    const status = () => invoke(scenario, "getReadOnlyStatus", { projectRef });
    expect(await status()).toMatchObject({ enabled: false, overrideEnabled: false });
    scenario.emulator.control.set(`projects.${projectRef}.readonly.enabled`, true);
    await scenario.client.disableReadonlyMode({ ref: projectRef });
    expect(await status()).toEqual({
      enabled: true,
      overrideEnabled: true,
      overrideActiveUntil: new Date(scenario.clock.now() + 15 * 60_000).toISOString(),
    });
  });
});

describe("getBuckets", () => {
  it("returns the buckets that clients made", async () => {
    expect(await invoke(scenario, "getBuckets", { projectRef })).toEqual({ buckets: [] });
    const at = scenario.clock.now();
    const bucket = { name: "avatars", owner: "", public: true, createdAt: at, updatedAt: at + 1_000 };
    scenario.emulator.control.set(`projects.${projectRef}.storage.buckets.avatars`, bucket, { create: true });
    expect(await invoke(scenario, "getBuckets", { projectRef })).toEqual({
      buckets: [
        {
          bucketId: "avatars",
          name: "avatars",
          owner: "",
          public: true,
          createdAt: new Date(at).toISOString(),
          updatedAt: new Date(at + 1_000).toISOString(),
        },
      ],
    });
  });

  it("leaves out what the service leaves out", async () => {
    scenario.emulator.control.addFault({
      operation: "listBuckets",
      status: 200,
      body: [{ id: "b", newer: 1 }],
    });
    expect(await invoke(scenario, "getBuckets", { projectRef })).toEqual({ buckets: [{ bucketId: "b" }] });
  });
});
