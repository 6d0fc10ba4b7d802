import { copiesFromClient } from "../../../../emulator/desk/postgres-port/message-group";

it.each([
  ["copy public.t from stdin", true],
  ["  -- a comment\n/* another */ COPY t (a, b) FROM STDIN with csv", true],
  ["/* one /* within */ another */ copy t from stdin", true],
  ["/* copy t from stdin */ select 1", false],
  ["-- copy t from stdin", false],
  ["copy t to stdout", false],
  ["select 1; copy t from stdin", false],
  ["copyright from stdin", false],
  ["copy t from '/etc/passwd'; select 'from stdin'", false],
])("a statement takes rows of the client: %j: %s", (sql, expected) => {
  expect(copiesFromClient(sql)).toBe(expected);
});

// Looking at each comment again for every one before it would take longer than any test.
it.each([
  ["comments", "/**/"],
  ["open comments", "/*"],
  ["comments to the end of the line", "--\n"],
  ["blanks", " "],
  ["copies", "copy from "],
])("many %s are read once", (_name, part) => {
  expect(copiesFromClient(part.repeat(100_000))).toBe(false);
  expect(copiesFromClient(`${part.repeat(40)}select 1`)).toBe(false);
});
