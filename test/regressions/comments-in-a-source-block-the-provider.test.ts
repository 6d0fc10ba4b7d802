import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { readSource, toUpload } from "../../provider/resources/functions/shared/edge-functions/source";
import { parseImportMap } from "../../provider/resources/functions/shared/edge-functions/source-imports";
import { findImports } from "../../provider/resources/functions/shared/edge-functions/source-specifiers";
import { checkInputs } from "../../provider/lifecycle/operations/check";
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
  "regular expressions without end": "=/[".repeat(MANY),
  substitutions: "`${".repeat(MANY),
  elements: "<a>".repeat(MANY),
  "attributes with elements": "<a b=".repeat(MANY),
  "type parameters": "=<T>(".repeat(MANY),
  braces: "{(".repeat(MANY) + "}".repeat(MANY),
  clauses: "import type {a".repeat(MANY),
  "imports on one line": "import('a').b;".repeat(MANY),
};

describe("a source is read in one pass where it is full of", () => {
  const folder = useSourceFolder();

  it.each(Object.entries(sources))("%s", (_, text) => {
    for (const isJsx of [false, true]) {
      const [first] = findImports(`import "./first.ts";${text}\nimport "./last.ts";`, isJsx);
      expect(first).toEqual({ specifier: "./first.ts", line: 1, isRequired: true });
    }
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
  expect(parseImportMap(text)).toBeUndefined();
});
