import { findImports } from "../../../../../../provider/resources/functions/shared/edge-functions/source-specifiers";
import { edgeFunction } from "../../../../../../provider/resources/functions/edge-function/edge-function";
import {
  readSource,
  toUpload,
} from "../../../../../../provider/resources/functions/shared/edge-functions/source";
import { parseImportMap } from "../../../../../../provider/resources/functions/shared/edge-functions/source-imports";
import { checkInputs } from "../../../../../../provider/lifecycle/operations/check";
import { useSourceFolder } from "../../../../../lifecycle/functions/source-folder";

const named = (text: string, isJsx = false): string[] =>
  findImports(text, isJsx).map(({ specifier }) => specifier);
const required = (text: string): string[] =>
  findImports(text)
    .filter(({ isRequired }) => isRequired)
    .map(({ specifier }) => specifier);

describe("a specifier is read from", () => {
  it.each([
    'import a from "./a.ts"',
    "import './a.ts'",
    'import/* why */"./a.ts"',
    'import {\n  a, // one\n  b,\n} from\n  "./a.ts";',
    'import { "any name" as a } from "./a.ts"',
    'import a, * as b from "./a.ts"',
    'import defer * as a from "./a.ts"',
    'import type from "./a.ts"',
    'import type, { a } from "./a.ts"',
    'import from from "./a.ts"',
    'import a from "./a.ts" with { type: "text" }',
    'export * from "./a.ts"',
    'export * as x from "./a.ts"',
    'export { a as "any name", type B } from "./a.ts"',
    "const a = await import(`./a.ts`)",
    'await import( /* @vite-ignore */ "./a.ts" )',
    'import("./a.ts", { with: { type: "json" } }).then((a) => a)',
    'import.defer("./a.ts")',
    'import a = require("./a.ts")',
    'const url = "https://x.test"; import "./a.ts"',
    "const quote = /[\"'/*]/; import './a.ts'",
    "const half = (a + b) / 2; const s = '/'; import './a.ts'",
    "if (a) /['\"]/.test(b); import './a.ts'",
    "const x = a! / 2, y = b++ / 2, z = '/'; import './a.ts'",
    "const x = { return: 1 }.return / 2, z = '/'; import './a.ts'",
    "`${ `${ '`' }` }`; import './a.ts'",
    "`${ { a: { b: 1 } }.a.b }'`; import './a.ts'",
    '#!/usr/bin/env -S deno run "\nimport "./a.ts"',
    'class A<T> { #import = "x"; y!: string }\nimport "./a.ts"',
    'import "\\x2e/\\u{61}\\u002ets"',
  ])("%s", (text) => {
    expect(required(text)).toEqual(["./a.ts"]);
  });

  it.each([
    ['"./$id.ts"', "./$id.ts"],
    ["'$lib/a.ts'", "$lib/a.ts"],
    ["`./$a{b}.ts`", "./$a{b}.ts"],
    ['"./it\'s.ts"', "./it's.ts"],
    ["'./it\\'s.ts'", "./it's.ts"],
    ["`./a\\`b\\${c}.ts`", "./a`b${c}.ts"],
  ])("a literal with any character: %s", (literal, specifier) => {
    expect(named(`import(${literal})`)).toEqual([specifier]);
  });
});

describe("nothing is imported", () => {
  it.each([
    '// import "./a.ts"',
    '/* import "./a.ts" */',
    '/** @example import a from "./a.ts" */',
    "const code = 'import \"./a.ts\"';",
    'const code = `import "./a.ts"`;',
    'const code = `${x} import "./a.ts"`;',
    'const pattern = /import "a"/;',
    "await import(`./${name}.ts`)",
    'await import("./a" + ".ts")',
    'module.import("./a.ts")',
    'a?.require("./a.ts")',
    "const important = 1",
    'const from = "./a.ts"',
    'export const a = { from: "./a.ts" }',
    "export default from; './a.ts'",
    "import.meta.url",
    "import.meta.resolve(name)",
    'import a = B.C; "./a.ts"',
    'import {a from "./a.ts"',
  ])("by %s", (text) => {
    expect(named(text)).toEqual([]);
  });
});

it.each([
  'import type { A } from "./a.ts"',
  'import type A from "./a.ts"',
  'import type from from "./a.ts"',
  'import type A = require("./a.ts")',
  'export type { A } from "./a.ts"',
  'export type * as a from "./a.ts"',
  'type A = typeof import("./a.ts")',
  'type A = import("./a.ts").A<string>',
  'require("./a.ts")',
  'import.meta.resolve("./a.ts")',
])("a bundle does not need what %s names", (text) => {
  expect(findImports(text)).toEqual([{ specifier: "./a.ts", line: 1, isRequired: false }]);
});

it("knows elements, and type parameters beside them", () => {
  const text = `
    const a = <T,>(x: T) => <p>Don't {x} // no comment, no \`template</p>;
    const b = <T extends string>(x: T) => x, c = <const T,>(x: T) => x, d = <T = string>(x: T) => x;
    type F = <T>(x: T) => T; interface G { <K>(k: K): void }
    const page = (
      <>
        <Foo<string> title='"' of={<b title="it's">x's</b>} at={a < b ? import("./in-tag.tsx") : /['"]/} {...{}} />
        <a href="https://x.test/it's">import "./no.ts" {import("./in-child.tsx")}</a> {a / b / 2} {"}"}
        <T.Provider value={1}>(it's)</T.Provider> <input disabled /> won't
      </>
    );
    import "./last.tsx";`;
  expect(named(text, true)).toEqual(["./in-tag.tsx", "./in-child.tsx", "./last.tsx"]);
});

it("tells the line of each", () => {
  const text = 'import "./a.ts";\n\n/*\n*/ import {\n  b\n} from "./b.ts"; import "./c.ts";';
  expect(findImports(text).map(({ specifier, line }) => [specifier, line])).toEqual([
    ["./a.ts", 1],
    ["./b.ts", 4],
    ["./c.ts", 6],
  ]);
});

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
