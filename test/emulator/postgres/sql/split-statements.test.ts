import fc from "fast-check";
import { splitStatements, withinOneTransaction } from "../../../../emulator/postgres/sql/split-statements";
import { statements } from "../../../sql-statements";

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
