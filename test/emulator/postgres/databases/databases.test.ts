import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  createDatabases,
  type DatabasesOptions,
} from "../../../../emulator/postgres/databases/create-databases";
import { sharedProcesses } from "../../../../emulator/postgres/databases/database-processes";
import type { Databases } from "../../../../emulator/postgres/databases/databases";
import { fakeTimers } from "../../../kit/fake-timers";

// Emulators of other processes make folders of the same names.
jest.mock("node:os", () => {
  const os = jest.requireActual<typeof import("node:os")>("node:os");
  const { mkdtempSync: make } = jest.requireActual<typeof import("node:fs")>("node:fs");
  const own = make(`${os.tmpdir()}/emulator-databases-`);
  return { ...os, tmpdir: () => own };
});

const opened: Databases[] = [];

function open(options?: DatabasesOptions): Databases {
  const databases = createDatabases(options);
  opened.push(databases);
  return databases;
}

afterAll(async () => {
  await Promise.all(opened.map((databases) => databases.close()));
  const folder = tmpdir();
  // Where a transform does not hoist the mock, it is the machine's own.
  if (!basename(folder).startsWith("emulator-databases-"))
    throw new Error(`${folder} is not this test's own`);
  rmSync(folder, { recursive: true, force: true });
});

function run(databases: Databases, ref: string, sql: string): Promise<unknown> {
  return databases.use(ref, async (database) => (await database.exec(sql)).at(-1)?.rows);
}

/** Where the databases lie that no data folder keeps. */
function temporaryRoot(): string {
  return sharedProcesses()?.temporaryRoot ?? tmpdir();
}

function temporaryFolders(): string[] {
  return readdirSync(temporaryRoot()).filter((name) => name.startsWith("management-emulator-"));
}

describe("databases", () => {
  const databases = open({ running: 2 });
  beforeAll(() =>
    run(databases, "first", "create table notes (note text); insert into notes values ('mine')"),
  );

  it("begin as a new project's, each for itself", async () => {
    expect(await run(databases, "first", "select note from notes")).toEqual([{ note: "mine" }]);
    expect(
      await run(
        databases,
        "second",
        "select to_regclass('notes') as notes, to_regclass('auth.users')::text as users",
      ),
    ).toEqual([{ notes: null, users: "auth.users" }]);
  });

  it("give values that JSON has", async () => {
    const sql = `select 9007199254740993 as big, 7::bigint as small, 1.50 as exact, 'NaN'::float8 as odd, 0.5::float8 as half,
      '\\x00ff'::bytea as bytes, date '2026-01-02' as day, array[1, null] as list, array[9007199254740993] as bigs,
      timestamptz '2026-01-02 03:04:05+00' as moment, '{"a": [1]}'::jsonb as json, null as nothing, true as flag`;
    expect(await run(databases, "first", sql)).toEqual([
      {
        big: "9007199254740993",
        small: 7,
        exact: "1.50",
        odd: "NaN",
        half: 0.5,
        bytes: "\\x00ff",
        day: "2026-01-02",
        list: [1, null],
        bigs: ["9007199254740993"],
        moment: "2026-01-02 03:04:05+00",
        json: { a: [1] },
        nothing: null,
        flag: true,
      },
    ]);
  });

  it("do the work on one of them in the order in which it was asked for", async () => {
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3].map((number) =>
        databases.use("first", async (database) => {
          await database.query(`select pg_sleep(${(3 - number) / 50})`);
          order.push(number);
        }),
      ),
    );
    expect(order).toEqual([1, 2, 3]);
  });

  it("take back what a user of a session left behind", async () => {
    await run(databases, "first", "begin; create table left_open (id int)");
    await run(
      databases,
      "first",
      "create temporary table passing (id int); set role anon; set search_path = auth",
    );
    expect(
      await run(
        databases,
        "first",
        `select current_user, current_setting('search_path') as path, to_regclass('left_open') as open,
          to_regclass('passing') as passing`,
      ),
    ).toEqual([{ current_user: "postgres", path: '"$user", public, extensions', open: null, passing: null }]);
  });

  it("take a transaction back when its work fails", async () => {
    await expect(
      databases.use("first", (database) =>
        database.transaction(async () => {
          await database.exec("create table half (id int)");
          await database.exec("select * from nowhere");
        }),
      ),
    ).rejects.toMatchObject({ fault: { code: "42P01" } });
    expect(await run(databases, "first", "select to_regclass('half') as half")).toEqual([{ half: null }]);
  });

  it("keep what they hold while others run", async () => {
    await run(databases, "third", "create table notes (note text)");
    await run(databases, "fourth", "select 1");
    expect(await run(databases, "first", "select note from notes")).toEqual([{ note: "mine" }]);
  });

  it("refuse to be waited for from within another one's work", async () => {
    await expect(
      databases.use("first", () => databases.use("second", () => Promise.resolve())),
    ).rejects.toThrow("second is asked for while another database is in use");
  });

  it("are forgotten when they are dropped, after the work asked for before", async () => {
    const before = run(databases, "dropped", "create table notes (note text); select count(*) from notes");
    databases.drop("dropped");
    expect(databases.isUsed("dropped")).toBe(false);
    expect(await before).toEqual([{ count: 0 }]);
    expect(await run(databases, "dropped", "select to_regclass('notes') as notes")).toEqual([
      { notes: null },
    ]);
  });
});

describe("a copy", () => {
  const databases = open();

  it("is as its source after all that was asked for before, with rows only when they are wanted", async () => {
    const schema = `create table people (id int generated always as identity primary key, boss int references people);
      create schema svc_migrations; create table svc_migrations.schema_migrations (version text);
      insert into svc_migrations.schema_migrations values ('1');`;
    void run(databases, "parent", schema);
    void run(databases, "parent", "insert into people (boss) values (null), (1)");
    databases.copy("parent", "full", { withData: true });
    databases.copy("parent", "bare", { withData: false });
    void run(databases, "parent", "insert into people (boss) values (2)");

    const counts =
      "select (select count(*) from people) as people, (select count(*) from svc_migrations.schema_migrations) as history";
    expect(await run(databases, "full", counts)).toEqual([{ people: 2, history: 1 }]);
    expect(await run(databases, "bare", counts)).toEqual([{ people: 0, history: 1 }]);
    expect(await run(databases, "parent", counts)).toEqual([{ people: 3, history: 1 }]);
    expect(await run(databases, "bare", "insert into people (boss) values (null) returning id")).toEqual([
      { id: 1 },
    ]);
  });

  it("takes the place of what was there", async () => {
    await run(databases, "source", "create table people (id int); insert into people values (1)");
    await run(databases, "other", "create table own (id int)");
    databases.copy("source", "other", { withData: true });
    expect(await run(databases, "other", "select to_regclass('own') as own, count(*) from people")).toEqual([
      { own: null, count: 1 },
    ]);
  });

  it("of a database never used is a new project's, and costs nothing", () => {
    databases.copy("untouched", "preview", { withData: true });
    expect(databases.isUsed("preview")).toBe(false);
  });
});

describe("a statement that does not end", () => {
  afterEach(() => jest.useRealTimers());

  it("has the time that a schema of a megabyte takes, is ended then, and leaves the database as it was before", async () => {
    const timers = fakeTimers();
    const databases = open();
    await run(databases, "slow", "create table notes (note text)");
    const ending = databases.use("slow", async (database) => {
      await database.exec("begin; drop table notes");
      const endless = database.exec("select count(*) from generate_series(1, 1e15)");
      let isOver = false;
      endless.catch(() => (isOver = true));
      timers.passMs(60_000);
      await Promise.resolve();
      expect(isOver).toBe(false);
      timers.passMs(60_000);
      await endless;
    });
    await expect(ending).rejects.toMatchObject({
      fault: { code: "57014" },
      message: "canceling statement due to statement timeout",
    });
    expect(await run(databases, "slow", "select count(*) from notes")).toEqual([{ count: 0 }]);
  });
});

it("starts again where Postgres gave up, with what was committed", async () => {
  const databases = open();
  await run(databases, "broken", "create table notes (note text); insert into notes values ('kept')");
  // Nothing that users may run breaks it; this does, a few statements later.
  const breaking = databases.use("broken", (database) =>
    database.asPlatform(async () => {
      for (;;)
        await database.exec(
          "copy notes to program 'cat'; begin; insert into notes values ('lost'); rollback",
        );
    }),
  );
  await expect(breaking).rejects.toMatchObject({ fault: { severity: "PANIC" } });
  expect(await run(databases, "broken", "insert into notes values ('more'); select note from notes")).toEqual(
    [{ note: "kept" }, { note: "more" }],
  );
});

it("is left to its user's roles when a script for superusers fails", async () => {
  const databases = open();
  const failing = "create event trigger told on ddl_command_end execute function nowhere()";
  await expect(run(databases, "roles", failing)).rejects.toMatchObject({ fault: { code: "42883" } });
  await expect(run(databases, "roles", `begin; ${failing}`)).rejects.toThrow();
  await expect(
    databases.use("roles", (database) => database.transaction(() => database.exec(failing))),
  ).rejects.toThrow();
  expect(await run(databases, "roles", "select rolsuper from pg_roles where rolname = 'postgres'")).toEqual([
    { rolsuper: false },
  ]);
});

describe("closing", () => {
  it("is prompt when no database was used, and nothing was made", async () => {
    const before = temporaryFolders();
    const databases = createDatabases();
    expect(temporaryFolders()).toEqual(before);
    await databases.close();
  });

  it("ends the work under way and removes what was made", async () => {
    const before = temporaryFolders();
    const databases = createDatabases();
    await run(databases, "busy", "select 1");
    const endless = run(databases, "busy", "select count(*) from generate_series(1, 1e15)");
    const waiting = run(databases, "other", "select 1");
    const ends = Promise.allSettled([endless, waiting]);
    await databases.close();
    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(temporaryFolders().filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe("a data folder", () => {
  it("keeps the databases, and finishes the copies that were promised", async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), "emulator-databases-"));
    try {
      const first = createDatabases({ dataFolder });
      await run(first, "parent", "create table notes (note text); insert into notes values ('kept')");
      first.copy("parent", "preview", { withData: true });
      await first.close();

      const again = createDatabases({ dataFolder });
      expect(again.isUsed("parent")).toBe(true);
      expect(await run(again, "preview", "select note from notes")).toEqual([{ note: "kept" }]);
      again.drop("parent");
      await again.close();
      expect(readdirSync(join(dataFolder, "databases"))).toEqual(["preview"]);
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });
});

/** Ends the process of a database as soon as there is one, as a machine without memory does. */
async function killProcessOf(ref: string): Promise<void> {
  for (;;) {
    for (const folder of temporaryFolders()) {
      const pidFile = join(temporaryRoot(), folder, ref, "management.pid");
      const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : 0;
      if (pid > 0) return void process.kill(pid, "SIGKILL");
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it("makes a copy again whose process ended before it was ready", async () => {
  const databases = open();
  await run(databases, "original", "create table notes (body text); insert into notes values ('kept')");
  databases.copy("original", "copied-once-more", { withData: false });
  const [rows] = await Promise.all([
    run(databases, "copied-once-more", "select count(*)::int as notes from notes"),
    killProcessOf("copied-once-more"),
  ]);
  expect(rows).toEqual([{ notes: 0 }]);
});
