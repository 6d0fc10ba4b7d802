import fc from "fast-check";
import {
  splitStatements,
  statementAlone,
  splitScript,
  withoutTransaction,
} from "../../../../../provider/resources/database/shared/sql";
import { statements } from "../../../../sql-statements";

it("splits a script between its statements, and nowhere else", () => {
  const ends = fc.constantFrom(";", ";\n", " ;;", "; -- end\n", ";/* ; */");
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...statements), ends)), (parts) => {
      const found = splitStatements(parts.map(([statement, end]) => statement + end).join(""));
      const plain = found.map((text) => text.replace(/^(?:-- end\n|\/\* ; \*\/|\s)+/, ""));
      expect(plain).toEqual(parts.map(([statement]) => statement));
    }),
  );
});

it.each([
  ["", []],
  [" ; ;\n-- nothing\n/* nothing; */;", []],
  ["select 'open; end", ["select 'open; end"]],
  ["select 1; /* open; end", ["select 1"]],
  ["select (1; 2", ["select (1; 2"]],
])("splits %j as far as it makes sense", (script, expected) => {
  expect(splitStatements(script)).toEqual(expected);
});

it.each([
  "select 'a",
  "select 'a''",
  'select "a',
  "select e'a\\'",
  "do $a$ b $$",
  "select (1",
  "select 1 /* a",
])("says of %j that it is not whole", (script) => {
  expect(splitScript(script).map(({ isWhole }) => isWhole)).toEqual([false]);
});

it("says of what ends that it is whole", () => {
  expect(statements.flatMap(splitScript).every(({ isWhole }) => isWhole)).toBe(true);
});

it.each([
  ["begin;\nselect 1;\ncommit;\n", "      \nselect 1;\n       \n"],
  ["-- a\nBEGIN TRANSACTION; select 1; END", "    \n                   select 1;    "],
  ["begin; select 1", "begin; select 1"],
  ["begin read only; select 1; commit", "begin read only; select 1; commit"],
  ["select 1; commit", "select 1; commit"],
])("takes the transaction around the whole of %j away, and leaves its lines", (script, expected) => {
  expect(withoutTransaction(script)).toBe(expected);
});

it.each([
  ["begin; select 1; commit;", "begin"],
  ["select 1;\n  COMMIT", "commit"],
  ["start transaction read only; select 1", "start transaction read only"],
  ["select 1; savepoint a", "savepoint a"],
  ["vacuum analyze notes", "vacuum analyze notes"],
  ["create table a (); create unique index concurrently on a (b)", "create unique index concurrently on a b"],
  ["drop index concurrently a", "drop index concurrently a"],
  ["reindex table concurrently a", "reindex table concurrently a"],
  ["create database other", "create database other"],
  ["alter table a detach partition b concurrently", "alter table a detach partition b concurrently"],
  ["select $1; /* a /* nested */ comment */ rollback", "rollback"],
  ["create function f() returns int begin atomic select 1; end; commit", "commit"],
])("%j has a statement that stands alone", (script, words) => {
  expect(statementAlone(script)).toBe(words);
});

it.each([
  "select 'begin'; select \"commit\" from a; -- rollback;\n/* vacuum; /* begin; */ commit; */",
  "do $$ begin perform 1; commit; end $$; create function f() returns int as $body$ begin; $$ commit; $body$ language sql",
  "create function f() returns int begin atomic select 1; select case when true then 1 end; end",
  "create or replace procedure p(a int) begin atomic insert into t values (1); end; select 1",
  "select e'it\\'s; begin;', 'it''s; commit'; select 1",
  "create index on a (b); refresh materialized view concurrently c; alter type t add value 'x'",
  "insert into a values ('; vacuum'); select begin_at, \"end\" from a",
  "create rule r as on insert to a do also (insert into b values (1); insert into c values (2))",
  "create table begins (commit int); set local role anon",
  "select 1 -- no end of line",
  "",
])("%j can run within a transaction", (script) => {
  expect(statementAlone(script)).toBeUndefined();
});

it("takes any text", () => {
  const part = fc.constantFrom(
    "'",
    '"',
    "$$",
    "$a$",
    "/*",
    "*/",
    "--",
    "\n",
    ";",
    "(",
    ")",
    "begin",
    " ",
    "e'",
    "\\",
  );
  fc.assert(fc.property(fc.array(part), (parts) => void statementAlone(parts.join(""))));
});

it.each(["begin atomic ", "$$ ", "/* ", "'", "(", "create function f ", "alter table a detach partition "])(
  "takes time that grows with the text alone where there are many %j",
  (part) => {
    // What grew with the square would take minutes.
    expect(() => statementAlone(part.repeat(200_000))).not.toThrow();
  },
);
