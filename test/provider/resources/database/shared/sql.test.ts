import fc from "fast-check";
import { splitScript, splitStatements } from "../../../../../provider/resources/database/shared/sql";
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
