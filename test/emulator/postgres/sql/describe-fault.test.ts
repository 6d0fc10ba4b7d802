import { describeFault } from "../../../../emulator/postgres/sql/describe-fault";

// As Postgres' own tools show the place of a fault: a line longer than 60 characters is cut around it.

const shown = (sql: string, fault: string): readonly string[] => {
  const position = String(Array.from(sql.slice(0, sql.indexOf(fault))).length + 1);
  const text = describeFault(
    {
      severity: "ERROR",
      code: "42601",
      message: "syntax error",
      detail: undefined,
      hint: undefined,
      position,
    },
    sql,
  );
  return text.split("\n").slice(1);
};

it.each([
  ["create tabel notes ();", "LINE 1: create tabel notes ();"],
  [`select 1;\ncreate tabel notes ();`, "LINE 2: create tabel notes ();"],
  [
    `${"select 1; ".repeat(20)}create tabel notes ();`,
    "LINE 1: ...1; select 1; select 1; select 1; select 1; create tabel note...",
  ],
  [
    `create tabel notes (); ${"select 1; ".repeat(20)}`,
    "LINE 1: create tabel notes (); select 1; select 1; select 1; select ...",
  ],
])("shows the place in %j", (sql, line) => {
  const [first = "", second = ""] = shown(sql, "tabel");
  expect(first).toBe(line);
  expect(first.slice(second.indexOf("^"))).toMatch(/^tabel/);
});
