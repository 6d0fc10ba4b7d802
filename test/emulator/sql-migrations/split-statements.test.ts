import fc from "fast-check";
import { splitStatements, withinOneTransaction } from "../../../emulator/sql-migrations/split-statements";

/** Single statements whose semicolons, if any, are not between statements. */
const statements = [
  "select 1",
  "insert into t values ('a;b', 'it''s; fine')",
  "select E'a\\';b', e'\\\\'",
  'create table "odd;na""me" ("a;" int)',
  "do $$ begin perform 1; end $$",
  "create function f() returns void language plpgsql as $body$ begin execute $x$ select 1; $x$; end; $body$",
  "create or replace function f(a int) returns int begin atomic select case when a > 1 then 2 else 3 end; select 1; end",
  "create procedure p(begin int) language sql begin atomic insert into t values (1); end",
  "select 1 -- one; two\n + 2",
  "select /* one; /* two; */ three; */ 4",
  "create rule r as on insert to t do also (insert into a values (1); insert into b values (2))",
  "select case when true then 1 end",
  "select $1, a$b$c, 1e5 from t",
  "-- first\nselect 2",
];

describe("a script", () => {
  it("is split between its statements, and nowhere else", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom(...statements),
            fc.constantFrom(";", ";\n", " ;;", "; -- end\n", ";/* ; */"),
          ),
        ),
        (parts) => {
          const script = parts.map(([statement, end]) => statement + end).join("");
          const found = splitStatements(script).map((text) =>
            text.replace(/^(?:-- end\n|\/\* ; \*\/|\s)+/, ""),
          );
          expect(found).toEqual(parts.map(([statement]) => statement));
        },
      ),
    );
  });

  it.each([
    ["", []],
    [" ; ;\n-- nothing\n/* nothing; */;", []],
    ["select 1", ["select 1"]],
    ["select 'open; end", ["select 'open; end"]],
    ["do $$ open; end", ["do $$ open; end"]],
    ["select 1; /* open; end", ["select 1"]],
    ["select (1; 2", ["select (1; 2"]],
  ])("%j is split as far as it makes sense", (script, expected) => {
    expect(splitStatements(script)).toEqual(expected);
  });

  it("of some size takes no time", () => {
    const script = "insert into t values ('a;''b'); ".repeat(20_000) + "'" + "''".repeat(50_000);
    expect(splitStatements(script)).toHaveLength(20_001);
  });

  it.each([
    ["select 1; select 2", "select 1; select 2"],
    ["begin; select 1; commit;", "select 1;"],
    ["BEGIN TRANSACTION; select 1; select 2; END", "select 1;\nselect 2;"],
    ["start transaction; commit", ""],
    [
      "savepoint a; rollback to savepoint a; rollback work to a",
      "savepoint a; rollback to savepoint a; rollback work to a",
    ],
    ["select 1; commit; select 2", undefined],
    ["begin; select 1; rollback", undefined],
    ["begin; select 1", undefined],
    ["select 'commit'; abort", undefined],
  ])("%j runs in one transaction as %j", (script, expected) => {
    expect(withinOneTransaction(script)).toBe(expected);
  });
});
