import fc from "fast-check";
import { hashSql } from "../../../../../provider/resources/database/shared/migration-history";
import { readSqlFile } from "../../../../../provider/resources/database/shared/sql-file";
import { statements } from "../../../../sql-statements";

const blanked = (text: string): string => text.replaceAll(/[^\n]/g, " ");

it.each([
  ["begin;\nselect 1;\ncommit;\n", ["      \nselect 1;\n       \n"]],
  ["-- a\nBEGIN TRANSACTION; select 1; END", ["    \n                   select 1;    "]],
  ["set x = 1;\nbegin;\nselect 1;\ncommit;", ["set x = 1;\n      \nselect 1;\n       "]],
  [
    "insert into a values (1);\nbegin;\nselect 1;\nend;\nselect 2;",
    ["insert into a values (1);\n      \nselect 1;\n    \nselect 2;"],
  ],
  ["select 1; -- nothing", ["select 1; -- nothing"]],
  ["", [""]],
  ["\\restrict abc\nselect 1;\n\\unrestrict abc\n", ["             \nselect 1;\n               \n"]],
])("reads %j as one transaction, whose lines stay", (script, expected) => {
  const { transactions, fault } = readSqlFile(script);
  expect([transactions, fault]).toEqual([expected, undefined]);
});

it("runs several transactions as such, each with the settings before it", () => {
  const parts = [
    "set search_path = public;\n",
    "begin;\n",
    "alter type mood add value 'glad';\n",
    "commit;\n",
    "insert into a values (1);\n",
    "begin;\n",
    "set local role anon;\nselect 'glad'::mood;\n",
    "commit;",
  ];
  const kept = [
    [0, 2],
    [0, 4],
    [0, 6],
  ];
  expect(readSqlFile(parts.join("")).transactions).toEqual(
    kept.map((own) => parts.map((part, at) => (own.includes(at) ? part : blanked(part))).join("")),
  );
});

it.each([
  ["begin; select 1", "transaction", 1, "begin"],
  ["select 1;\n\nCOMMIT; select 2", "transaction", 3, "commit"],
  ["begin; select 1; rollback", "transaction", 1, "rollback"],
  ["begin;\nbegin; commit; commit", "transaction", 2, "begin"],
  ["select 1; savepoint a", "transaction", 1, "savepoint a"],
  ["start transaction read only; select 1; commit", "transaction", 1, "start transaction read only"],
  ["begin;\nvacuum a;\ncommit", "mixed", 2, "vacuum a"],
  ["select 1;\ncreate unique index concurrently on a (b)", "mixed", 2, "create unique index concurrently"],
  ["copy a from stdin;\n1\n\\.\n", "rows", 1, "copy a from stdin"],
  ["select 1;\n\\i other.sql", "command", 2, "\\i"],
  ["select 1;\nselect 'a", "open", 2, "select"],
  ["select 1;\n\nselect (1", "open", 3, "select"],
  ["do $a$ begin", "open", 1, "do"],
])("%j is refused", (script, kind, line, words) => {
  expect(readSqlFile(script).fault).toEqual({ kind, line, words });
});

it.each([
  "vacuum analyze notes",
  "create unique index concurrently on a (b)",
  "drop index concurrently a;\n-- nothing",
  "reindex table concurrently a",
  "create database other",
  "alter table a detach partition b concurrently",
])("%j runs by itself", (script) => {
  const { alone, fault } = readSqlFile(script);
  expect([alone?.text, fault]).toEqual([script.replace(/;[^]*/, ""), undefined]);
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
])("%j is sent as it is", (script) => {
  const { transactions, alone, fault } = readSqlFile(script);
  expect([transactions, alone, fault]).toEqual([[script], undefined, undefined]);
});

describe("what a file says", () => {
  const blanks = fc.constantFrom(" ", "\n", "\t ", "\r\n", " -- a; 'b\n", ' /* c; /* d */ " */ ');
  const ends = fc.constantFrom(";", " ; ", ";;\n", ";\n-- end;\n;");

  it("is the same under other blanks, comments, semicolons, case of words and a transaction around it", () => {
    const words = fc.array(
      fc.constantFrom(
        "select",
        "Foo",
        "from",
        "t",
        ",",
        "(",
        ")",
        "1",
        "=",
        "'It''s'",
        '"Q q"',
        "$a$ x;  Y $a$",
      ),
      { minLength: 1, maxLength: 12 },
    );
    const written = fc.record({
      parts: fc.array(words, { minLength: 1, maxLength: 4 }),
      gaps: fc.infiniteStream(blanks),
      stops: fc.infiniteStream(ends),
      isUpper: fc.boolean(),
      isWrapped: fc.boolean(),
    });
    fc.assert(
      fc.property(written, ({ parts, gaps, stops, isUpper, isWrapped }) => {
        const next = <T>(stream: Iterator<T>): string => String(stream.next().value);
        const closed = parts.map((part) => [...part, ...unclosed(part)]);
        const plain = closed.map((part) => `${part.join(" ")};`).join("\n");
        const other = closed
          .map((part) => part.map((word) => (isUpper && /^\w/.test(word) ? word.toUpperCase() : word)))
          .map((part) => next(gaps) + part.join(next(gaps)) + next(gaps) + next(stops))
          .join("");
        expect(hashSql(isWrapped ? `BEGIN;${other}\ncommit` : other)).toBe(hashSql(plain));
      }),
    );
  });

  it("differs wherever a literal, a name in quotes or a number does", () => {
    const literals = fc.string({
      unit: fc.constantFrom("a", "A", " ", ";", "-", "\n", "/", "*", "e"),
      maxLength: 6,
    });
    const forms = fc.constantFrom(
      (text: string) => `'${text}'`,
      (text: string) => `e'${text}'`,
      (text: string) => `U&'${text}'`,
      (text: string) => `"${text}"`,
      (text: string) => `$x$${text}$x$`,
    );
    fc.assert(
      fc.property(literals, literals, forms, (one, other, form) => {
        const [left, right] = [one, other].map((text) => hashSql(`select ${form(text)} from t;`));
        expect(left === right).toBe(one === other);
      }),
    );
  });

  it.each([
    ["select 'a' from t", "select 'A' from t"],
    ["select 1", "select 2"],
    ["select a from t", "select a , from t"],
    ["select 'ab'", "select 'a''b'"],
    ["select e'a'", "select 'a'"],
    ["select x'1f'", "select x '1f'"],
    ['select "A"', "select a"],
    ["select Ä", "select ä"],
    ["select 1 @-1", "select 1 @ -1"],
    ["copy t from stdin;\na b\n\\.\n", "copy t from stdin;\na  b\n\\.\n"],
    ["do $$ begin a; end $$", "do $$ begin  a; end $$"],
    ["select 1; select 2", "select 1 select 2"],
    ["begin; select 1; rollback", "select 1"],
  ])("tells %j from %j", (left, right) => {
    expect(hashSql(left)).not.toBe(hashSql(right));
  });

  it.each([
    ["select a=-1", "select a = -1"],
    ["select b::int", "SELECT b :: INT"],
    ["select E'a'", "select e'a'"],
    ["\\restrict x\nselect 1;\n\\unrestrict x", "select 1"],
    ["-- only\n;", ""],
    ["create table a (b int);", "create table a(b int)"],
  ])("takes %j and %j for the same", (left, right) => {
    expect(hashSql(left)).toBe(hashSql(right));
  });

  it("is known of each statement", () => {
    expect(new Set(statements.map(hashSql)).size).toBe(statements.length);
  });
});

/** Parentheses that are missing at the end of a statement. */
function unclosed(words: readonly string[]): string[] {
  let depth = 0;
  for (const word of words) depth = Math.max(0, depth + (word === "(" ? 1 : word === ")" ? -1 : 0));
  return Array.from({ length: depth }, () => ")");
}

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
  fc.assert(fc.property(fc.array(part), (parts) => void readSqlFile(parts.join(""))));
});

it.each(["begin atomic ", "$$ ", "/* ", "'", "(", "create function f ", "alter table a detach partition "])(
  "takes time that grows with the text alone where there are many %j",
  (part) => {
    // What grew with the square would take minutes.
    expect(() =>
      hashSql(part.repeat(50_000) + readSqlFile(part.repeat(200_000)).transactions[0].slice(0, 9)),
    ).not.toThrow();
  },
);
