import { migration } from "../../../provider/resources/database/migration/migration";
import { migrationSet } from "../../../provider/resources/database/migration-set/migration-set";
import { InitializationError } from "../../../provider/engine/step/errors";
import type { SettledResource } from "../../../provider/engine/step/settle";
import type { Values } from "../../../provider/define/values";
import { useSourceFolder } from "../functions/source-folder";
import { SOMEBODY, startScenario, type Scenario } from "../../kit/scenario";
import { queried } from "../../../tools/fixtures/database-look";

// When a baseline is obeyed, asked for, refused or without anything to say: every history, with and without tables.

const folder = useSourceFolder();
let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  folder.write(
    Object.fromEntries(FILES.map(({ version, name, query }) => [`${version}_${name}.sql`, query])),
  );
});
afterEach(() => scenario.close());

const FILES = [1, 2, 3].map((number) => ({
  version: `2026010${number}000000`,
  name: `file_${number}`,
  query: `insert into svc_migrations.lines values (${number});`,
}));
const [first = fail(), second = fail()] = FILES;

// The files write where the history is: a table of users elsewhere is what is looked for.
const HISTORY = "svc_migrations.schema_migrations";
/** Rows of the history, and whether they are one of the files. */
const HISTORIES: Readonly<
  Record<string, { readonly rows: readonly string[]; readonly known: readonly number[] }>
> = {
  none: { rows: [], known: [] },
  "a stray row": { rows: ["('20250101000000', '{select 1}', 'x')"], known: [] },
  "a row without a time": { rows: ["('1', null, null)"], known: [] },
  "the service's own of a first branch": {
    rows: ["('20260301000000', '{create table hand ()}', 'remote_schema')"],
    known: [],
  },
  "a file by its version": { rows: [`('${first.version}', null, 'else')`], known: [1] },
  "a file by its whole name": {
    rows: [`('20260401000000', null, '${first.version}_${first.name}')`],
    known: [1],
  },
  "a file by its name and content": {
    rows: [`('20260401000000', array['${first.query}'], '${first.name}')`],
    known: [1],
  },
};
const BASELINES = [undefined, "none", "all", second.version] as const;

interface Cell {
  readonly history: string;
  readonly known: readonly number[];
  readonly hasTables: boolean;
  readonly baseline: (typeof BASELINES)[number];
}

const cells = Object.entries(HISTORIES).flatMap(([history, { known }]) =>
  [false, true].flatMap((hasTables) =>
    BASELINES.map((baseline): Cell => ({ history, known, hasTables, baseline })),
  ),
);

const coveredBy = (baseline: Cell["baseline"]): number[] =>
  baseline === "all" ? [1, 2, 3] : baseline === second.version ? [1, 2] : [];

/** The rule: which files run, or why none does. */
function verdictOf({ known, hasTables, baseline }: Cell): string {
  const covered = coveredBy(baseline);
  const running = (not: readonly number[]): string =>
    `runs ${[1, 2, 3].filter((one) => !not.includes(one)).join()}`;
  if (known.length > 0) return covered.some((one) => !known.includes(one)) ? "no effect" : running(known);
  if (!hasTables) return running([]);
  return baseline === undefined ? "asks" : running(covered);
}

function fail(): never {
  throw new Error("a file is missing");
}

const labelled = ({ history, hasTables, baseline }: Cell): string =>
  `${history}, ${hasTables ? "tables" : "no tables"}, ${baseline ?? "no baseline"}`;

async function arrange({ history, hasTables }: Pick<Cell, "history" | "hasTables">): Promise<void> {
  const { rows } = HISTORIES[history] ?? fail();
  scenario.nextRun();
  await queried(
    scenario,
    ref,
    `drop schema if exists svc_migrations cascade; drop table if exists hand; ${hasTables ? "create table hand ();" : ""}
     create schema svc_migrations; create table svc_migrations.lines (number int);
     ${rows.length === 0 ? "" : `create table ${HISTORY} (version text primary key, statements text[], name text); insert into ${HISTORY} values ${rows.join(", ")};`}`,
  );
}

const lines = async (): Promise<string> =>
  `runs ${(await queried(scenario, ref, "select number from svc_migrations.lines order by 1")).map(({ number }) => Number(number)).join()}`;

function outcomeOf(message: string): string {
  if (message.includes("Set `baseline` to the version")) return "asks";
  if (message.includes("`baseline` has no effect")) return "no effect";
  return message;
}

it.each(["query", "migrations"])("is as the rule says for a MigrationSet via %s", async (via) => {
  const sets = scenario.manage(migrationSet);
  const found: string[] = [];
  for (const [at, cell] of cells.entries()) {
    await arrange(cell);
    const { baseline } = cell;
    const declared = { projectRef: ref, directory: folder.path(), via, baseline, __owner: `acme/${at}` };
    const message = await sets.create(declared).then(() => "", String);
    const ran = await lines();
    found.push(`${labelled(cell)}: ${message === "" ? ran : outcomeOf(message)}`);
    if (message !== "" && ran !== "runs ") throw new Error(`${labelled(cell)}: ran in spite of ${message}`);
  }
  expect(found).toEqual(cells.map((cell) => `${labelled(cell)}: ${verdictOf(cell)}`));
});

it.each(["query", "migrations"])("is as the rule says for a single Migration via %s", async (via) => {
  const migrations = scenario.manage(migration);
  const found: string[] = [];
  const own = cells.filter(({ baseline }) => baseline !== second.version);
  for (const [at, cell] of own.entries()) {
    await arrange(cell);
    const { baseline } = cell;
    const inputs = { ...first, projectRef: ref, via, baseline, __owner: `acme/${at}` };
    const message = await migrations.create(inputs).then(() => "", String);
    found.push(`${labelled(cell)}: ${message === "" ? await lines() : outcomeOf(message)}`);
  }
  const verdict = (cell: Cell): string => {
    const all = verdictOf(cell);
    return all === "no effect"
      ? "runs "
      : all.replace(/^(runs 1).*|^runs .*/, (_, one?: string) => one ?? "runs ");
  };
  expect(found).toEqual(own.map((cell) => `${labelled(cell)}: ${verdict(cell)}`));
});

describe("a program that keeps its baseline", () => {
  const declared = (more: Values = {}): Values => ({
    ...{ projectRef: ref, directory: folder.path(), baseline: "all" },
    ...more,
  });

  it("goes on with new files, and is refused where a new baseline covers them", async () => {
    await arrange({ history: "a stray row", hasTables: true });
    const sets = scenario.manage(migrationSet);
    const made = await sets.create(declared());
    expect(await lines()).toBe("runs ");
    folder.write({ "20260104000000_file_4.sql": "insert into svc_migrations.lines values (4);" });
    scenario.nextRun();
    const updated = await sets.update(made, declared());
    expect(await lines()).toBe("runs 4");
    folder.write({ "20260105000000_file_5.sql": "insert into svc_migrations.lines values (5);" });
    scenario.nextRun();
    await expect(sets.update(updated, declared({ baseline: "20260105000000" }))).rejects.toThrow(
      /`baseline` has no effect on 20260105000000_file_5\.sql/,
    );
    expect(await lines()).toBe("runs 4");
    // What the message says: the database does not have it, so the baseline goes.
    await sets.update(updated, declared({ baseline: undefined }));
    expect(await lines()).toBe("runs 4,5");
  });

  it("goes on after another Migration of its program, without being asked", async () => {
    await arrange({ history: "none", hasTables: true });
    const migrations = scenario.manage(migration);
    for (const [at, file] of FILES.entries()) {
      const baseline = at === 0 ? "none" : undefined;
      await migrations.create({ ...file, projectRef: ref, baseline, __owner: `${SOMEBODY}${at}` });
      scenario.nextRun();
    }
    expect(await lines()).toBe("runs 1,2,3");
  });
});

describe.each(["query", "migrations"])("a history that has lost all rows of a set via %s", (via) => {
  const declared = (more: Values = {}): Values => ({
    ...{ projectRef: ref, directory: folder.path(), via },
    ...more,
  });
  const sets = () => scenario.manage(migrationSet);
  const fourth = "insert into svc_migrations.lines values (4);";
  /** A set whose files ran, or were covered, in a database with tables; then its history is emptied. */
  const lose = async (more: Values = {}): Promise<SettledResource> => {
    await arrange({ history: "none", hasTables: true });
    const made = await sets().create(declared({ baseline: "none", ...more }));
    scenario.nextRun();
    await queried(scenario, ref, `delete from ${HISTORY}`);
    return made;
  };
  const refresh = async (made: SettledResource): Promise<SettledResource> => {
    scenario.nextRun();
    const read = await sets().read(made);
    return { ...made, state: read?.state ?? {} };
  };
  const recorded = async (): Promise<number> =>
    (await queried(scenario, ref, `select version from ${HISTORY}`)).length;
  const update = (made: SettledResource, more: Values = {}): Promise<SettledResource> => {
    scenario.nextRun();
    return sets().update(made, declared(more));
  };

  describe.each([
    ["after a refresh", refresh],
    ["after two", async (made: SettledResource) => refresh(await refresh(made))],
    ["without a refresh", (made: SettledResource) => Promise.resolve(made)],
  ])("%s", (_when, look) => {
    it("asks before anything runs, also again, and obeys the answer", async () => {
      const made = await look(await lose());
      folder.write({ "20260104000000_file_4.sql": fourth });
      const failure: unknown = await update(made).catch((error: unknown) => error);
      if (!(failure instanceof InitializationError)) throw failure;
      expect(outcomeOf(String(failure))).toBe("asks");
      expect(String(failure)).toMatch(/which of \S+file_1\.sql, \S+file_2\.sql, \S+file_3\.sql it already/);
      const refused = { id: failure.id, state: failure.state };
      await expect(update(refused)).rejects.toThrow("Set `baseline` to the version");
      expect([await lines(), await recorded()]).toEqual(["runs 1,2,3", 0]);
      const updated = await update(refused, { baseline: second.version });
      expect([await lines(), await recorded()]).toEqual(["runs 1,2,3,3,4", 4]);
      const read = await refresh(updated);
      expect(sets().diff(read.state, declared({ baseline: second.version })).changes).toBe(false);
    });

    it("obeys a baseline that the program has, which covers no file that is new", async () => {
      const made = await look(await lose({ baseline: "all" }));
      folder.write({ "20260104000000_file_4.sql": fourth });
      const updated = await update(made, { baseline: "all" });
      expect([await lines(), await recorded()]).toEqual(["runs 4", 4]);
      // A row that others take back runs again, as before.
      await queried(
        scenario,
        ref,
        `delete from ${HISTORY} where version = (select max(version) from ${HISTORY})`,
      );
      await update(await refresh(updated), { baseline: "all" });
      expect([await lines(), await recorded()]).toEqual(["runs 4,4", 4]);
    });

    it("runs everything where the database has no tables", async () => {
      const made = await look(await lose({ baseline: "all" }));
      await arrange({ history: "none", hasTables: false });
      folder.write({ "20260104000000_file_4.sql": fourth });
      await update(made, { baseline: "all" });
      expect(await lines()).toBe("runs 1,2,3,4");
    });

    it("goes on where the history is back", async () => {
      await arrange({ history: "none", hasTables: true });
      const made = await sets().create(declared({ baseline: "none" }));
      await queried(scenario, ref, `create table kept as table ${HISTORY}; delete from ${HISTORY}`);
      scenario.nextRun();
      const looked = await look(made);
      await queried(scenario, ref, `insert into ${HISTORY} select * from kept`);
      folder.write({ "20260104000000_file_4.sql": fourth });
      await update(looked);
      expect(await lines()).toBe("runs 1,2,3,4");
    });
  });

  it("has what a killed run recorded of the baseline not asked for or run again", async () => {
    const made = await lose({ baseline: "all" });
    folder.write({ "20260104000000_file_4.sql": fourth });
    scenario.emulator.control.addFault({
      operation: via === "query" ? "runQuery" : "upsertMigration",
      status: 403,
      message: "no",
      skip: via === "query" ? 0 : 1,
    });
    await expect(update(made, { baseline: "all" })).rejects.toThrow("no");
    scenario.emulator.control.clearFaults();
    await update(made, { baseline: "all" });
    expect([await lines(), await recorded()]).toEqual(["runs 4", 4]);
  });
});
