import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import { UNKNOWN } from "../../../provider/define/unknown";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { useSourceFolder } from "../functions/source-folder";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { queried, tableRows } from "../../../tools/fixtures/database-look";

// What a file of a migration may hold, by both endpoints (service, Migrations).

const folder = useSourceFolder();
let scenario: Scenario;
let sets: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(migrationSet);
  folder.write({ "1_create_notes.sql": "create table notes (body text);" });
});
afterEach(() => scenario.close());

const vias = ["query", "migrations"] as const;
const declared = (via: string): Values => ({ projectRef: ref, directory: folder.path(), via });
const names = async (): Promise<unknown[]> =>
  (await queried(scenario, ref, "select name from svc_migrations.schema_migrations order by version")).map(
    ({ name }) => String(name).replace(/^\d+_/, ""),
  );
const recordedRows = async (): Promise<unknown[]> =>
  (await tableRows(scenario, ref, "svc_migrations.schema_migrations")) ?? [];
const indexes = (): Promise<Record<string, unknown>[]> =>
  queried(
    scenario,
    ref,
    "select i.indexrelid::regclass::text as name, i.indisvalid as valid from pg_index i where i.indrelid = 'notes'::regclass order by 1",
  );
/** What a message says in backticks. */
async function adviceOf(step: () => Promise<unknown>, pattern: RegExp): Promise<string> {
  const [, told] = pattern.exec(await step().then(() => "", String)) ?? [];
  if (told === undefined) throw new Error(`no message says ${String(pattern)}`);
  return told;
}
const INDEX = "create index concurrently notes_body on notes (body);";

describe.each(vias)("via %s", (via) => {
  it.each([
    ["rows of a dump", "select 1;\ncopy notes (body) from stdin;\nit's; $$\n\\.\n", "line 2"],
    [
      "rows that the program's machine would send",
      "\n\nCOPY notes FROM STDIN WITH (FORMAT csv);\n1\n",
      "line 3",
    ],
    ["a command of psql", "select 1;\n\\i other.sql\n", "line 2"],
    ["a command of psql behind a query", "select 1 \\gexec", "line 1"],
    ["the end of a transaction", "select 1;\n\ncommit;\nselect 2;", "line 3"],
    ["an index built concurrently beside others", `select 1;\n-- now\n${INDEX}`, "line 3"],
    ["a literal that is never closed", "select 1;\nselect 'a", "line 2"],
  ])(
    "refuses %s in the preview of a new database, with its line, and before anything runs",
    async (_what, sql, line) => {
      folder.write({ "2_second.sql": sql });
      const fault = `2_second.sql, ${line}, `;
      expect(sets.failures({ ...declared(via), projectRef: UNKNOWN })).toEqual([
        expect.stringContaining(`directory: ${fault}`),
      ]);
      // The history of one that exists may have the file, which is then never judged.
      expect(checkInputs(migrationSet, declared(via))).toMatchObject({
        failures: [],
        warnings: [expect.stringContaining(fault)],
      });
      await expect(sets.create(declared(via))).rejects.toThrow(fault);
      expect(await recordedRows()).toEqual([]);
      folder.remove("2_second.sql");
      const made = await sets.create(declared(via));
      folder.write({ "2_second.sql": sql });
      expect(() => sets.diff(made.state, declared(via))).toThrow(fault);
    },
  );

  it("never judges what the history has", async () => {
    const sql = "begin;\ncopy notes from stdin;\n1\n\\.\nvacuum notes;\nselect 'a";
    await queried(
      scenario,
      ref,
      `create schema svc_migrations; create table svc_migrations.schema_migrations (version text primary key, statements text[], name text);
       insert into svc_migrations.schema_migrations values ('2', null, 'second')`,
    );
    folder.write({ "2_second.sql": sql });
    const late = { ...declared(via), outOfOrder: true };
    const made = await sets.create(late);
    expect(await recordedRows()).toHaveLength(2);
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, late).changes).toBe(false);
  });

  it("applies a dump between its lines for psql, and a value added to a type", async () => {
    folder.write({
      "2_dump.sql":
        "\\restrict abcDEF123\n\ninsert into notes values (E'a\\\\b; \\'c');\n\n\\unrestrict abcDEF123\n",
      "3_type.sql": "create type mood as enum ('calm');",
      "4_mood.sql": "alter type mood add value 'glad';",
      "5_use.sql": "insert into notes values ('glad'::mood);",
    });
    await sets.create(declared(via));
    expect(await names()).toEqual(["create_notes", "dump", "type", "mood", "use"]);
    const [{ statements } = {}] = await queried(
      scenario,
      ref,
      "select statements from svc_migrations.schema_migrations where name like '%dump'",
    );
    expect(statements).toEqual(["insert into notes values (E'a\\\\b; \\'c')"]);
  });

  it("runs what cannot run in a transaction by itself, and records it", async () => {
    folder.write({ "2_index.sql": `-- a large table\n${INDEX}`, "3_vacuum.sql": "vacuum notes;" });
    const made = await sets.create(declared(via));
    expect(await names()).toEqual(["create_notes", "index", "vacuum"]);
    expect(await indexes()).toEqual([{ name: "notes_body", valid: true }]);
    scenario.nextRun();
    const read = await sets.read(made);
    expect(sets.diff(read?.state ?? {}, declared(via)).changes).toBe(false);
  });

  it.each([{ drop: "after" }, { status: 500, after: true }, { drop: "before" }, { status: 503 }] as const)(
    "builds an index once in spite of %j at any call",
    async (fault) => {
      folder.write({ "2_index.sql": INDEX });
      for (const nth of [0, 1, 2, 3, 4]) {
        await queried(
          scenario,
          ref,
          "drop schema if exists svc_migrations cascade; drop table if exists notes",
        );
        scenario.nextRun();
        scenario.emulator.control.addFault({ operation: "runQuery", ...fault, skip: nth });
        const create = () => sets.create(declared(via));
        await create().catch(async (error: unknown) => {
          scenario.nextRun();
          expect(String(error)).not.toContain("already exists");
          await create();
        });
        scenario.emulator.control.clearFaults();
        expect([await names(), await indexes()]).toEqual([
          ["create_notes", "index"],
          [{ name: "notes_body", valid: true }],
        ]);
      }
    },
  );

  it("builds anew what a failed build has left, and only that", async () => {
    folder.write({
      "2_twice.sql": "insert into notes values ('a'), ('a');",
      "3_index.sql": "create unique index concurrently if not exists notes_body on notes (body);",
    });
    const failed = await sets.create(declared(via)).catch(String);
    expect(failed).toContain("3_index.sql, line 1, failed");
    expect([await names(), await indexes()]).toEqual([
      ["create_notes", "twice"],
      [{ name: "notes_body", valid: false }],
    ]);
    await queried(scenario, ref, "delete from notes where ctid = '(0,1)'");
    scenario.nextRun();
    await sets.create(declared(via));
    expect([await names(), await indexes()]).toEqual([
      ["create_notes", "twice", "index"],
      [{ name: "notes_body", valid: true }],
    ]);
  });

  it("does not record an index of others that is not valid", async () => {
    folder.write({ "2_twice.sql": "insert into notes values ('a'), ('a');" });
    const made = await sets.create(declared(via));
    await queried(scenario, ref, "create unique index concurrently notes_body on notes (body)").catch(
      () => [],
    );
    folder.write({
      "3_index.sql": "create unique index concurrently if not exists notes_body on notes (body);",
    });
    scenario.nextRun();
    await expect(sets.update(made, declared(via))).rejects.toThrow(
      "3_index.sql was not recorded as applied: the index `notes_body`",
    );
    expect(await names()).toEqual(["create_notes", "twice"]);
    // “Run `drop index concurrently …`, unless someone is building it, then run again”
    const advice = await adviceOf(() => sets.update(made, declared(via)), /Run `(drop index [^`]+)`/);
    await queried(scenario, ref, advice);
    await queried(scenario, ref, "delete from notes where ctid = '(0,1)'");
    scenario.nextRun();
    await sets.update(made, declared(via));
    expect([await names(), await indexes()]).toEqual([
      ["create_notes", "twice", "index"],
      [{ name: "notes_body", valid: true }],
    ]);
  });

  it("tells of a failure in the file alone", async () => {
    folder.write({ "2_second.sql": "insert into nowhere values (1);" });
    const failure = await sets.create(declared(via)).catch(String);
    expect(failure).toContain("2_second.sql, line 1, failed");
    expect(failure).toContain("LINE 1: insert into nowhere");
    expect(failure).not.toMatch(/advisory|management|schema_migrations/);
  });
});

describe("a statement outside of a transaction whose outcome nobody knows", () => {
  let proxied: Scenario;
  beforeEach(async () => {
    proxied = await startScenario({ isProxied: true });
    ref = proxied.healthyProject();
    sets = proxied.manage(migrationSet);
  });
  afterEach(() => proxied.close());

  it.each<["after" | "before", string, readonly unknown[]]>([
    ["after", "drop index concurrently if exists notes_body;", []],
    ["before", "drop index concurrently notes_body;", [{ name: "notes_body" }]],
  ])("runs once as advised, where the connection ends %s it was done", async (drop, checked, left) => {
    await queried(proxied, ref, "create table notes (body text); create index notes_body on notes (body)");
    const onNotes = (): Promise<unknown> =>
      queried(proxied, ref, "select indexname as name from pg_indexes where tablename = 'notes'");
    folder.write({ "1_create_notes.sql": "select 1;", "2_drop.sql": "drop index concurrently notes_body;" });
    const create = (): Promise<unknown> => {
      proxied.nextRun();
      return sets.create({ ...declared("query"), baseline: "none" });
    };
    proxied.proxy.disturb({
      ...{ operation: "runQuery", drop, times: 1 },
      appliesTo: ({ body }) => body.includes('"query":"drop index concurrently'),
    });
    const forget = await adviceOf(create, /run `(delete from [^`]+)` and run again/);
    expect(await onNotes()).toEqual(left);
    await expect(create()).rejects.toThrow("The provider does not repeat it");
    expect(await onNotes()).toEqual(left);
    // “If the statement was executed, … make it repeatable (`if exists`). Then, in both cases, run `delete from …` and run again”
    folder.write({ "2_drop.sql": checked });
    await queried(proxied, ref, forget);
    await create();
    expect(await onNotes()).toEqual([]);
    const recorded = await queried(
      ...([proxied, ref, "select version from svc_migrations.schema_migrations order by 1"] as const),
    );
    expect(recorded).toEqual([{ version: "1" }, { version: "2" }]);
  });
});

describe("of several statements that are sent at once", () => {
  it.each<[string, readonly string[], string]>([
    [
      "the one of the table is named whose constraint is broken",
      ["create table users (email text unique);", "select 1;", "insert into users values ('a'), ('a');"],
      "line 1 or 3",
    ],
    [
      "the only one that has the table is named",
      [
        "select 1;",
        "insert into notes values ('a');",
        "alter table notes add constraint b check (body = 'b');",
      ],
      "line 3",
    ],
    [
      "those are named that have what Postgres names",
      [
        "create table a (n int not null);",
        "select 1;",
        "insert into a values (1);",
        "insert into a (n) values (null);",
      ],
      "line 1 or 4",
    ],
  ])("%s, and the words of Postgres stand beside the failure", async (_, statements, place) => {
    folder.write({ "2_second.sql": statements.join("\n") });
    await expect(sets.create(declared("query"))).rejects.toThrow(
      new RegExp(
        `2_second\\.sql, ${place}, failed on \\w+ and was rolled back \\(the service says: .*\\)\\. Earlier`,
        "s",
      ),
    );
  });
});

it("tells the line of the statement that has a query within a function, not that of the query", async () => {
  folder.write({ "2_second.sql": "select 1;\n\ndo $$\nbegin\n  execute 'select nothing';\nend $$;" });
  await expect(sets.create(declared("query"))).rejects.toThrow("2_second.sql, line 3, failed");
});

it.each(vias)(
  "is sent once via %s where Postgres refuses it, and names the only statement that can be meant",
  async (via) => {
    folder.write({
      "2_second.sql":
        "alter table notes add column id int constraint one_of_a_kind unique;\n\ninsert into notes (id) values (1);\ninsert into notes (id) select id from notes;",
    });
    const made = await sets.create(declared(via)).catch(String);
    expect(made).toContain('unique constraint "one_of_a_kind"');
    expect(made).toContain("2_second.sql, line 1, failed");
    expect(scenario.calls("runQuery") + scenario.calls("applyMigration")).toBe(2);
  },
);

it.each([
  ["select svc_functions.http_request();", /comes with the database webhooks .*`DatabaseWebhooks`/],
  ["create table svc_functions.mine (id int);", /comes with the database webhooks .*`DatabaseWebhooks`/],
  ["grant select on notes to reporting;", /has created the role `reporting`/],
])("names what makes what `%s` lacks", async (sql, named) => {
  folder.write({ "2_second.sql": sql });
  const failed = await sets.create(declared("query")).catch(String);
  expect(failed).toContain("2_second.sql, line 1, failed");
  expect(failed).toMatch(named);
  expect(scenario.calls("runQuery")).toBe(2);
});

describe("a rollback", () => {
  it("is in a folder that the platform's tool does not read", async () => {
    folder.write({ "rollbacks/1_create_notes.sql": "drop table notes;" });
    const made = await sets.create(declared("query"));
    expect(scenario.warnings).toEqual([]);
    scenario.nextRun();
    await sets.update(made, { ...declared("query"), rollbackTo: "0" });
    expect(await names()).toEqual([]);
  });

  it("is told of where that tool would apply it as a migration", () => {
    folder.write({ "1_create_notes.down.sql": "drop table notes;" });
    expect(checkInputs(migrationSet, declared("query")).warnings).toEqual([
      expect.stringContaining("1_create_notes.down.sql"),
    ]);
  });

  it("is refused where a migration has two, and where it has no migration", () => {
    folder.write({ "1_create_notes.down.sql": "select 1;", "rollbacks/1_create_notes.sql": "select 1;" });
    expect(sets.failures(declared("query"))).toEqual([expect.stringContaining("has two rollbacks")]);
    folder.remove("1_create_notes.down.sql");
    folder.write({ "rollbacks/2_nothing.sql": "select 1;" });
    expect(sets.failures(declared("query"))).toEqual([
      expect.stringContaining("rollbacks/2_nothing.sql has no migration to roll back"),
    ]);
  });

  it("may drop an index concurrently where that may be repeated", async () => {
    folder.write({
      "2_index.sql": INDEX,
      "rollbacks/2_index.sql": "drop index concurrently notes_body;",
    });
    expect(sets.failures(declared("query"))).toEqual([
      expect.stringContaining("rollbacks/2_index.sql, line 1, cannot be repeated"),
    ]);
    folder.write({ "rollbacks/2_index.sql": "drop index concurrently if exists notes_body;" });
    expect(sets.failures(declared("migrations"))).toHaveLength(1);
    const made = await sets.create(declared("query"));
    scenario.nextRun();
    await sets.update(made, { ...declared("query"), rollbackTo: "1" });
    expect([await names(), await indexes()]).toEqual([["create_notes"], []]);
  });
});
