import fc from "fast-check";
import {
  formatDoBlock,
  quoteLiteral,
  quoteName,
  splitStatements,
  formatTextArray,
} from "../../../../../provider/resources/database/shared/sql";
import { HOSTILE_TEXTS, hostileText } from "../../../../kit/hostile-texts";
import { startScenario } from "../../../../kit/scenario";

/** A name is cut at 63 bytes, and no text of Postgres has a NUL or half a character. */
const names = [
  ...Object.values(HOSTILE_TEXTS),
  "x$management$; drop table t; do $management$ begin null; --",
  "a$management_$b$management$",
  "$management",
  "' || current_user || '",
  'a"; drop table t; --',
  "\\'; select 1; --",
  "a\\",
].map((text) => text.toWellFormed().replaceAll("\0", "").slice(0, 20));

/** SQL within a block within SQL, as the provider records migrations in a schema that others have named. */
function recording(name: string): string {
  const table = quoteName(name, "t");
  return [
    `create schema if not exists ${quoteName(name)};`,
    formatDoBlock(
      `if pg_catalog.to_regclass(${quoteLiteral(table)}) is null then create table ${table} (v text); end if; ` +
        `insert into ${table} select unnest(${formatTextArray([name])});`,
    ),
  ].join(" ");
}

it("keeps every name and text of others what it is, also in a block of statements", async () => {
  const scenario = await startScenario();
  try {
    const ref = scenario.healthyProject();
    const run = (query: string) => scenario.client.runQuery({ ref, body: { query } });
    await run("create table t (v text)");
    const each = [...new Set(names)].filter((name) => name !== "");
    await run(each.map(recording).join("\n"));
    const looks = each.map(
      (name) => `select ${quoteLiteral(name)} as said, v as is from ${quoteName(name, "t")}`,
    );
    const rows = (await run(looks.join(" union all "))) as { said: string; is: string }[];
    expect(rows.map(({ said }) => said).toSorted()).toEqual(each.toSorted());
    expect(rows.filter(({ said, is }) => said !== is)).toEqual([]);
    expect(await run("select to_regclass('public.t') is not null as there")).toEqual([{ there: true }]);
  } finally {
    await scenario.close();
  }
});

it("makes one statement of a block, whatever is in it", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, text) => {
      const inner = `perform ${quoteLiteral(text)} from ${quoteName(name)};`;
      const found = splitStatements(
        `${formatDoBlock(inner)} ${formatDoBlock(formatDoBlock(inner))} select ${quoteLiteral(text)};`,
      );
      if (found.length !== 3) throw new Error(found.join("\n---\n"));
    }),
    { examples: names.map((name): [string, string] => [name, name]) },
  );
});
