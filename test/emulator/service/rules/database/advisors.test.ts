import { createRulesWorld } from "../rules-world";

const rules = createRulesWorld();
afterAll(() => rules.close());
let ref: string;
beforeEach(() => {
  ref = rules.healthyProject();
  rules.world.state.configurationLinted = false;
});

async function run(sql: string): Promise<void> {
  await rules.call("runQuery", { ref, body: { query: sql } });
}

async function performance(): Promise<string[]> {
  return (await rules.call("getPerformanceAdvisors", { ref })).lints.map((lint) => lint.cache_key);
}

async function security(): Promise<string[]> {
  return (await rules.call("getSecurityAdvisors", { ref, lint_type: "sql" })).lints.map(
    (lint) => lint.cache_key,
  );
}

it("nothing is found in a new project's database", async () => {
  expect(await performance()).toEqual([]);
  expect(await security()).toEqual([]);
});

it("a foreign key without an index is found, until it has one that begins with its columns", async () => {
  await run(`create schema private; create table private.customers (id int, region int, primary key (id, region));
    create table private.orders (id int primary key, note text, customer int, region int,
      foreign key (customer, region) references private.customers);
    create index notes on private.orders (note, customer, region)`);
  const { lints } = await rules.call("getPerformanceAdvisors", { ref });
  expect(lints).toEqual([
    {
      name: "unindexed_foreign_keys",
      title: "Unindexed foreign keys",
      level: "INFO",
      facing: "EXTERNAL",
      categories: ["PERFORMANCE"],
      description: expect.any(String) as string,
      detail:
        "Table `private.orders` has a foreign key `orders_customer_region_fkey` without a covering index.",
      remediation: "Create an index on the columns of the foreign key.",
      metadata: {
        schema: "private",
        name: "orders",
        type: "table",
        fkey_name: "orders_customer_region_fkey",
        fkey_columns: [3, 4],
      },
      cache_key: "unindexed_foreign_keys_private_orders_orders_customer_region_fkey",
    },
  ]);
  expect(await performance()).toEqual(lints.map((lint) => lint.cache_key));
  await run("create index on private.orders (region, customer, note)");
  expect(await performance()).toEqual([]);
});

it("tables without a primary key and indexes that are the same are found", async () => {
  await run(`create schema private; create table private.logs (at timestamptz, line text);
    create index one on private.logs (at); create index two on private.logs (at);
    create index other on private.logs (at) where line is not null`);
  expect(await performance()).toEqual([
    "no_primary_key_private_logs",
    "duplicate_index_private_logs_one_two",
  ]);
  await run(
    "drop index private.two; alter table private.logs add id int generated always as identity primary key",
  );
  expect(await performance()).toEqual([]);
});

it("a table of an exposed schema without row security is found, and what its policies lack", async () => {
  await run("create table notes (id int primary key, owner uuid)");
  expect(await security()).toEqual(["rls_disabled_in_public_public_notes"]);
  await run("create policy own on notes for select to authenticated using (owner = auth.uid())");
  expect(await security()).toEqual([
    "policy_exists_rls_disabled_public_notes",
    "rls_disabled_in_public_public_notes",
  ]);
  await run("alter table notes enable row level security");
  expect(await security()).toEqual([]);
  expect(await performance()).toEqual(["auth_rls_initplan_public_notes_own"]);
  await run(`alter policy own on notes using (owner = (select auth.uid()));
    create policy more on notes to authenticated using (id = 1)`);
  expect(await performance()).toEqual(["multiple_permissive_policies_public_notes_authenticated_SELECT"]);
  await run("drop policy own on notes; drop policy more on notes");
  expect(await performance()).toEqual([]);
  expect(await security()).toEqual(["rls_enabled_no_policy_public_notes"]);
  await run(`create policy staff on notes using ((auth.jwt() -> 'user_metadata' ->> 'staff')::boolean)`);
  expect(await security()).toEqual(["rls_references_user_metadata_public_notes_staff"]);
});

it("only the schemas that the REST layer offers count as exposed", async () => {
  await run(`create schema private; create table private.secrets (id int primary key);
    grant select on private.secrets to anon`);
  expect(await security()).toEqual([]);
  rules.call("updateRestLayerConfig", { ref, body: { db_schema: "public, private" } });
  expect(await security()).toEqual(["rls_disabled_in_public_private_secrets"]);
});

it("views, functions, extensions and columns that are risky are found", async () => {
  await run(`create view people as select email from auth.users;
    create view careful with (security_invoker = true) as select email from auth.users;
    create materialized view totals as select 1 as total;
    create function open() returns int language sql as 'select 1';
    create function closed() returns int language sql set search_path = '' as 'select 1';
    create extension citext;
    create extension unaccent schema extensions;
    create schema private;
    create table private.names (id int primary key, name regproc)`);
  expect(await security()).toEqual([
    "auth_users_exposed_public_people",
    "security_definer_view_public_people",
    expect.stringMatching(/^function_search_path_mutable_public_open_\w+$/),
    "extension_in_public_public_citext",
    "materialized_view_in_api_public_totals",
    "unsupported_reg_types_private_names_name",
  ]);
});

it("a new project has no security lints (service, Advisors)", async () => {
  expect(await rules.call("getSecurityAdvisors", { ref })).toEqual({ lints: [] });
});

it("the configuration is looked at as well where that is wanted, unless only SQL is asked for", async () => {
  rules.world.state.configurationLinted = true;
  const found = async (): Promise<string[]> =>
    (await rules.call("getSecurityAdvisors", { ref })).lints
      .filter(({ metadata }) => ["auth", "compliance"].includes(metadata?.type ?? ""))
      .map(({ name }) => name);
  expect(await found()).toEqual([
    "auth_leaked_password_protection",
    "password_requirements_min_length",
    "ssl_not_enforced",
    "network_restrictions_not_set",
    "pitr_not_enabled",
  ]);
  const project = rules.projectRecord(ref);
  project.auth.config = { password_hibp_enabled: true, password_min_length: 12, mailer_otp_exp: 7_200 };
  project.sslEnforcement.database = true;
  project.addons.set("pitr", "pitr_7");
  project.network.restrictions.config = { v4: ["10.0.0.0/8"], v6: [] };
  expect(await found()).toEqual(["auth_otp_long_expiry"]);
});

it("advice is given while the database only reads", async () => {
  rules.projectRecord(ref).readonly.enabled = true;
  expect(await performance()).toEqual([]);
});
