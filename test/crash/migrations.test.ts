import { join } from "node:path";
import type { MigrationVia } from "../../provider/resources/database/shared/migration-history";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "../lifecycle/scenario";
import { forgetMigrations, queried, tableRows } from "../lifecycle/database/database-look";
import { field } from "../lifecycle/sample";
import { sampleOf, type Sample } from "../lifecycle/samples";
import { CrashBench, formsOf, type Crash } from "./crash-bench";

// What a migration does twice, nothing undoes: each file adds a row that nothing keeps unique, and so does its rollback.

const folder = (name: string): string => join(__dirname, "../lifecycle/database/migration-files", name);

interface Change {
  readonly before: Values;
  readonly after: Values;
  readonly rows: readonly string[];
}

const applied = ["note 2", "note 3", "note 4"];
const applies: Change = {
  before: { directory: folder("first") },
  after: { directory: folder("many") },
  rows: applied,
};
const takesBack: Change = {
  before: { directory: folder("many") },
  after: { directory: folder("many"), rollbackTo: "20260101000000" },
  rows: ["back 2", "back 3", "back 4", ...applied],
};

const sampleWith = (via: MigrationVia, { before, after, rows }: Change): Sample => ({
  ...sampleOf("MigrationSet"),
  inputs: (projectRef) => ({ projectRef, via, ...before }),
  changed: (projectRef) => ({ projectRef, via, ...after }),
  onService: async (scenario, ref) => {
    const notes = await tableRows(scenario, ref, "notes");
    return notes === undefined ? [] : [{ notes: notes.map(({ body }) => String(body)).sort() }];
  },
  isChanged: (shown) => JSON.stringify(field(shown, "notes")) === JSON.stringify(rows),
  clearAway: forgetMigrations,
});

const vias = ["migrations", "query"] as const;

/** A database that was built by hand, whose tables the folder's files would fill once more. */
const builtByHand = (via: MigrationVia): Sample => {
  const sample = sampleWith(via, { ...applies, before: { directory: folder("many"), baseline: "all" } });
  const build = (scenario: Scenario, ref: string): Promise<unknown> =>
    queried(scenario, ref, "create table notes (body text); insert into notes values ('by hand')");
  return {
    ...sample,
    changed: sample.inputs,
    prepare: (scenario, ref) => void build(scenario, ref),
    isChanged: (shown) => JSON.stringify(field(shown, "notes")) === '["by hand"]',
    clearAway: async (scenario, ref) => {
      // A life that ends with a create is not compared with what it declares.
      expect(await sample.onService(scenario, ref)).toEqual([{ notes: ["by hand"] }]);
      await forgetMigrations(scenario, ref);
      await build(scenario, ref);
    },
  };
};

it.each(vias)(
  "records a baseline via %s and applies nothing of it, wherever the provider dies",
  async (via) => {
    const failures = await crashesOf(builtByHand(via), "create");
    expect(failures).toEqual([]);
  },
);

it.each([
  ...vias.map((via) => ["applies each file", via, applies] as const),
  ...vias.map((via) => ["takes each file back", via, takesBack] as const),
])("%s once via %s, wherever the provider dies", async (_what, via, change) => {
  const failures = await crashesOf(sampleWith(via, change), "update", 3);
  expect(failures).toEqual([]);
});

/** An index that is built outside of a transaction, so that its row of the history comes after it. */
const indexed = (via: MigrationVia): Sample => {
  const shown = { before: { directory: folder("first") }, after: { directory: folder("index") }, rows: [] };
  const sample = sampleWith(via, shown);
  const state =
    "select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('notes') order by 1";
  return {
    ...sample,
    onService: async (scenario, ref) => {
      if ((await tableRows(scenario, ref, "notes")) === undefined) return [];
      const indexes = await queried(scenario, ref, state);
      const rows = await tableRows(scenario, ref, "svc_migrations.schema_migrations");
      return [{ indexes, recorded: rows?.length }];
    },
    isChanged: (seen) =>
      JSON.stringify(field(seen, "indexes")) === '[{"name":"notes_body","valid":true}]' &&
      field(seen, "recorded") === 3,
  };
};

it.each(vias)("builds and records an index once via %s, wherever the provider dies", async (via) => {
  const failures = await crashesOf(indexed(via), "update", 4);
  expect(failures).toEqual([]);
});

/** What goes wrong where the provider dies at each point of a step, which writes as often as that at least. */
async function crashesOf(sample: Sample, step: "create" | "update", writes = 1): Promise<string[]> {
  const open = (): Promise<CrashBench> => CrashBench.open(sample, formsOf(sample)[0] ?? fail());
  let bench = await open();
  const points = bench.points.get(step) ?? [];
  const crashes = points.flatMap(({ isWrite }, at): Crash[] => [
    { step, death: { at } },
    ...(isWrite ? [{ step, death: { at, isUnderWay: true } }] : []),
  ]);
  const failures: string[] = [];
  for (const crash of crashes) {
    try {
      await bench.live(crash);
    } catch (error) {
      failures.push(`${JSON.stringify(crash.death)}: ${String(error)}`);
      await bench.close();
      bench = await open();
    }
  }
  await bench.close();
  expect(points.filter(({ isWrite }) => isWrite).length).toBeGreaterThanOrEqual(writes);
  return failures;
}

function fail(): never {
  throw new Error("A sample has at least one form");
}
