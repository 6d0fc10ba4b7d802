import { sqlScript } from "../../../provider/actions/database/sql-script";
import { migration } from "../../../provider/resources/database/migration/migration";
import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import { InitializationError } from "../../../provider/engine/step/errors";
import { checkInputs } from "../../../provider/engine/check";
import { updateResource } from "../../../provider/engine/update";
import type { SettledResource } from "../../../provider/engine/step/settle";
import type { Values } from "../../../provider/define/values";
import { useSourceFolder } from "../functions/source-folder";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { createBranchRef } from "../../kit/branch-ref";
import { migrateByTool } from "../../../tools/engine/migrate-by-tool";
import { queried, tableRows } from "../../../tools/fixtures/database-look";

// What a message advises is followed as it stands there, in the state in which it is printed; then the database is looked at.

const folder = useSourceFolder();
let scenario: Scenario;
let sets: Managed;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  sets = scenario.manage(migrationSet);
  folder.write({
    "20260101000000_create.sql": "create table notes (body text);",
    "20260102000000_first.sql": "insert into notes values ('first');",
  });
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, directory: folder.path(), ...more });
const notes = async (): Promise<unknown[]> =>
  ((await tableRows(scenario, ref, "notes")) ?? []).map(({ body }) => body).sort();
const create = (more: Values = {}) => {
  scenario.nextRun();
  return sets.create(declared({ __owner: SOMEBODY, ...more }));
};
const THIRD = "20260103000000_third.sql";
const third = "insert into notes values ('third');";
const rows = (version: string, name: string, text: string): Promise<unknown> =>
  queried(
    scenario,
    ref,
    `insert into svc_migrations.schema_migrations values ('${version}', array[$$${text}$$], '${name}')`,
  );

describe("a changed file that was applied", () => {
  it.each([
    [
      "is restored",
      () => folder.write({ "20260102000000_first.sql": "insert into notes values ('first');" }),
      {},
    ],
    ["is accepted", () => undefined, { accept: ["20260102000000"] }],
  ])("%s, and nothing runs", async (_how, edit, more) => {
    const made = await create();
    folder.write({ "20260102000000_first.sql": "insert into notes values ('other');" });
    const refused = () => sets.diff(made.state, declared());
    expect(refused).toThrow('set `accept: ["20260102000000"]`: the file counts as applied and does not run');
    edit();
    expect(() => sets.diff(made.state, declared(more))).not.toThrow();
    scenario.nextRun();
    const updated = await sets.update(made, declared(more));
    expect(await notes()).toEqual(["first"]);
    scenario.nextRun();
    const read = await sets.read(updated);
    expect(sets.diff(read?.state ?? {}, declared(more)).changes).toBe(false);
    // A machine without the state is told the same.
    await create(more);
    expect(await notes()).toEqual(["first"]);
  });
});

it.each([
  [
    "a renamed file",
    "restore the name",
    { "20260102000000_other.sql": "insert into notes values ('first');" },
  ],
  ["a missing file", "restore it", {}],
])("%s that was applied is restored, and nothing runs", async (_what, advice, instead) => {
  const made = await create();
  folder.remove("20260102000000_first.sql");
  folder.write(instead);
  expect(() => sets.diff(made.state, declared())).toThrow(advice);
  for (const name of Object.keys(instead)) folder.remove(name);
  folder.write({ "20260102000000_first.sql": "insert into notes values ('first');" });
  expect(sets.diff(made.state, declared()).changes).toBe(false);
  scenario.nextRun();
  const read = await sets.read(made);
  expect(sets.diff(read?.state ?? {}, declared()).changes).toBe(false);
  await create();
  expect(await notes()).toEqual(["first"]);
});

it("a renamed file that was applied is accepted, and nothing runs", async () => {
  const made = await create();
  folder.remove("20260102000000_first.sql");
  folder.write({ "20260102000000_other.sql": "insert into notes values ('first');" });
  expect(() => sets.diff(made.state, declared())).toThrow('set `accept: ["20260102000000"]`');
  const accepted = declared({ accept: ["20260102000000"] });
  scenario.nextRun();
  const updated = await sets.update(made, accepted);
  scenario.nextRun();
  expect(sets.diff((await sets.read(updated))?.state ?? {}, accepted).changes).toBe(false);
  expect(await notes()).toEqual(["first"]);
});

describe("a file before an applied one", () => {
  const early = "20260101120000_early.sql";
  beforeEach(async () => {
    await create();
    folder.write({ [early]: "insert into notes values ('early');" });
    await expect(create()).rejects.toThrow("or set `outOfOrder: true` to apply it late");
  });

  it("is applied late, once", async () => {
    await create({ outOfOrder: true });
    await create({ outOfOrder: true });
    expect(await notes()).toEqual(["early", "first"]);
  });

  it("gets a later version, and is applied once", async () => {
    folder.remove(early);
    folder.write({ "20260103000000_early.sql": "insert into notes values ('early');" });
    await create();
    await create();
    expect(await notes()).toEqual(["early", "first"]);
  });
});

it("two databases of which one lacks an early file have one program", async () => {
  const other = scenario.healthyProject("other");
  const both = (more: Values) => [
    create(more),
    create({ ...more, projectRef: other, __owner: "acme/other" }),
  ];
  await Promise.all(both({}));
  folder.write({ "20260101120000_early.sql": "insert into notes values ('early');", [THIRD]: third });
  await create({ outOfOrder: true });
  // Of the other, somebody applied the third first, reformatted, and the first of them under the time of the endpoint.
  await migrateByTool(scenario, other, {
    [THIRD]: `-- by hand\n${third.toUpperCase().replace("THIRD", "third")}\n`,
  });
  await queried(scenario, other, "insert into notes values ('by hand')");
  await queried(
    scenario,
    other,
    "insert into svc_migrations.schema_migrations values ('20260401000000', array['insert into notes values (''by hand'')'], 'early')",
  );
  const program = { outOfOrder: true, accept: ["20260101120000"] };
  await Promise.all(both(program));
  await Promise.all(both(program));
  expect(await notes()).toEqual(["early", "first", "third"]);
  const there = await queried(scenario, other, "select body from notes order by 1");
  expect(there.map(({ body }) => body)).toEqual(["by hand", "first", "third"]);
});

describe("a row of others with the name of a pending file", () => {
  beforeEach(async () => {
    await create();
    await queried(scenario, ref, "insert into notes values ('theirs')");
    await rows("20260102120000", "third", "insert into notes values ('theirs')");
    folder.write({ [THIRD]: third });
    await expect(create()).rejects.toThrow(
      /20260103000000_third\.sql was not applied: others applied `third` to \w+ as version 20260102120000, with other content.*give the file the version 20260102120000, or set `accept: \["20260103000000"\]`.*give the file another name/s,
    );
    expect(await notes()).toEqual(["first", "theirs"]);
  });

  it("is refused by the preview after a refresh too, where an update was refused before", async () => {
    folder.remove(THIRD);
    const made = await create();
    folder.write({ [THIRD]: third });
    scenario.nextRun();
    await rows("20260401000000", "fourth", "select 1");
    folder.write({ "20260104000000_fourth.sql": "select 2" });
    const failure: unknown = await sets.update(made, declared()).catch((error: unknown) => error);
    if (!(failure instanceof InitializationError)) throw failure;
    scenario.nextRun();
    const read = await sets.read({ id: failure.id, state: failure.state });
    expect(() => sets.diff(read?.state ?? {}, declared())).toThrow(
      "20260104000000_fourth.sql was not applied",
    );
  });

  it("of a version that no file can have is accepted, as alone is advised", async () => {
    folder.remove(THIRD);
    await rows("x", "fourth", "insert into notes values ('theirs')");
    folder.write({ "20260104000000_fourth.sql": third });
    await expect(create()).rejects.toThrow('same migration, set `accept: ["20260104000000"]`');
    await create({ accept: ["20260104000000"] });
    expect(await notes()).toEqual(["first", "theirs"]);
  });

  it("gives the file its version, and nothing runs", async () => {
    folder.remove(THIRD);
    folder.write({ "20260102120000_third.sql": third });
    await create();
    expect(await notes()).toEqual(["first", "theirs"]);
  });

  it("is accepted, and nothing runs", async () => {
    await create({ accept: ["20260103000000"] });
    expect(await notes()).toEqual(["first", "theirs"]);
  });

  it("stays another one where the file gets another name, which runs once", async () => {
    folder.remove(THIRD);
    folder.write({ "20260103000000_ours.sql": third });
    await create();
    await create();
    expect(await notes()).toEqual(["first", "theirs", "third"]);
  });
});

describe("a row that counts as a file", () => {
  beforeEach(async () => {
    scenario.emulator.control.set("migrationPartners", null);
    await create();
    // The endpoint's versions are times, after that of the file.
    scenario.clock.advance(40 * 24 * 60 * 60_000);
    await scenario.emulator.control.call("applyMigration", { ref, body: { query: third, name: "third" } });
  });
  const version = async (): Promise<string> =>
    String(
      (
        await queried(
          scenario,
          ref,
          "select version from svc_migrations.schema_migrations where name = 'third'",
        )
      )[0]?.["version"],
    );

  it.each(["query", "migrations"])(
    "is told of by the preview after a refresh and by the update via %s",
    async (via) => {
      const made = await create({ via });
      scenario.nextRun();
      const read = await sets.read(made);
      folder.write({ [THIRD]: `-- formatted\n${third}\n` });
      const state = read?.state ?? {};
      const told = migrationSet.diff?.(state, sets.checked(declared({ via })), 0).notes ?? [];
      expect(told.join()).toContain(
        via === "query"
          ? `${THIRD} counts as applied to ${ref} and does not run: others applied \`third\` as version ${await version()}`
          : `has \`third\` as version ${await version()}, and ${THIRD} has the same name`,
      );
      scenario.nextRun();
      const updated = await sets.update({ ...made, state }, declared({ via }));
      expect(scenario.warnings.join()).toContain(`${THIRD} counts as applied`);
      expect(await notes()).toEqual(["first", "third"]);
      scenario.nextRun();
      const again = await sets.read(updated);
      expect(sets.diff(again?.state ?? {}, declared({ via })).changes).toBe(false);
    },
  );

  it("counts on a branch of the project as well", async () => {
    const branch = createBranchRef(scenario, ref);
    folder.write({ [THIRD]: third });
    await create({ projectRef: branch, __owner: "acme/branch" });
    // Each was run once, by the service when it built the branch.
    expect(await queried(scenario, branch, "select body from notes order by 1")).toEqual([
      { body: "first" },
      { body: "third" },
    ]);
  });

  it("gives the file its version, and nothing runs", async () => {
    folder.write({ [THIRD]: third });
    await create();
    folder.remove(THIRD);
    folder.write({ [`${await version()}_third.sql`]: third });
    await create();
    expect(await notes()).toEqual(["first", "third"]);
  });

  it("leaves the version of a single migration as it is, which cannot change, and nothing runs", async () => {
    const single = scenario.manage(migration);
    const one = { projectRef: ref, version: "20260103000000", name: "third", query: third };
    const made = await single.create(one);
    expect(scenario.warnings.join()).toMatch(
      /counts as applied to \w+ and does not run.*Leave its version as it is/,
    );
    expect(single.diff(made.state, one).changes).toBe(false);
    expect(() => single.diff(made.state, { ...one, version: "20260301000000" })).toThrow("cannot change");
    expect(await notes()).toEqual(["first", "third"]);
  });

  it.each(["query", "migrations"])(
    "gives the file its version after an update via %s has said so, and nothing runs",
    async (via) => {
      const made = await create({ via });
      folder.write({ [THIRD]: third });
      scenario.nextRun();
      const counted = await sets.update(made, declared({ via }));
      expect(scenario.warnings.join()).toContain(`give the file the version ${await version()}`);
      folder.remove(THIRD);
      folder.write({ [`${await version()}_third.sql`]: third });
      const planned = sets.diff(counted.state, declared({ via }));
      expect(planned.changes).toBe(true);
      const lines = migrationSet.plan?.describe?.(counted.state, sets.checked(declared({ via })));
      expect(lines?.join()).not.toContain("pending");
      scenario.nextRun();
      const renamed = await sets.update(counted, declared({ via }));
      scenario.nextRun();
      const read = await sets.read(renamed);
      expect(sets.diff(read?.state ?? {}, declared({ via })).changes).toBe(false);
      expect(await notes()).toEqual(["first", "third"]);
    },
  );

  it("is added to the program as the history has it, and nothing runs", async () => {
    const made = await create();
    expect(scenario.warnings.join()).toContain(
      "add it to the program as `<version>_<name>.sql` with the version and the SQL that the history has",
    );
    folder.write({ [`${await version()}_third.sql`]: third });
    scenario.nextRun();
    await sets.update(made, declared());
    expect(await notes()).toEqual(["first", "third"]);
  });
});

describe("a row of others that is no file", () => {
  const theirs = () => rows("20260501000000", "theirs", "select 1");

  it("is drift once where a refresh finds it, and none where a create or an update has seen it", async () => {
    const made = await create();
    await theirs();
    scenario.nextRun();
    const found = await sets.read(made);
    const shown = found?.state ?? {};
    expect(sets.diff(shown, declared()).properties).toEqual([
      { path: "migrations[2]", kind: "delete", replaces: false },
    ]);
    // The refresh has written it: neither the next one nor the program's own preview finds a difference.
    scenario.nextRun();
    const again = await sets.read({ ...made, state: shown });
    expect(again?.state).toEqual(shown);
    const { inputs } = checkInputs(migrationSet, declared(), shown);
    expect(inputs["migrations"]).toEqual(shown["migrations"]);
    // An update of a state that lists it goes on to do so, also where it is gone by then.
    await queried(scenario, ref, "delete from svc_migrations.schema_migrations where name = 'theirs'");
    const listing = await updateResource(scenario.runtime, migrationSet, ref, shown, {
      ...inputs,
      outOfOrder: true,
    });
    expect(listing.state["migrations"]).toEqual(shown["migrations"]);
    await theirs();
    // Without a refresh, an update tells of it and takes it for known.
    folder.write({ [THIRD]: third });
    scenario.nextRun();
    const updated = await sets.update(made, declared());
    expect(scenario.warnings.join()).toContain("20260501000000_theirs was applied to");
    scenario.nextRun();
    expect(sets.diff((await sets.read(updated))?.state ?? {}, declared()).changes).toBe(false);
    expect(sets.diff((await create()).state, declared()).changes).toBe(false);
  });

  it("is the service's own of a first branch: neither drift nor told of", async () => {
    const made = await create();
    await rows("20260501000000", "remote_schema", "create table notes (body text)");
    scenario.nextRun();
    expect(sets.diff((await sets.read(made))?.state ?? {}, declared()).changes).toBe(false);
    folder.write({ [THIRD]: third });
    await sets.update(made, declared());
    expect(scenario.warnings).toEqual([]);
  });
});

describe.each(["query", "migrations"])(
  "two databases via %s, one of which has a file as a row of others",
  (via) => {
    const double = "update notes set body = body || body;";
    const name = "20260103000000_double.sql";
    const both = (other: string) => [
      declared({ via }),
      declared({ via, projectRef: other, __owner: "acme/other" }),
    ];
    const bodies = async (of: string): Promise<unknown[]> =>
      ((await tableRows(scenario, of, "notes")) ?? []).map(({ body }) => body);

    it.each([
      ["as it is", []],
      ["with `accept`", ["accept"]],
    ])("have one program %s where the file gets the row's version, and gets it back", async (_how, words) => {
      const other = scenario.healthyProject("other");
      const programs = both(other);
      const made: SettledResource[] = [];
      for (const program of programs) {
        scenario.nextRun();
        made.push(await sets.create(program));
      }
      scenario.emulator.control.set("migrationPartners", null);
      scenario.clock.advance(40 * 24 * 60 * 60_000);
      await scenario.emulator.control.call("applyMigration", {
        ref,
        body: { query: double, name: "double" },
      });
      scenario.clock.advance(60_000);
      folder.write({ [name]: double });
      const turn = async (more: Values = {}): Promise<void> => {
        for (const [at, program] of programs.entries()) {
          const before = made[at];
          if (before === undefined) throw new Error("nothing was made");
          scenario.nextRun();
          expect(() => sets.diff(before.state, { ...program, ...more })).not.toThrow();
          const updated = await sets.update(before, { ...program, ...more });
          scenario.nextRun();
          const read = await sets.read(updated);
          expect(sets.diff(read?.state ?? {}, { ...program, ...more }).changes).toBe(false);
          made[at] = { ...updated, state: read?.state ?? {} };
        }
      };
      await turn();
      const listed = await scenario.emulator.control.call("listMigrations", { ref });
      const version = listed.find((row) => row.name === "double")?.version ?? "";
      for (const [from, to] of [
        ["20260103000000", version],
        [version, "20260103000000"],
        ["20260103000000", version],
      ] as const) {
        folder.remove(`${from}_double.sql`);
        folder.write({ [`${to}_double.sql`]: double });
        await turn(words.length > 0 ? { accept: [to] } : {});
        expect([await bodies(ref), await bodies(other)]).toEqual([["firstfirst"], ["firstfirst"]]);
      }
      // It is judged as it was: a change of it is refused where this program applied it and accepts nothing.
      if (words.length > 0) return;
      folder.write({ [`${version}_double.sql`]: `${double} select 1;` });
      expect(() => sets.diff(made[1]?.state ?? {}, programs[1] ?? {})).toThrow("with different content");
    });

    it("are refused as before where the content differs too", async () => {
      folder.write({ [name]: double });
      const made = await create({ via });
      folder.remove(name);
      folder.write({ "20260201000000_double.sql": `${double} select 1;` });
      expect(() => sets.diff(made.state, declared({ via }))).toThrow("no longer exists: restore it");
    });
  },
);

describe("a file of several transactions", () => {
  const parts = (second: string, first = "insert into notes values ('one');"): string =>
    `begin;\n${first}\ncommit;\nbegin;\ninsert into notes values ('two');\n${second}\ncommit;\n`;

  it.each(["query", "migrations"])(
    "goes on via %s with the one that failed, once it is corrected",
    async (via) => {
      folder.write({ [THIRD]: parts("insert into notes values (1/0);") });
      const failure = await create({ via }).catch(String);
      expect(failure).toContain(THIRD);
      expect(failure).toContain("Its earlier transactions and earlier migrations stay applied");
      expect(await notes()).toEqual(["first", "one"]);
      folder.write({ [THIRD]: parts("select 1;") });
      await create({ via });
      await create({ via });
      expect(await notes()).toEqual(["first", "one", "two"]);
      expect(await tableRows(scenario, ref, "svc_migrations.schema_migrations")).toHaveLength(3);
    },
  );

  it.each([{ drop: "after" }, { status: 500, after: true }, { drop: "before" }] as const)(
    "runs each once in spite of %j",
    async (fault) => {
      folder.write({ [THIRD]: parts("select 1;") });
      for (const skip of [0, 1, 2, 3, 4, 5]) {
        await queried(
          scenario,
          ref,
          "drop schema if exists svc_migrations cascade; drop table if exists notes",
        );
        scenario.emulator.control.addFault({ operation: "runQuery", ...fault, skip });
        await create();
        scenario.emulator.control.clearFaults();
        expect(await notes()).toEqual(["first", "one", "two"]);
      }
    },
  );

  it("is refused where what was done has changed; it goes on restored, or runs from its beginning", async () => {
    folder.write({ [THIRD]: parts("insert into notes values (1/0);") });
    await create().catch(() => undefined);
    folder.write({ [THIRD]: parts("select 1;", "insert into notes values ('other');") });
    const refused = await create().then(() => "nothing was refused", String);
    const [, advised = ""] = /run `(delete from [^`]+)`/.exec(refused) ?? [];
    expect(refused).toContain("was changed after 1 of its transactions");
    expect(await notes()).toEqual(["first", "one"]);
    await queried(scenario, ref, "delete from notes where body = 'one'");
    await queried(scenario, ref, advised);
    await create();
    expect(await notes()).toEqual(["first", "other", "two"]);
  });

  it("goes on where what was done is restored", async () => {
    folder.write({ [THIRD]: parts("insert into notes values (1/0);") });
    await create().catch(() => undefined);
    folder.write({ [THIRD]: parts("select 1;", "insert into notes values ('other');") });
    await expect(create()).rejects.toThrow("Nothing was applied. Restore them");
    folder.write({ [THIRD]: parts("select 1;") });
    await create();
    await create();
    expect(await notes()).toEqual(["first", "one", "two"]);
  });

  it("may use in the second what the first has added to a type", async () => {
    folder.write({
      [THIRD]:
        "set search_path = public;\nbegin;\ncreate type mood as enum ('calm');\ncommit;\nbegin;\nalter type mood add value 'glad';\ncommit;\nbegin;\ninsert into notes values ('glad'::mood);\ncommit;",
    });
    await create();
    expect(await notes()).toEqual(["first", "glad"]);
  });
});

it("asks for a transaction that has written nothing, and may become another role", async () => {
  const isClean =
    "do $$ begin if pg_catalog.pg_current_xact_id_if_assigned() is not null then raise exception 'written'; end if; end $$;";
  folder.write({
    [THIRD]: `${isClean}\ninsert into notes values ('third');\nset role anon;\nset search_path = '';`,
  });
  await create();
  const scripts = scenario.manage(sqlScript);
  const script = { projectRef: ref, name: "clean", query: isClean, onDelete: isClean };
  await scripts.delete(await scripts.create(script));
  expect(await notes()).toEqual(["first", "third"]);
});

it("an empty file counts as applied, and runs nothing, whoever recorded it", async () => {
  folder.write({ [THIRD]: "", "20260104000000_fourth.sql": "-- nothing\n" });
  await create();
  await rows("20260105000000", "fifth", "select 1");
  await queried(
    scenario,
    ref,
    "update svc_migrations.schema_migrations set statements = null where name = 'fifth'",
  );
  folder.write({ "20260105000000_fifth.sql": "" });
  const made = await create();
  scenario.nextRun();
  expect(sets.diff((await sets.read(made))?.state ?? {}, declared()).changes).toBe(false);
});

it("names all files that share a version at once", () => {
  folder.write({ "1_a.sql": "", "1_b.sql": "", "1_c.sql": "", "2_a.sql": "", "2_b.sql": "", "x.sql": "" });
  expect(sets.failures(declared())).toEqual([
    expect.stringContaining("x.sql does not have the name"),
    expect.stringContaining("1_a.sql, 1_b.sql, 1_c.sql have the same version"),
    expect.stringContaining("2_a.sql, 2_b.sql have the same version"),
  ]);
});

describe("a script", () => {
  let scripts: Managed;
  beforeEach(async () => {
    scripts = scenario.manage(sqlScript);
    await create();
  });
  const script = (query: string, more: Values = {}): Values => ({
    ...{ projectRef: ref, name: "seed", query, sourceFile: "seed.sql" },
    ...more,
  });

  it.each([
    [
      "a transaction in the middle",
      "insert into notes values ('a');\nBEGIN;\ninsert into notes values ('b');\nEND;",
      ["a", "b"],
    ],
    ["a transaction around the whole", "begin;\ninsert into notes values ('a');\ncommit;", ["a"]],
    ["nothing", "", []],
    ["lines of a dump", "\\restrict x\ninsert into notes values ('a');\n\\unrestrict x\n", ["a"]],
    [
      "several transactions",
      "begin; insert into notes values ('a'); commit; begin; insert into notes values ('b'); commit;",
      ["a", "b"],
    ],
  ])("may have %s", async (_what, query, expected) => {
    expect(scripts.failures(script(query))).toEqual([]);
    await scripts.create(script(query));
    expect(await notes()).toEqual([...expected, "first"]);
  });

  it("names its file and line, in the preview and where Postgres refuses it", async () => {
    expect(scripts.failures(script("select 1;\n\\i other.sql"))).toEqual([
      expect.stringContaining("query: seed.sql, line 2, has `\\i`"),
    ]);
    await expect(scripts.create(script("select 1;\ninsert into nowhere values (1);"))).rejects.toThrow(
      "The script seed.sql, line 2, failed",
    );
  });

  it("has a statement beside others moved to one of its own, with `transaction: false`", async () => {
    const beside = "insert into notes values ('a');\nvacuum notes;";
    for (const transaction of [undefined, false])
      expect(scripts.failures(script(beside, { transaction }))).toEqual([
        expect.stringContaining(
          "seed.sql, line 2, has `vacuum notes`, which cannot run in a transaction or beside",
        ),
      ]);
    await scripts.create(script("insert into notes values ('a');"));
    await scripts.create(script("vacuum notes;", { name: "vacuum", transaction: false, __owner: SOMEBODY }));
    expect(await notes()).toEqual(["a", "first"]);
  });

  it("has its `onDelete` corrected alone, before its query changes", async () => {
    const wrong = "insert into nowhere values (1);";
    const made = await scripts.create(script("insert into notes values ('a');", { onDelete: wrong }));
    scenario.nextRun();
    await expect(scripts.delete(made)).rejects.toThrow("Correct `onDelete` alone and run `pulumi up`");
    const right = "delete from notes where body = 'a';";
    scenario.nextRun();
    const updated = await scripts.update(
      made,
      script("insert into notes values ('a');", { onDelete: right }),
    );
    await scripts.delete(updated);
    await scripts.create(script("insert into notes values ('b');", { onDelete: right }));
    expect(await notes()).toEqual(["b", "first"]);
  });
});
