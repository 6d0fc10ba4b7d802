import fc from "fast-check";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { readSource } from "../../provider/converge/edge-functions/source";
import { parseImportMap } from "../../provider/converge/edge-functions/source-imports";
import { importsOf } from "../../provider/converge/edge-functions/source-specifiers";
import { toUpload } from "../../provider/converge/edge-functions/source-upload";
import { checkInputs } from "../../provider/lifecycle/check";
import { useSourceFolder } from "../lifecycle/functions/source-folder";

/** A scanner that looks at a place more than once needs hours for this much. */
const MANY = 200_000;

const sources: Readonly<Record<string, string>> = {
  "comments without end": "import/*".repeat(MANY),
  "comments that could be cut in many ways": `import ${"/**/".repeat(MANY)}`,
  "comments full of keywords": `import ${"/*from*/".repeat(MANY)}`,
  "lines full of keywords": `${"//import".repeat(MANY)}\n${"//\n".repeat(MANY)}`,
  "keywords before one quote": `${"//import".repeat(MANY)}\n'${"a".repeat(MANY)}`,
  "opening parentheses": `import${"(".repeat(MANY)}`,
  "white space": `import${" \n\t".repeat(MANY)}`,
  quotes: `from"`.repeat(MANY),
  slashes: `import${"/".repeat(MANY)}`,
};

describe("a source is read in one pass where it is full of", () => {
  const folder = useSourceFolder();

  it.each(Object.entries(sources))("%s", (_, text) => {
    expect(importsOf(`${text}\nimport "./last.ts";`)).toContain("./last.ts");
  });

  it("comments, when an edge function is checked", () => {
    folder.write({
      "hello/index.ts": `import ${"/**/".repeat(MANY)}"./a.ts";\nimport "../b.ts"; import/* ${"/**/".repeat(100)}`,
      "hello/a.ts": "",
      "b.ts": "",
      ".git/HEAD": "",
    });
    const inputs = { sourceDir: folder.path("hello") };
    const declared = { projectRef: "a".repeat(20), slug: "hello", ...inputs };
    expect(checkInputs(edgeFunction, declared).failures).toEqual([]);
    expect(toUpload(readSource(inputs)).files.map(({ name }) => name)).toContain("b.ts");
  });
});

it.each([
  ["comments without end", "/*".repeat(MANY)],
  ["escaped quotes", '"' + '\\"'.repeat(MANY)],
  ["escaped quotes and a last backslash", '"' + '\\"'.repeat(MANY) + "\\"],
  ["quotes", '"\n'.repeat(MANY)],
  ["commas", ", ".repeat(MANY)],
])("an import map is read in one pass where it is full of %s", (_, text) => {
  expect(parseImportMap("deno.json", text)).toBeUndefined();
});

/** What was looked for before, on sources whose gaps are short. */
const GAP = String.raw`(?:\s|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n){0,10}`;
const BEFORE = new RegExp(
  String.raw`\b(?:from|import(?:\.meta\.resolve)?|require)${GAP}(?:\(${GAP})?(["'\`])([^"'\`\n$]+)\1`,
  "g",
);
const importsBefore = (text: string): string[] => [
  ...new Set([...text.matchAll(BEFORE)].map((match) => match[2] ?? "")),
];

const piece = fc.constantFrom(
  ...["import ", "export * from ", "import type { A } from ", "require", "import.meta.resolve", "import"],
  ...['"./a.ts"', "'./b.ts'", "`./c.ts`", '"', "'", "`./${name}.ts`", '"https://x.test/y"'],
  ...["(", ")", ";\n", "\n", " ", "\t", "/* why */", "/* from 'x' */", "// a line\n", "/", "*", "*/", "/*/"],
  ...["const important = 1;", "<p>Don't</p>", "a! / b", "x.from", "{ b as c }", "$", "\\"],
);

it("finds in any other source what was found before", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      expect(importsOf(text)).toEqual(importsBefore(text));
    }),
    { numRuns: 5_000 },
  );
});
