import fc from "fast-check";
import { type Catalog, readCatalog } from "../../../../emulator/postgres/schema-diff/read-catalog";
import {
  type SchemaChange,
  renderScript,
  renderTransaction,
} from "../../../../emulator/postgres/schema-diff/render";
import { diffCatalogs } from "../../../../emulator/postgres/schema-diff/diff-catalogs";
import { openDatabase } from "./one-database";
import { schemaCases } from "./schema-cases";

describe("the difference between two schemas", () => {
  const database = openDatabase();
  afterAll(() => database.close());

  async function apply(script: string): Promise<Catalog> {
    try {
      await database.use((one) => one.exec(script));
    } catch (error) {
      throw new Error(`${String(error)} in\n${script}`, { cause: error });
    }
    return database.use(readCatalog);
  }

  async function read(script: string, includedSchemas?: readonly string[]): Promise<Catalog> {
    await database.become(script);
    return database.use((one) => readCatalog(one, includedSchemas));
  }

  const sqlOf = (changes: readonly SchemaChange[]): string[] => changes.map(({ sql }) => sql);

  it.each(schemaCases)("turns one into the other and back: $name", async ({ before, after, rows = "" }) => {
    const wanted = await read(after);
    const start = await read(`${before}; ${rows}`);
    expect(diffCatalogs(start, wanted)).not.toEqual([]);
    const reached = await apply(renderScript(diffCatalogs(start, wanted)));
    expect(sqlOf(diffCatalogs(reached, wanted))).toEqual([]);
    const again = await apply(renderTransaction(diffCatalogs(reached, start)));
    expect(sqlOf(diffCatalogs(again, start))).toEqual([]);
  });

  it("turns any schema into any other", async () => {
    const scripts = fc.constantFrom(...schemaCases.flatMap(({ before, after }) => [before, after]));
    await fc.assert(
      fc.asyncProperty(scripts, scripts, async (from, to) => {
        const wanted = await read(to);
        const start = await read(from);
        const reached = await apply(renderScript(diffCatalogs(start, wanted)));
        expect(sqlOf(diffCatalogs(reached, wanted))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it("is empty where there is none", async () => {
    const catalog = await read("create table t (a int primary key)");
    expect(renderScript(diffCatalogs(catalog, await read("create table t (a int primary key)")))).toBe("");
    expect(renderTransaction(diffCatalogs(catalog, catalog))).toBe("");
  });

  it("keeps the rows of a table whose columns change", async () => {
    const wanted = await read(
      "create type mood as enum ('fine', 'ok'); create table t (a text, m mood, n int default 7 not null);",
    );
    const start = await read(
      "create type mood as enum ('ok', 'bad'); create table t (a int, m mood); insert into t values (12, 'ok')",
    );
    await apply(renderScript(diffCatalogs(start, wanted)));
    const { rows } = await database.use((one) => one.query("select * from t"));
    expect(rows).toEqual([{ a: "12", m: "ok", n: 7 }]);
  });

  it("leaves platform schemas out unless they are named", async () => {
    const schemas =
      "create schema app; create schema other; create table extensions.a (); create table app.b (); create table other.c ();";
    const empty = await read("create schema app; create schema other;");
    expect(sqlOf(diffCatalogs(empty, await read(schemas))).sort()).toEqual([
      "create table app.b ()",
      "create table other.c ()",
    ]);
    await database.use((one) => one.exec("drop table extensions.a"));
    const named = await read(schemas, ["extensions", "app"]);
    expect(
      sqlOf(diffCatalogs(empty, named))
        .filter((sql) => sql.startsWith("create table"))
        .sort(),
    ).toEqual(["create table app.b ()", "create table extensions.a ()"]);
    await database.use((one) => one.exec("drop table extensions.a"));
  });

  it("is one transaction with a heading for each object in the manner of the alternative engine", async () => {
    const wanted = await read(
      "create table t (a int); comment on table t is 'x'; create function f() returns int language sql as 'select 1'",
    );
    const script = renderTransaction(diffCatalogs(await read(""), wanted));
    expect(script).toMatch(
      /^begin;\n\nset check_function_bodies = off;\n\n-- create: table public\.t\ncreate table/,
    );
    expect(script).toMatch(/\n-- comment: table public\.t\ncomment on table public\.t is 'x';\n\ncommit;\n$/);
  });
});
