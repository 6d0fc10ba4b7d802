import ts from "typescript";
import { createRulesWorld } from "../rules-world";

const rules = createRulesWorld();
afterAll(() => rules.close());
const ref = rules.healthyProject();

interface Options {
  readonly parameters?: unknown[];
  readonly read_only?: boolean;
}

function query(sql: string, options: Options = {}): Promise<Record<string, unknown>[]> {
  return rules.call("runQuery", { ref, body: { query: sql, ...options } });
}

function refusalOf(sql: string, options: Options = {}): Promise<string> {
  return rules.lateRefusal("runQuery", { ref, body: { query: sql, ...options } });
}

beforeAll(async () => {
  await query(`
    create type mood as enum ('calm', 'very happy');
    create type address as (street text, number int);
    create domain email as text check (value like '%@%');
    create table customers (
      id bigint generated always as identity primary key,
      email email not null,
      mood mood default 'calm',
      home address,
      tags text[],
      details jsonb not null default '{}',
      "odd name" timestamptz
    );
    create table orders (
      id uuid primary key default gen_random_uuid(),
      customer bigint not null references customers,
      gift_for bigint unique references customers (id),
      price numeric not null,
      gross numeric generated always as (price * 1.2) stored
    );
    create view cheap as select id, price from orders where price < 10;
    create function orders_of(customer bigint, at_least numeric default 0) returns setof orders
      language sql as 'select * from public.orders o where o.customer = $1 and price >= $2';
    create function greet(name text) returns text language sql as 'select $1';
    create function greet(age int) returns table (age int, mood mood) language sql as $$ select 1, 'calm'::public.mood $$;
    create schema sales;
    create table sales.leads (id int primary key, mood mood);
    insert into customers (email, mood) values ('a@example.com', 'very happy');
  `);
});

describe("a query", () => {
  it("answers the rows of the last statement that gives rows", async () => {
    const sql = `create table passing (mood mood);
      insert into passing values ('calm') returning mood;
      select count(*) from passing;
      update passing set mood = 'very happy'`;
    expect(await query(sql)).toEqual([{ count: 1 }]);
    expect(await query("drop table passing")).toEqual([]);
  });

  it("binds parameters", async () => {
    expect(
      await query("select $1::int + 1 as next, $2::text[] as list, $3::jsonb as json", {
        parameters: [41, ["a", "b"], { key: true }],
      }),
    ).toEqual([{ next: 42, list: ["a", "b"], json: { key: true } }]);
  });

  it("is refused in Postgres' own words, with the place marked", async () => {
    expect(await refusalOf("select *\n  from nowhere")).toBe(
      `400 Failed to run sql query: ERROR:  42P01: relation "nowhere" does not exist\nLINE 2:   from nowhere\n               ^`,
    );
    expect(await refusalOf("insert into customers (id, email) values (1, 'a@example.com')")).toBe(
      '400 Failed to run sql query: ERROR:  428C9: cannot insert a non-DEFAULT value into column "id"\n' +
        'DETAIL:  Column "id" is an identity column defined as GENERATED ALWAYS.\n' +
        "HINT:  Use OVERRIDING SYSTEM VALUE to override.",
    );
  });

  it("does nothing at all when one of its statements is refused", async () => {
    expect(await refusalOf("create table half_made (id int); select 1 / 0")).toContain(
      "22012: division by zero",
    );
    expect(await query("select to_regclass('half_made') as half")).toEqual([{ half: null }]);
  });

  it("leaves no transaction and no setting to the next one", async () => {
    await query("begin; create table left_open (id int); set role anon");
    expect(await query("select to_regclass('left_open') as open, current_user")).toEqual([
      { open: null, current_user: "postgres" },
    ]);
  });

  it("only reads when it is asked to", async () => {
    const options = { read_only: true };
    expect(await query("select current_user, count(*) from customers", options)).toEqual([
      { current_user: "svc_read_only_user", count: 1 },
    ]);
    expect(await refusalOf("delete from customers", options)).toContain(
      "25006: cannot execute DELETE in a read-only transaction",
    );
    expect(await refusalOf("commit; delete from customers", options)).toContain("25006");
    expect(await refusalOf("set transaction read write; delete from customers", options)).toContain(
      "42501: permission denied for table customers",
    );
  });

  it("only reads when the token may only read", async () => {
    Object.assign(rules.caller, { permissions: ["database_read"] });
    try {
      expect(await query("select count(*) from customers")).toEqual([{ count: 1 }]);
      expect(await refusalOf("delete from customers")).toContain("25006");
      Object.assign(rules.caller, { permissions: ["database_read", "database_write"] });
      expect(await query("delete from orders returning id")).toEqual([]);
    } finally {
      Object.assign(rules.caller, { permissions: undefined });
    }
  });

  it("needs a project that is active, with a healthy database", async () => {
    const fresh = rules.newProject("fresh");
    const body = { query: "select 1" };
    expect(await rules.lateRefusal("runQuery", { ref: fresh, body })).toBe(
      "400 Project status is UNKNOWN, but must be ACTIVE_HEALTHY for this operation",
    );
    rules.advance(120);
    rules.projectRecord(fresh).unhealthyServices.set("db", "disk full");
    expect(await rules.lateRefusal("runQuery", { ref: fresh, body })).toBe(
      "400 Service db of the project is not healthy: disk full",
    );
    expect(rules.world.databases.isUsed(fresh)).toBe(false);
  });
});

describe("the vault", () => {
  const hash =
    "select name, encode(sha256(decrypted_secret::bytea), 'hex') as hash from vault.decrypted_secrets";

  it("takes secrets by its functions, at the time of the service", async () => {
    const [made] = await query("select vault.create_secret($1, $2) as id", {
      parameters: ["its value", "api"],
    });
    rules.advance(60);
    await query("select vault.update_secret($1::uuid, $2)", { parameters: [made?.["id"], "another value"] });
    expect(
      await query(
        "select decrypted_secret, extract(epoch from updated_at - created_at)::int as s from vault.decrypted_secrets",
      ),
    ).toEqual([{ decrypted_secret: "another value", s: 60 }]);
  });

  it("refuses what a user may not do there, and the values to a role that only reads", async () => {
    for (const statement of [
      "insert into vault.secrets (secret) values ('x')",
      "update vault.secrets set secret = 'x'",
      "alter table vault.secrets add column mine text",
    ]) {
      expect(await refusalOf(statement)).toMatch(
        /42501: (?:permission denied for|must be owner of) table secrets/,
      );
    }
    const denied = "42501: permission denied for function _crypto_aead_det_decrypt";
    expect(await refusalOf(hash, { read_only: true })).toContain(denied);
    expect(await rules.lateRefusal("runReadOnlyQuery", { ref, body: { query: hash } })).toContain("42501");
    expect(await query("select name from vault.secrets", { read_only: true })).toEqual([{ name: "api" }]);
    expect(await query(hash)).toHaveLength(1);
    expect(await query("delete from vault.secrets returning name")).toEqual([{ name: "api" }]);
  });
});

describe("a read-only query", () => {
  const readOnly = (sql: string) => rules.call("runReadOnlyQuery", { ref, body: { query: sql } });

  it("reads what is schema-qualified", async () => {
    expect(await readOnly("select mood from public.customers")).toEqual([{ mood: "very happy" }]);
    const parameters = ["very happy"];
    const sql = "select count(*) from public.customers where mood = $1::public.mood";
    expect(await rules.call("runReadOnlyQuery", { ref, body: { query: sql, parameters } })).toEqual([
      { count: 1 },
    ]);
  });

  it("finds nothing by its bare name, and changes nothing", async () => {
    const refusal = (sql: string) => rules.lateRefusal("runReadOnlyQuery", { ref, body: { query: sql } });
    expect(await refusal("select * from customers")).toContain('42P01: relation "customers" does not exist');
    expect(await refusal("delete from public.customers")).toContain("25006");
    expect(await refusal("create table public.more (id int)")).toContain("25006");
  });
});

describe("a branch", () => {
  it("begins with the parent's schema, and with its rows when they are asked for", async () => {
    const branch = (name: string, withData: boolean) =>
      rules.call("createBranch", { ref, body: { branch_name: name, with_data: withData } }).project_ref;
    const [bare, full] = [branch("bare", false), branch("full", true)];
    rules.advance(600);
    const body = { query: "select count(*) from customers" };
    expect(await rules.call("runQuery", { ref: bare, body })).toEqual([{ count: 0 }]);
    expect(await rules.call("runQuery", { ref: full, body })).toEqual([{ count: 1 }]);
    rules.call("disableBranching", { ref });
    await query("drop schema svc_migrations cascade");
    expect(rules.world.databases.isUsed(bare)).toBe(false);
  });
});

it("text that only names what needs a superuser is read by whoever reads", async () => {
  const query = "select 'alter extension a set schema b; event trigger' as text, current_user";
  const rows = (user: string) => [
    { text: "alter extension a set schema b; event trigger", current_user: user },
  ];
  expect(await rules.call("runQuery", { ref, body: { query, read_only: true } })).toEqual(
    rows("svc_read_only_user"),
  );
  rules.projectRecord(ref).readonly.enabled = true;
  expect(await rules.call("runQuery", { ref, body: { query } })).toEqual(rows("postgres"));
  rules.projectRecord(ref).readonly.enabled = false;
});

describe("the database context", () => {
  it("lists the schemas that are there", async () => {
    const { databases } = await rules.call("getDatabaseContext", { ref });
    expect(databases).toEqual([
      {
        name: "postgres",
        schemas: [
          "auth",
          "extensions",
          "graphql",
          "graphql_public",
          "legacy_pooler",
          "public",
          "realtime",
          "sales",
          "storage",
          "vault",
        ].map((name) => ({ name })),
      },
    ]);
  });
});

describe("the TypeScript types", () => {
  const options: ts.CompilerOptions = { strict: true, noEmit: true, lib: ["lib.es2023.d.ts"], types: [] };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const libraries = new Map<string, ts.SourceFile | undefined>();

  /** What the compiler says of the types with a program behind them. */
  function faultsOf(types: string, program: string): string[] {
    host.getSourceFile = (name, version) => {
      if (name === "program.ts") return ts.createSourceFile(name, `${types}\n${program}`, version);
      if (!libraries.has(name)) libraries.set(name, read(name, version));
      return libraries.get(name);
    };
    return ts
      .getPreEmitDiagnostics(ts.createProgram(["program.ts"], options, host))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  }

  it("compile, and say of every column what it holds", async () => {
    const { types } = await rules.call("getTypescriptTypes", { ref, included_schemas: "public, sales" });
    const program = `
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      const rows: Same<Tables<"orders">, {
        customer: number; gift_for: number | null; gross: number | null; id: string; price: number }> = true;
      const inserts: Same<TablesInsert<"orders">, {
        customer: number; gift_for?: number | null; gross?: never; id?: string; price: number }> = true;
      const updates: TablesUpdate<"customers"> = { mood: "calm", home: { number: 1, street: null } };
      const view: Same<Tables<"cheap">, { id: string | null; price: number | null }> = true;
      const customer: Same<Tables<"customers">["tags" | "email" | "odd name"], string[] | string | null> = true;
      const details: Json = { list: [1, "two", null] };
      const labels: Same<Enums<"mood">, "calm" | "very happy"> = true;
      const other: Same<Tables<{ schema: "sales" }, "leads">["mood"], "calm" | "very happy" | null> = true;
      const constant: "very happy" = Constants.public.Enums.mood[1];
      type Functions = Database["public"]["Functions"];
      const call: Functions["orders_of"]["Args"] = { customer: 1 };
      const result: Same<Functions["orders_of"]["Returns"], Tables<"orders">[]> = true;
      const overloads: Same<Functions["greet"]["Returns"], string | { age: number; mood: Enums<"mood"> }[]> = true;
      const relation: Same<Database["public"]["Tables"]["orders"]["Relationships"][1]["isOneToOne"], true> = true;
      const composite: CompositeTypes<"address"> = { number: null, street: "Main" };`;
    expect(faultsOf(types, program)).toEqual([]);
    expect(faultsOf(types, 'const order: TablesInsert<"orders"> = { customer: 1 };')).toEqual([
      expect.stringContaining("Property 'price' is missing"),
    ]);
  });

  it("compile for schemas that hold nothing", async () => {
    const { types } = await rules.call("getTypescriptTypes", { ref, included_schemas: "extensions" });
    expect(faultsOf(types, 'const none: keyof Database = "extensions";')).toEqual([]);
  });

  it("describe the schema public alone unless others are included", async () => {
    const { types } = await rules.call("getTypescriptTypes", { ref });
    expect(types).toContain("  public: {");
    expect(types).not.toContain("  sales: {");
  });

  it("are refused for a schema that is not there", async () => {
    const refusal = (schemas: string) =>
      rules.lateRefusal("getTypescriptTypes", { ref, included_schemas: schemas });
    expect(await refusal("public,nowhere,elsewhere")).toBe(
      "400 There is no schema called nowhere, elsewhere",
    );
    expect(await refusal(" , ")).toBe("400 included_schemas: it names no schema");
  });
});

it("shows in pg_settings what waits for a restart, until the database was restarted", async () => {
  const pending = async (): Promise<unknown> => {
    const query = "select name from pg_settings where pending_restart order by name";
    const reader = await rules.call("runReadOnlyQuery", { ref, body: { query } });
    expect(await rules.call("runQuery", { ref, body: { query } })).toEqual(reader);
    return reader;
  };
  expect(await pending()).toEqual([]);
  rules.call("updatePostgresConfig", {
    ref,
    body: { max_connections: 120, shared_buffers: "1GB", work_mem: "8MB" },
  });
  expect(await pending()).toEqual([{ name: "max_connections" }, { name: "shared_buffers" }]);
  rules.call("updatePostgresConfig", { ref, body: { shared_buffers: "1GB" } });
  expect(await pending()).toEqual([{ name: "shared_buffers" }]);
  rules.call("updatePostgresConfig", { ref, body: { shared_buffers: "1GB", restart_database: true } });
  rules.advance(60);
  expect(await pending()).toEqual([]);
});
