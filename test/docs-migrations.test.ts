import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sqlScript } from "../provider/actions/database/sql-script";
import { migrationSet } from "../provider/resources/database/migration-set/migration-set";
import { queried } from "../tools/fixtures/database-look";
import { useSourceFolder } from "./lifecycle/functions/source-folder";
import { startScenario, type Scenario } from "./kit/scenario";

const page = readFileSync(join(__dirname, "../docs/migrations.md"), "utf8");
const files = new Map(
  [...page.matchAll(/^`([\w/.]+\.sql)`[^\n]*:\n\n```sql\n(.*?)^```$/gms)].map(([, path = "", text = ""]) => [
    path,
    text,
  ]),
);
const textOf = (path: string): string => files.get(path) ?? "";
const scripts = [...page.matchAll(/name: "(\w+)", query: readFileSync\("(\w+\.sql)"/g)].map(
  ([, name = "", path = ""]) => ({ name, path }),
);

const folder = useSourceFolder();
let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it("does what the page on migrations says", async () => {
  expect([...files.keys()].sort()).toEqual([
    "migrations/20260101120000_create_orders.sql",
    "migrations/20260102120000_index_orders.sql",
    "migrations/rollbacks/20260102120000_index_orders.sql",
    "roles.sql",
    "seed.sql",
    "views.sql",
  ]);
  expect(scripts.map(({ path }) => path)).toEqual(["views.sql", "seed.sql"]);
  folder.write(Object.fromEntries(files));
  const ref = scenario.healthyProject();
  const indexes = (): Promise<unknown[]> =>
    queried(scenario, ref, "select indexname from pg_indexes where indexname = 'orders_status'");
  const sets = scenario.manage(migrationSet);
  const declared = { projectRef: ref, directory: folder.path("migrations") };
  const set = await sets.create(declared);
  const run = (name: string, query: string): Promise<unknown> =>
    scenario.manage(sqlScript).create({ projectRef: ref, name, query });
  for (const { name, path } of scripts) await run(name, textOf(path));
  await run("roles", textOf("roles.sql"));
  expect(await queried(scenario, ref, "select 1 from pg_roles where rolname = 'app'")).toHaveLength(1);
  expect(await queried(scenario, ref, "select id::int from open_orders")).toEqual([{ id: 1 }]);
  expect(await indexes()).toHaveLength(1);
  // A changed text runs again, and what it does may be repeated.
  for (const path of [...scripts.map((each) => each.path), "roles.sql"])
    await queried(scenario, ref, textOf(path));
  expect(await queried(scenario, ref, "select id::int from open_orders")).toEqual([{ id: 1 }]);
  await sets.update(set, { ...declared, rollbackTo: "20260101120000" });
  expect(await indexes()).toEqual([]);
  expect(scenario.warnings).toEqual([]);
});
