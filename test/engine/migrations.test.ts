import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrateByTool } from "../../tools/fixtures/database-look";
import { useSourceFolder } from "../lifecycle/functions/source-folder";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { LANGUAGES } from "./example";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PROJECT, startStack, type Stack } from "./stack";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const folder = useSourceFolder();
let stack: Pick<Stack, "workspace" | "emulator" | "dispose">;
afterEach(() => stack.dispose());

const starts = {
  "the dynamic classes": () =>
    startStack(`${PROJECT}
new management.MigrationSet("schema", { projectRef, directory: ${JSON.stringify(folder.path())} });
`),
  "the plugin": () =>
    startYamlStack({
      resources: {
        app: declare("Project", {
          name: "shop",
          organizationSlug: "acme",
          dbPass: "db-password-of-the-test",
          region: "eu-central-1",
        }),
        schema: declare("MigrationSet", { projectRef: "${app.ref}", directory: folder.path() }),
      },
    }),
};

it.each(["the dynamic classes", "the plugin"] as const)(
  "a folder of migrations keeps what was applied before one failed, goes on, and refuses a change, with %s",
  async (adapter) => {
    folder.write({
      "1_create.sql": "create table notes (body text);",
      "2_broken.sql": "insert into notes values (1/0);",
      "3_last.sql": "insert into notes values ('last');",
    });
    stack = await starts[adapter]();
    const { workspace, emulator } = stack;
    const failed = await workspace.up();
    expect(outputOf(failed)).toMatch(/2_broken\.sql, line 1, failed on \w+ and was rolled back/);
    folder.write({ "2_broken.sql": "insert into notes values ('mended');" });
    // What never was applied may change.
    expectSuccess(await workspace.up());
    const [{ ref } = { ref: "" }] = emulator.control.call("listProjects", {});
    const notes = { ref, body: { query: "select body from notes" } };
    expect(await emulator.control.call("runQuery", notes)).toEqual([{ body: "mended" }, { body: "last" }]);

    folder.write({ "2_broken.sql": "select 2;" });
    const refused = await workspace.preview();
    expect(refused.exitCode).not.toBe(0);
    expect(outputOf(refused)).toMatch(/2_broken\.sql was applied to \w+ with different content: restore/);

    // Somebody forgets one in the middle: a refresh shows it, and does not fail as the next run does.
    folder.write({ "2_broken.sql": "insert into notes values ('mended');" });
    const forget = "delete from svc_migrations.schema_migrations where version = '2'";
    await emulator.control.call("runQuery", { ref, body: { query: forget } });
    const refreshed = await workspace.refresh();
    expectSuccess(refreshed);
    expect(outputOf(refreshed)).toContain("migrations");
    expect(outputOf(await workspace.up())).toMatch(/2_broken\.sql comes before 3_last/);
  },
);

const PRICES = {
  "20260101000000_create_products.sql":
    "create table products (price int);\ninsert into products values (5);",
  "20260102000000_prices_in_cents.sql": "update products set price = price * 100;",
  "20260103000000_name.sql": "alter table products add column name text;",
};

/** A program of the project alone, and one with a set beside it. */
const grows = {
  "the dynamic classes": async () => {
    const begun = await startStack(PROJECT);
    const set = `new management.MigrationSet("schema", { projectRef, directory: ${JSON.stringify(folder.path())}, via: "query" });`;
    return {
      ...begun,
      grow: () => writeFileSync(join(begun.projectDir, "index.js"), `${PROJECT}\n${set}\n`),
    };
  },
  "the plugin": async () => {
    const app = declare("Project", {
      name: "shop",
      organizationSlug: "acme",
      dbPass: "db-password-of-the-test",
      region: "eu-central-1",
    });
    const schema = declare("MigrationSet", {
      projectRef: "${app.ref}",
      directory: folder.path(),
      via: "query",
    });
    const begun = await startYamlStack({ resources: { app } });
    return { ...begun, grow: () => begun.rewrite({ resources: { app, schema } }) };
  },
};

it.each(["the dynamic classes", "the plugin"] as const)(
  "a database that the platform's tool has migrated has nothing applied again, with %s",
  async (adapter) => {
    folder.write(PRICES);
    const existing = await grows[adapter]();
    stack = existing;
    const { workspace, emulator } = existing;
    expectSuccess(await workspace.up());
    const [{ ref } = { ref: "" }] = emulator.control.call("listProjects", {});
    await migrateByTool(existing, ref, PRICES);
    existing.grow();
    expectSuccess(await workspace.up());
    const query = (sql: string): Promise<unknown> =>
      emulator.control.call("runQuery", { ref, body: { query: sql } });
    expect(await query("select price from products")).toEqual([{ price: 500 }]);
    expect(await query("select count(*)::int as rows from svc_migrations.schema_migrations")).toEqual([
      { rows: 3 },
    ]);
    expect(outputOf(await workspace.preview())).not.toMatch(/\d to (?:create|update)/);
  },
  300_000,
);
