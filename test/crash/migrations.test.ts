import type { MigrationVia } from "../../provider/resources/database/shared/migration-history";
import { asGiven } from "../kit/forms";
import { forgetMigrations, queried } from "../../tools/fixtures/database-look";
import { type Change, folder, indexed, sampleWith } from "../lifecycle/database/migration-samples";
import { field } from "../../tools/fixtures/fixture";
import type { Sample } from "../kit/samples";
import type { Scenario } from "../kit/scenario";
import { CrashLife, type Crash } from "./crash-life";

// What a migration does twice, nothing undoes: each file adds a row that nothing keeps unique, and so does its rollback.

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

const vias = ["migrations", "query"] as const;

/** A database that was built by hand, whose tables the folder's files would fill once more. */
const builtByHand = (via: MigrationVia): Sample => {
  const sample = sampleWith(via, { ...applies, before: { directory: folder("many"), baseline: "all" } });
  const build = (scenario: Pick<Scenario, "emulator">, ref: string): Promise<unknown> =>
    queried(scenario, ref, "create table notes (body text); insert into notes values ('by hand')");
  return {
    ...sample,
    changed: sample.inputs,
    prepare: (scenario, ref) => void build(scenario, ref),
    isChanged: (shown) => JSON.stringify(field(shown, "notes")) === '["by hand"]',
    cleanUp: async (scenario, ref) => {
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

it.each(vias)("builds and records an index once via %s, wherever the provider dies", async (via) => {
  const failures = await crashesOf(indexed(via), "update", 4);
  expect(failures).toEqual([]);
});

/** What goes wrong where the provider dies at each point of a step, which writes as often as that at least. */
async function crashesOf(sample: Sample, step: "create" | "update", writes = 1): Promise<string[]> {
  const open = (): Promise<CrashLife> => CrashLife.open(sample, asGiven);
  let life = await open();
  const points = life.points.get(step) ?? [];
  const crashes = points.flatMap(({ isWrite }, at): Crash[] => [
    { step, death: { at } },
    ...(isWrite ? [{ step, death: { at, isUnderWay: true } }] : []),
  ]);
  const failures: string[] = [];
  for (const crash of crashes) {
    try {
      await life.live(crash);
    } catch (error) {
      failures.push(`${JSON.stringify(crash.death)}: ${String(error)}`);
      await life.close();
      life = await open();
    }
  }
  await life.close();
  expect(points.filter(({ isWrite }) => isWrite).length).toBeGreaterThanOrEqual(writes);
  return failures;
}
