import {
  findImports,
  type ModuleImport,
  type SyntaxFault,
} from "../../../../../../provider/resources/functions/shared/edge-functions/source-specifiers";
import { parseImportMap } from "../../../../../../provider/resources/functions/shared/edge-functions/source-imports";

const importsOf = (text: string, path = "a.ts"): ModuleImport[] => {
  const found = findImports(text, path);
  if (!Array.isArray(found)) throw new Error(`${path}:${found.line}: ${found.reason}`);
  return found;
};
const named = (text: string, path?: string): string[] =>
  importsOf(text, path).map(({ specifier }) => specifier);
const required = (text: string): string[] =>
  importsOf(text)
    .filter(({ isRequired }) => isRequired)
    .map(({ specifier }) => specifier);

it("a specifier is read beside a list that is longer than a call has arguments", () => {
  expect(named(`import "./a.ts"; export const list = [${"0,".repeat(300_000)}];`)).toEqual(["./a.ts"]);
});

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
  expect(importsOf(text)).toEqual([{ specifier: "./a.ts", line: 1, isRequired: false }]);
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
  expect(named(text, "a.tsx")).toEqual(["./in-tag.tsx", "./in-child.tsx", "./last.tsx"]);
});

it("tells the line of each", () => {
  const text = 'import "./a.ts";\n\n/*\n*/ import {\n  b\n} from "./b.ts"; import "./c.ts";';
  expect(importsOf(text).map(({ specifier, line }) => [specifier, line])).toEqual([
    ["./a.ts", 1],
    ["./b.ts", 4],
    ["./c.ts", 6],
  ]);
});

describe("a module that cannot be parsed is told by its line", () => {
  const faultOf = (text: string, path = "a.ts"): SyntaxFault => {
    const found = findImports(text, path);
    if (Array.isArray(found)) throw new Error("It was parsed.");
    return found;
  };

  it.each([
    ["a.ts", "const a = 1;\nconst x = {{;", 2],
    ["a.js", "\n\nfunction (", 3],
    ["a.tsx", "const a = <p>\n</b>;", 2],
    ["a.mjs", "let a = 1 +;", 1],
    ["a.jsx", "export default <p", 1],
    ["a.mts", "enum E { A = }", 1],
    ["a.ts", 'import {a from "./a.ts"', 1],
    ["a.ts", "const a = 1;\nconst a = 2;", 2],
    ["a.ts", "const a: = 1", 1],
    ["a.js", "const a: string = '';", 1],
  ])("%s: %j", (path, text, line) => {
    const fault = faultOf(text, path);
    expect(fault.line).toBe(line);
    expect(fault.reason).toMatch(/^[A-Z`'].*[^.]$/);
    expect(fault.reason).not.toMatch(/\(\d+:\d+\)/);
  });

  it.each(["(", "[", "`${", "{(", "<a>", "a?("])("also where it is nested without end: %s", (text) => {
    for (const path of ["a.ts", "a.tsx"])
      expect(faultOf(`const a = ${text.repeat(100_000)}`, path).reason).not.toBe("");
  });
});

it.each([
  ["a.ts", "@sealed export class A { constructor(@inject() private b: B) {} accessor c = 1; using = 2 }"],
  ["a.ts", "export @sealed class A {}"],
  ["a.ts", "using file = open(); const a = await file.read(); const b = <T,>(x: T) => x satisfies T;"],
  ["a.ts", "declare global { var a: string } export { a };"],
  ["a.js", "const a = <p>text</p>;"],
  ["a.cjs", "if (done) return; with (a) b = 010;"],
  ["a.js", 'import a from "./a.json" assert { type: "json" };'],
  ["a.js", '#!/usr/bin/env node\n"use strict"; export {};'],
  ["a.d.ts", "export declare const a: string; export default a;"],
])("%s may be %j", (path, text) => {
  expect(Array.isArray(findImports(text, path))).toBe(true);
});

const MANY = 200_000;

it.each([
  ["comments without end", "/*".repeat(MANY)],
  ["escaped quotes", '"' + '\\"'.repeat(MANY)],
  ["escaped quotes and a last backslash", '"' + '\\"'.repeat(MANY) + "\\"],
  ["quotes", '"\n'.repeat(MANY)],
  ["commas", ", ".repeat(MANY)],
])("an import map is read in one pass where it is full of %s", (_, text) => {
  expect(parseImportMap(text)).toBeUndefined();
});

it("is loaded with the first module that is read, not by a run without functions", () => {
  let isLoaded = false;
  jest.isolateModules(() => {
    jest.doMock("@babel/parser", () => {
      isLoaded = true;
      return jest.requireActual<object>("@babel/parser");
    });
    const { allResources, resourceByType } = jest.requireActual<
      typeof import("../../../../../../provider/catalog/catalog")
    >("../../../../../../provider/catalog/catalog");
    const { checkInputs } = jest.requireActual<typeof import("../../../../../../provider/engine/check")>(
      "../../../../../../provider/engine/check",
    );
    expect(allResources().length).toBeGreaterThan(30);
    const projectRef = "abcdefghijklmnopqrst";
    checkInputs(resourceByType("Secret"), { projectRef, name: "A", value: "b" });
    expect(isLoaded).toBe(false);
    const files = { "index.ts": "Deno.serve(() => new Response());" };
    const { failures } = checkInputs(resourceByType("EdgeFunction"), { projectRef, slug: "a", files });
    expect([failures, isLoaded]).toEqual([[], true]);
  });
  jest.dontMock("@babel/parser");
});
