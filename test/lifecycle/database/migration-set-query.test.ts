import { resourceByType } from "../../../provider/catalog/catalog";
import { sqlScript } from "../../../provider/actions/database/sql-script";
import { TABLE } from "../../../provider/actions/database/shared/script-runs";
import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import type { Values } from "../../../provider/define/values";
import { useSourceFolder } from "../functions/source-folder";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { ACME_FILE } from "../../spec/names/acme";
import { createBranchRef } from "../../kit/branch-ref";
import { queried } from "../../../tools/fixtures/database-look";
import { migrateByTool } from "../../../tools/engine/migrate-by-tool";
import { waitUntil } from "../../kit/wait-until";

// service, SQL: through the query endpoint, in the service's own history.

const folder = useSourceFolder();
let scenario: Scenario;
let sets: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(migrationSet);
  scenario.emulator.control.set("migrationPartners", ["somebody-else"]);
  folder.write({
    "1_create_notes.sql": "create table notes (body text);",
    "2_it's_first.sql": "insert into notes values ('first');",
    "2_it's_first.down.sql": "delete from notes where body = 'first';",
  });
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  directory: folder.path(),
  via: "query",
  ...more,
});
const history = async (): Promise<unknown[]> =>
  (
    await queried(
      scenario,
      ref,
      "select version || '_' || name as row from svc_migrations.schema_migrations order by 1",
    )
  ).map(({ row }) => row);
const notes = async (): Promise<unknown[]> =>
  (await queried(scenario, ref, "select body from notes")).map(({ body }) => body);

it("applies, records and rolls back through the query endpoint, and reads in two queries", async () => {
  const made = await sets.create(declared());
  expect(made.state).toMatchObject({ appliedVia: "query", latestVersion: "2" });
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_it's_first"], ["first"]]);
  expect(scenario.progress.join()).toContain("applying 1_create_notes.sql (1 of 2) via query");
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await sets.read(made);
  // Where the history is, and what it says.
  expect(scenario.emulator.control.calls().map(({ operation }) => operation)).toEqual([
    "runReadOnlyQuery",
    "runReadOnlyQuery",
  ]);
  folder.write({ "3_second.sql": "insert into notes values ('second');" });
  const updated = await sets.update(made, declared());
  expect(await notes()).toEqual(["first", "second"]);
  scenario.nextRun();
  const back = await sets.update(updated, declared({ rollbackTo: "2" })).catch(String);
  expect(back).toContain("3_second.sql cannot be rolled back");
  folder.write({ "3_second.down.sql": "delete from notes where body = 'second';" });
  await sets.update(updated, declared({ rollbackTo: "1" }));
  expect([await history(), await notes()]).toEqual([["1_create_notes"], []]);
  await sets.delete(updated);
  expect(await history()).toEqual(["1_create_notes"]);
});

describe("on a branch", () => {
  const branchOf = async (withData: boolean): Promise<string> => {
    const made = await scenario
      .manage(resourceByType("Branch"))
      .create({ projectRef: ref, name: "pr-7", withData });
    return String(made.state["ref"]);
  };

  it.each([false, true])("knows what was copied with its schema, with data: %j", async (withData) => {
    const production = await sets.create(declared());
    await queried(scenario, ref, "insert into notes values ('by hand')");
    const branch = await branchOf(withData);
    folder.write({ "3_second.sql": "insert into notes values ('second');" });
    scenario.nextRun();
    const onBranch = declared({ projectRef: branch, __owner: SOMEBODY });
    const made = await sets.create(onBranch);
    expect(made.state).toMatchObject({ projectRef: branch, latestVersion: "3" });
    const bodies = await queried(scenario, branch, "select body from notes order by 1");
    expect(bodies.map(({ body }) => body)).toEqual([
      ...(withData ? ["by hand"] : []),
      // The branch is built by the migrations of its project, rows that they insert included.
      "first",
      "second",
    ]);
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, onBranch).changes).toBe(false);
    expect(await history()).toEqual(["1_create_notes", "2_it's_first"]);
    expect(production.state).toMatchObject({ latestVersion: "2" });
  });

  it("takes back what was copied with its schema", async () => {
    await sets.create(declared());
    const branch = await branchOf(false);
    scenario.nextRun();
    await sets.create(declared({ projectRef: branch, rollbackTo: "1", __owner: SOMEBODY }));
    const versions = await queried(scenario, branch, "select version from svc_migrations.schema_migrations");
    expect(versions).toEqual([{ version: "1" }]);
  });
});

it("shows as drift that somebody has emptied the history, which they described in a comment", async () => {
  const made = await sets.create(declared());
  await queried(scenario, ref, "comment on table svc_migrations.schema_migrations is 'ours: do not touch'");
  await queried(scenario, ref, "truncate svc_migrations.schema_migrations");
  scenario.nextRun();
  const read = await sets.read(made);
  expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(true);
});

it("leaves neither an effect nor a row of a file that fails, and names its line", async () => {
  folder.write({ "2_it's_first.sql": "insert into notes values ('half');\ninsert into nowhere values (1);" });
  await expect(sets.create(declared())).rejects.toThrow("2_it's_first.sql, line 2, failed");
  expect([await history(), await notes()]).toEqual([["1_create_notes"], []]);
});

it("is applied once by two runners at once", async () => {
  const first = sets.create(declared());
  scenario.nextRun();
  await Promise.all([first, sets.create(declared({ __owner: SOMEBODY }))]);
  expect([await history(), await notes()]).toEqual([["1_create_notes", "2_it's_first"], ["first"]]);
});

it.each([{ drop: "after" }, { status: 500, after: true }, { drop: "before" }, { status: 503 }] as const)(
  "is applied and taken back once in spite of %j",
  async (fault) => {
    scenario.emulator.control.addFault({ operation: "runQuery", ...fault, times: 2 });
    const made = await sets.create(declared());
    expect(await notes()).toEqual(["first"]);
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "runQuery", ...fault });
    folder.write({ "2_it's_first.down.sql": "insert into notes values ('back');" });
    await sets.update(made, declared({ rollbackTo: "1" }));
    expect([await history(), await notes()]).toEqual([["1_create_notes"], ["first", "back"]]);
  },
);

it("refuses what was applied with other content by somebody else", async () => {
  await sets.create(declared());
  folder.write({ "2_it's_first.sql": "select 2;" });
  await expect(sets.create(declared({ __owner: SOMEBODY }))).rejects.toThrow("with different content");
});

it.each([["query", "migrations"] as const, ["migrations", "query"] as const])(
  "goes from %s to %s without applying anything again",
  async (from, to) => {
    scenario.emulator.control.set("migrationPartners", null);
    const made = await sets.create(declared({ via: from }));
    scenario.nextRun();
    const moved = await sets.update(made, declared({ via: to }));
    expect(moved.state).toMatchObject({ appliedVia: to });
    expect(await notes()).toEqual(["first"]);
    scenario.nextRun();
    const read = await sets.read(moved);
    expect(sets.diff(read?.state ?? {}, declared({ via: to })).changes).toBe(false);
    expect(await history()).toEqual(
      from === "query"
        ? ["1_create_notes", "2_it's_first"]
        : [expect.stringMatching(/^\d{14}_1_create_notes$/), expect.stringMatching(/^\d{14}_2_it's_first$/)],
    );
    expect(await scenario.emulator.control.call("listMigrations", { ref })).toHaveLength(2);
  },
);

it("goes to the default when it is taken out of the program", async () => {
  scenario.emulator.control.set("migrationPartners", null);
  const made = await sets.create(declared({ via: "migrations" }));
  const moved = await sets.update(made, declared({ via: undefined }));
  expect([moved.state["appliedVia"], await notes()]).toEqual(["query", ["first"]]);
});

it("names the other way where the token may not query", async () => {
  scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", status: 403, message: "Forbidden" });
  await expect(sets.create(declared())).rejects.toThrow(
    /denied access to the query endpoint.*set `via: "migrations"`/s,
  );
});

describe("a database whose history the platform's tool wrote", () => {
  const PRICES = {
    "20260101000000_create_products.sql":
      "create table products (price int);\ninsert into products values (5);",
    "20260102000000_prices_in_cents.sql": "update products set price = price * 100;",
    "20260103000000_name.sql": "alter table products add column name text;",
  };
  const price = () => queried(scenario, ref, "select price from products");
  const tools = async (): Promise<unknown> =>
    (await queried(scenario, ref, "select * from svc_migrations.schema_migrations order by version")).map(
      ({ version, name }) => `${String(version)}_${String(name)}`,
    );
  beforeEach(() => {
    folder.remove("1_create_notes.sql");
    folder.remove("2_it's_first.sql");
    folder.remove("2_it's_first.down.sql");
    folder.write(PRICES);
  });

  it.each(["", ", created_by text, idempotency_key text unique, rollback text[]"])(
    "has nothing of it applied again, with the further columns %j",
    async (more) => {
      await migrateByTool(scenario, ref, PRICES, { more });
      const made = await sets.create(declared());
      expect(await price()).toEqual([{ price: 500 }]);
      expect(made.state).toMatchObject({ latestVersion: "20260103000000" });
      expect(await tools()).toHaveLength(3);
      scenario.nextRun();
      const read = await sets.read(made);
      expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(false);
      folder.write({ "20260104000000_raise.sql": "update products set price = price + 1;" });
      await sets.update(made, declared());
      expect([await price(), await tools()]).toEqual([
        [{ price: 501 }],
        expect.arrayContaining(["20260104000000_raise"]),
      ]);
    },
  );

  it("is told of another text or name by a warning, and decides by the version", async () => {
    await migrateByTool(scenario, ref, {
      ...PRICES,
      "20260102000000_prices_in_cents.sql": "update products set price = 500;",
    });
    const renamed =
      "update svc_migrations.schema_migrations set name = 'other' where version = '20260103000000'";
    await queried(scenario, ref, renamed);
    const made = await sets.create(declared());
    expect(scenario.warnings.join()).toMatch(
      /20260102000000_prices_in_cents\.sql \(different text\), 20260103000000_name\.sql \(as `other`\)/,
    );
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(false);
    folder.write({ "20260102000000_prices_in_cents.sql": "update products set price = price * 1000;" });
    expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(true);
    await sets.update({ id: ref, state: read?.state ?? {} }, declared());
    expect(await price()).toEqual([{ price: 500 }]);
  });

  it("takes back by the folder's rollbacks what the tool applied", async () => {
    await migrateByTool(scenario, ref, PRICES);
    folder.write({ "20260103000000_name.down.sql": "alter table products drop column name;" });
    await sets.create(declared({ rollbackTo: "20260102000000" }));
    expect([await tools(), await queried(scenario, ref, "select * from products")]).toEqual([
      ["20260101000000_create_products", "20260102000000_prices_in_cents"],
      [{ price: 500 }],
    ]);
  });

  it("is found in whatever schema it is, and refused where two have one", async () => {
    await migrateByTool(scenario, ref, PRICES, { schema: '"acme-migrations"' });
    await sets.create(declared());
    expect(await price()).toEqual([{ price: 500 }]);
    await migrateByTool(scenario, ref, {}, { schema: "other" });
    scenario.nextRun();
    await expect(sets.create(declared({ __owner: SOMEBODY }))).rejects.toThrow(
      /two tables of the same history, "acme-migrations"\."schema_migrations" and "other"\."schema_migrations"/,
    );
    expect(await price()).toEqual([{ price: 500 }]);
  });

  it("is taken over by an import as well", async () => {
    await migrateByTool(scenario, ref, PRICES);
    const read = await sets.read({ id: ref, state: { projectRef: ref, directory: folder.path() } });
    expect(read?.state).toMatchObject({ appliedVia: "query", latestVersion: "20260103000000" });
    await sets.update({ id: ref, state: read?.state ?? {} }, declared());
    expect(await price()).toEqual([{ price: 500 }]);
  });
});

describe("a database that was built without migrations", () => {
  beforeEach(() =>
    queried(scenario, ref, "create table notes (body text); insert into notes values ('own')"),
  );
  const rows = async (): Promise<unknown> =>
    (
      await queried(scenario, ref, "select to_regclass('svc_migrations.schema_migrations') is null as none")
    )[0];

  it("is refused before anything is written, and asks for a baseline", async () => {
    await expect(sets.create(declared())).rejects.toThrow(
      /has tables \(public\.notes\) but no migration history.*1_create_notes\.sql, 2_it's_first\.sql.*Set `baseline`/s,
    );
    expect([await rows(), scenario.calls("runQuery")]).toEqual([{ none: true }, expect.any(Number)]);
    scenario.nextRun();
    const imported = await sets.read({ id: ref, state: { projectRef: ref, directory: folder.path() } });
    await expect(sets.update({ id: ref, state: imported?.state ?? {} }, declared())).rejects.toThrow(
      "Set `baseline`",
    );
    expect([await rows(), await notes()]).toEqual([{ none: true }, ["own"]]);
  });

  it.each([
    ["all", ["own"]],
    ["1", ["own", "first"]],
  ])("has what a baseline of %s covers recorded and not run", async (baseline, expected) => {
    const made = await sets.create(declared({ baseline }));
    expect([await history(), await notes()]).toEqual([["1_create_notes", "2_it's_first"], expected]);
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, declared({ baseline })).changes).toBe(false);
    folder.write({ "3_second.sql": "insert into notes values ('second');" });
    await sets.update(made, declared({ baseline }));
    expect(await notes()).toEqual([...expected, "second"]);
  });

  it("has all applied that it has none of", async () => {
    folder.write({ "1_create_notes.sql": "create table others ();" });
    await sets.create(declared({ baseline: "none" }));
    expect(await notes()).toEqual(["own", "first"]);
  });

  it("has a baseline recorded once via the migrations endpoint, in spite of an answer that is lost", async () => {
    scenario.emulator.control.set("migrationPartners", null);
    scenario.emulator.control.addFault({ operation: "upsertMigration", drop: "after", times: 2 });
    await sets.create(declared({ baseline: "all", via: "migrations" }));
    expect([await notes(), await scenario.emulator.control.call("listMigrations", { ref })]).toEqual([
      ["own"],
      [
        expect.objectContaining({ name: "2_it's_first" }),
        expect.objectContaining({ name: "1_create_notes" }),
      ],
    ]);
  });

  it("refuses a baseline that no file has", () => {
    expect(sets.failures(declared({ baseline: "3" }))).toEqual([
      expect.stringContaining("baseline: no file has the version 3"),
    ]);
  });
});

it("runs everything on an empty database, whatever baseline is for the one that is not", async () => {
  await sets.create(declared({ baseline: "all" }));
  expect(await notes()).toEqual(["first"]);
});

describe("beside a script of a program", () => {
  const run = (query: string) =>
    scenario
      .manage(sqlScript)
      .create({ projectRef: ref, name: "seed", query })
      .then(() => {
        scenario.nextRun();
      });

  it("takes a database with the script's tables alone for empty, whichever comes first", async () => {
    await run(
      "create table audit (id int primary key); do $$ begin create schema app; create table app.log (); end $$",
    );
    await queried(
      scenario,
      ref,
      "alter table audit add column at date; create index on audit (at); analyze audit",
    );
    await sets.create(declared());
    expect(await notes()).toEqual(["first"]);
  });

  it("takes it for empty when the script ends after the first look", async () => {
    // It is known where the history is to be; now the tables are asked for.
    scenario.emulator.control.addFault({ operation: "runReadOnlyQuery", skip: 1, delayMs: 500 });
    const made = sets.create(declared());
    await waitUntil("the database is asked", () => scenario.calls("runReadOnlyQuery") > 0);
    const scripts = `svc_migrations.${TABLE.name}`;
    await queried(
      scenario,
      ref,
      `create schema svc_migrations; create table ${scripts} (${TABLE.columns});
       insert into ${scripts} (name, run, finished_at) values ('seed', '1', now()); create table audit ()`,
    );
    await made;
    expect(await notes()).toEqual(["first"]);
  });

  it("still asks for a baseline for a table that the script only changed", async () => {
    await queried(scenario, ref, "create table others (id int)");
    await run("create table audit (); alter table others add primary key (id), add column at date");
    await expect(sets.create(declared())).rejects.toThrow(
      "has tables (public.others) but no migration history",
    );
  });
});

it("applies in the order of the files' names, and takes 01 and 1 for two versions", async () => {
  folder.remove("2_it's_first.sql");
  folder.remove("2_it's_first.down.sql");
  folder.remove("1_create_notes.sql");
  folder.write({
    "01_log.sql": "create table log (body text);",
    "1_log.sql": "insert into log values ('1');",
    "20260521090000_create.sql": "create table notes (body text);",
    "20260522_admin_notes.sql": "insert into notes values ('admin');",
  });
  const made = await sets.create(declared());
  expect([await notes(), made.state["latestVersion"]]).toEqual([["admin"], "20260522"]);
  expect(await history()).toHaveLength(4);
});

it("records the statements of a file as they are split, and never none", async () => {
  folder.write({
    "2_it's_first.sql": "begin;\n-- one; two\ninsert into notes values ('first; \\ it''s');\ncommit;\n",
    "3_nothing.sql": "-- nothing;\n",
  });
  await sets.create(declared());
  expect(await notes()).toEqual(["first; \\ it's"]);
  expect(
    await queried(scenario, ref, "select statements from svc_migrations.schema_migrations order by version"),
  ).toEqual([
    { statements: ["create table notes (body text)"] },
    {
      statements: ["begin", "-- one; two\ninsert into notes values ('first; \\ it''s')", "commit"],
    },
    { statements: ["-- nothing;"] },
  ]);
});

it("knows what the endpoint wrote for a file, under whatever name that has now", async () => {
  scenario.emulator.control.set("migrationPartners", null);
  await sets.create(declared({ via: "migrations" }));
  const sql = "insert into notes values ('first');";
  folder.remove("2_it's_first.sql");
  folder.remove("2_it's_first.down.sql");
  folder.write({ "2_other.sql": sql });
  for (const via of ["query", "migrations"]) {
    scenario.nextRun();
    await expect(sets.create(declared({ via, __owner: SOMEBODY }))).rejects.toThrow(
      /2_other\.sql was applied to \w+ as `it's_first`/,
    );
  }
  expect(await notes()).toEqual(["first"]);
});

it("goes on after files that others applied by the endpoint and by the tool, which a refresh has shown", async () => {
  const made = await sets.create(declared());
  const [third, fourth] = ["insert into notes values ('third');", "insert into notes values ('fourth');"];
  scenario.emulator.control.set("migrationPartners", null);
  await scenario.emulator.control.call("applyMigration", { ref, body: { query: third, name: "3_third" } });
  await migrateByTool(scenario, ref, { "4_fourth.sql": fourth });
  folder.write({ "3_third.sql": third, "4_fourth.sql": fourth });
  scenario.nextRun();
  const state = (await sets.read(made))?.state ?? {};
  expect(() => sets.diff(state, declared())).not.toThrow();
  await sets.update({ ...made, state }, declared());
  expect(await notes()).toEqual(["first", "third", "fourth"]);
});

describe("an installation that names the schema of the history", () => {
  let named: Scenario;
  beforeEach(async () => {
    named = await startScenario({ names: ACME_FILE });
    ref = named.healthyProject();
    sets = named.manage(migrationSet);
  });
  afterEach(() => named.close());
  const rows = (schema: string) => queried(named, ref, `select version from ${schema}.schema_migrations`);

  it("has it made there, and read there by branches and by the endpoint", async () => {
    await sets.create(declared());
    expect(await rows("acme_migrations")).toHaveLength(2);
    expect(await named.emulator.control.call("listMigrations", { ref })).toHaveLength(2);
  });

  it("has it used there where another schema has one too, and refuses one that is only elsewhere", async () => {
    await migrateByTool(named, ref, {}, { schema: "other" });
    await expect(sets.create(declared())).rejects.toThrow(
      /The names file has "acme_migrations" as the schema of the migration history.*in "other"/,
    );
    named.nextRun();
    await migrateByTool(named, ref, {}, { schema: "acme_migrations" });
    await sets.create(declared());
    expect([await rows("acme_migrations"), await rows("other")]).toEqual([expect.any(Array), []]);
  });

  it("has what the provider keeps beside it used there too, where another schema has a copy of all", async () => {
    const made = await sets.create(declared());
    await queried(named, ref, "create schema other");
    for (const { table } of await queried(
      named,
      ref,
      "select tablename as table from pg_tables where schemaname = 'acme_migrations'",
    ))
      await queried(
        named,
        ref,
        `create table other."${String(table)}" (like acme_migrations."${String(table)}")`,
      );
    named.nextRun();
    await sets.update(made, declared());
    expect([await rows("acme_migrations"), await rows("other")]).toEqual([expect.any(Array), []]);
  });
});

describe("a merge, a push and a reset of a branch", () => {
  const act = async (verb: "mergeBranch" | "pushBranch" | "resetBranch", branch: string): Promise<void> => {
    await scenario.emulator.control.call(verb, { branch_id_or_ref: branch, body: {} });
    scenario.clock.advance(10 * 60_000);
    scenario.nextRun();
  };

  it.each(["query", "migrations"])("share one history with a set via %s", async (via) => {
    scenario.emulator.control.set("migrationPartners", null);
    const branch = createBranchRef(scenario, ref);
    const onBranch = declared({ projectRef: branch, via, __owner: SOMEBODY });
    const made = await sets.create(onBranch);
    await act("mergeBranch", branch);
    expect(await notes()).toEqual(["first"]);
    // The merge has brought the rows: nothing is applied again.
    const production = await sets.create(declared({ via }));
    expect(await notes()).toEqual(["first"]);
    folder.write({ "3_second.sql": "insert into notes values ('second');" });
    scenario.nextRun();
    await sets.update(production, declared({ via }));
    await act("pushBranch", branch);
    const updated = await sets.update(made, onBranch);
    expect(await queried(scenario, branch, "select body from notes order by 1")).toEqual([
      { body: "first" },
      { body: "second" },
    ]);
    await act("resetBranch", branch);
    const read = await sets.read(updated);
    expect(sets.diff(read?.state ?? {}, onBranch).changes).toBe(false);
    expect(await notes()).toEqual(["first", "second"]);
  });

  it("take the record of a script along with what it did, so that it runs again", async () => {
    const scripts = scenario.manage(sqlScript);
    await sets.create(declared());
    const branch = createBranchRef(scenario, ref);
    const seed = { projectRef: branch, name: "seed", query: "insert into notes values ('seeded')" };
    const made = await scripts.create(seed);
    await act("resetBranch", branch);
    expect(await scripts.read(made)).toBeUndefined();
    await scripts.create(seed);
    expect(await queried(scenario, branch, "select body from notes")).toEqual([{ body: "seeded" }]);
  });

  it("find the record of a script where it was before the database had a history", async () => {
    const scripts = scenario.manage(sqlScript);
    const script = { projectRef: ref, name: "log", query: "create table log ()", onDelete: "drop table log" };
    const made = await scripts.create(script);
    await migrateByTool(scenario, ref, { "1_a.sql": "select 1" }, { schema: "acme" });
    scenario.nextRun();
    expect((await scripts.read(made))?.state).toEqual(made.state);
    await scripts.create({ ...script, name: "other", query: "select 1", onDelete: undefined });
    expect(await queried(scenario, ref, "select name from acme.management_scripts order by 1")).toEqual([
      { name: "log" },
      { name: "other" },
    ]);
    scenario.nextRun();
    await scripts.delete(made);
    expect(await queried(scenario, ref, "select name from acme.management_scripts")).toEqual([
      { name: "other" },
    ]);
  });
});
