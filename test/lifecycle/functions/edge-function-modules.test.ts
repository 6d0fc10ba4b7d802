import {
  hashSource,
  readSource,
  toUpload,
  type SourceInputs,
} from "../../../provider/resources/functions/shared/edge-functions/source";
import { SourceFault } from "../../../provider/resources/functions/shared/edge-functions/problems";
import { checkInputs } from "../../../provider/engine/check";
import { edgeFunction } from "../../../provider/resources/functions/edge-function/edge-function";
import { functionSet } from "../../../provider/resources/functions/function-set/function-set";
import { MAPPED_FUNCTION, useSourceFolder } from "./source-folder";

const source = useSourceFolder();
const { write } = source;

const inFolder = (folder: string, more: SourceInputs = {}): SourceInputs => ({
  sourceDir: source.path(folder),
  ...more,
});
const hello = (more: SourceInputs = {}): SourceInputs => inFolder("functions/hello", more);
const uploaded = (inputs: SourceInputs): string[] =>
  toUpload(readSource(inputs))
    .files.map(({ name }) => name)
    .sort();
const importMapOf = (inputs: SourceInputs): string | undefined => toUpload(readSource(inputs)).importMap;

function fault(inputs: SourceInputs): string {
  try {
    readSource(inputs);
  } catch (error) {
    if (error instanceof SourceFault) return error.message;
    throw error;
  }
  throw new Error("the source was read");
}

beforeEach(() => write({ ".git/HEAD": "" }));

describe("an import map that was ignored", () => {
  const shared = { "functions/hello/index.ts": 'import "$shared/cors.ts";', "functions/_shared/cors.ts": "" };
  const imports = { "$shared/": "./_shared/" };

  it("lies at the root of the functions folder", () => {
    write({ ...shared, "functions/import_map.json": JSON.stringify({ imports }) });
    expect(uploaded(hello())).toEqual(
      ["functions/_shared/cors.ts", "functions/hello/index.ts", "functions/import_map.json"].map((path) =>
        path.replace(/^functions\//, ""),
      ),
    );
    expect(importMapOf(hello())).toBe("import_map.json");
  });

  it("is the deno.json there, where nothing else knows a name", () => {
    write({ ...shared, "functions/deno.json": JSON.stringify({ imports }), "functions/plain/index.ts": "" });
    expect(importMapOf(hello())).toBe("deno.json");
    expect(importMapOf(inFolder("functions/plain"))).toBeUndefined();
  });

  it.each(["import_map.json", "./import_map.json"])("is %s in the deno.json beside it", (importMap) => {
    const config = JSON.stringify({ importMap: `../${importMap}`.replace("../.", "..") });
    write({
      ...shared,
      "functions/hello/deno.json": config,
      "functions/import_map.json": JSON.stringify({ imports }),
    });
    expect(uploaded(hello())).toContain("_shared/cors.ts");
    expect(importMapOf(hello())).toBe("hello/deno.json");
  });

  it("lies beside an entrypoint in a folder of its own", () => {
    write({
      "functions/hello/src/main.ts": 'import "$shared/cors.ts";',
      "functions/hello/src/deno.json": JSON.stringify({ imports: { "$shared/": "../../_shared/" } }),
      "functions/_shared/cors.ts": "",
    });
    expect(importMapOf(hello({ entrypointPath: "src/main.ts" }))).toBe("hello/src/deno.json");
  });

  it("is one of the folder itself before one around it", () => {
    write({
      ...shared,
      "functions/hello/deno.json": JSON.stringify({ imports: { "$shared/": "../_shared/" } }),
      "functions/import_map.json": "{}",
    });
    expect(uploaded(hello())).toEqual(["_shared/cors.ts", "hello/deno.json", "hello/index.ts"]);
  });

  it("is an error where it names another one that is not there", () => {
    write({ ...shared, "functions/hello/deno.json": '{ "importMap": "../map.json" }' });
    expect(fault(hello())).toBe('deno.json refers to the import map "../map.json", which does not exist.');
  });
});

it("changes the hash with a shared file that a mapped name leads to", () => {
  write({
    "functions/hello/index.ts": 'import "$shared/cors.ts";',
    "functions/_shared/cors.ts": "1",
    "functions/import_map.json": '{ "imports": { "$shared/": "./_shared/" } }',
  });
  const before = hashSource(readSource(hello()));
  write({ "functions/_shared/cors.ts": "2" });
  expect(hashSource(readSource(hello()))).not.toBe(before);
});

it("keeps the hash of a source whose files are as before", () => {
  write(MAPPED_FUNCTION);
  expect(hashSource(readSource(inFolder("hello")))).toBe(
    "ab0638d7f556580583f6f32fec00bcf042be86d9964b37e4da8cd6db85e49b3f",
  );
});

describe("a specifier is an error of the preview, with file and line,", () => {
  it.each([
    ["./missing.ts", "does not exist"],
    ["./text", "does not exist: text.ts exists, and an import needs the full name"],
    ["./text.js", "does not exist: text.ts exists, and an import needs the full name"],
    ["./lib", "does not exist: lib/index.ts exists, and an import needs the full name"],
    ["/text.ts", "is a path on this machine: begin it with `./` or `../`"],
    ["file:///text.ts", "is a path on this machine: begin it with `./` or `../`"],
    ["lodash", "is in no import map and no package.json: add it to `imports` in a deno.json"],
    ["fs", 'is a module of Node.js: write "node:fs"'],
    ["astro:content", "begins with `astro:`, which a function cannot import"],
    ["mapped/missing.ts", "does not exist"],
    ["bare", 'resolves to "lodash" in the import map, which is in no import map and no package.json'],
  ])("where %s leads to nothing", (specifier, why) => {
    write({
      "functions/hello/index.ts": `// first\nimport "./text.ts";\nexport * from "${specifier}";`,
      "functions/hello/text.ts": "",
      "functions/hello/lib/index.ts": "",
      "functions/hello/deno.json": '{ "imports": { "mapped/": "./lib/", "bare": "lodash" } }',
    });
    expect(fault(hello())).toContain(`index.ts:3 imports "${specifier}", which ${why}`);
  });

  it("in a module that another one imports, and in every module at once", () => {
    write({
      "functions/hello/index.ts": 'import "../_shared/a.ts"; import "./b.ts";',
      "functions/_shared/a.ts": '\nawait import("./late.ts");',
    });
    expect(fault(hello())).toBe(
      'index.ts:1 imports "./b.ts", which does not exist. ../_shared/a.ts:2 imports "./late.ts", which does not exist.',
    );
  });

  it("in inline files", () => {
    expect(fault({ files: { "index.ts": 'import "./lib/a.ts"; import "../b.ts";', "lib/a.ts": "" } })).toBe(
      'index.ts:1 imports "../b.ts", which is not among `files`.',
    );
  });
});

it("a call for a name that nothing knows is a warning, as a library may make it elsewhere only", () => {
  write({
    "functions/hello/index.ts": 'import "./lib.js";',
    "functions/hello/lib.js": 'if (isNode) await import("fs");\nawait import("lodash");',
  });
  const { warnings } = readSource(hello());
  expect(warnings).toEqual([
    expect.stringMatching(
      /^lib\.js:1 imports "fs", which is a module of Node\.js: write "node:fs"\. lib\.js:2 imports "lodash", .* Such an import fails when it runs\.$/,
    ),
  ]);
  write({
    "functions/hello/deno.json":
      '{ "unstable": ["bare-node-builtins"], "imports": { "lodash": "npm:lodash" } }',
  });
  expect(readSource(hello()).warnings).toEqual([]);
});

describe("a specifier is no error", () => {
  it.each([
    "npm:zod",
    "jsr:@std/path",
    "node:fs",
    "https://x.test/a.ts",
    "http://x.test/a.ts",
    "data:text/javascript,1",
    "zod",
    "zod/v4",
    "@std/path/join",
    "hono/cors",
    "chalk",
  ])("where %s is found elsewhere", (specifier) => {
    write({
      "functions/hello/index.ts": `import "${specifier}";`,
      "functions/hello/deno.json": '{ "imports": { "zod": "npm:zod@4", "@std/path": "jsr:@std/path@1" } }',
      "functions/hello/package.json": '{ "dependencies": { "hono": "^4" } }',
      "package.json": '{ "devDependencies": { "chalk": "5" } }',
    });
    const above = specifier === "chalk" ? ["package.json"] : [];
    const at = above.length > 0 ? "functions/hello/" : "";
    expect(uploaded(hello())).toEqual(
      [...above, ...["deno.json", "index.ts", "package.json"].map((path) => at + path)].sort(),
    );
  });

  it("in a comment or a string, in a type, or in a module that the function does not import", () => {
    write({
      "functions/hello/index.ts":
        '// import "./a.ts"\nconst s = \'import "./b.ts"\';\nimport type { C } from "./c.ts"; type D = import("d").D;',
      "functions/hello/index.test.ts": 'import { assert } from "@std/assert"; import "../../x.ts";',
      "functions/hello/env.d.ts": 'import e from "e";',
    });
    expect(uploaded(hello())).toEqual(["env.d.ts", "index.test.ts", "index.ts"]);
  });

  it("where the configuration allows to leave out what files end with", () => {
    write({
      "functions/hello/index.ts": 'import "../_shared/text"; import "./lib"; import "./other.js";',
      "functions/hello/lib/index.ts": "",
      "functions/hello/other.ts": "",
      "functions/_shared/text.ts": "",
      "functions/hello/deno.json": '{ "unstable": ["sloppy-imports"] }',
    });
    expect(uploaded(hello())).toContain("_shared/text.ts");
  });
});

describe("a name of a package in the repository leads to its files", () => {
  const index = { "functions/hello/index.ts": 'import "@acme/text"; import "@acme/text/deep/a";' };
  const files = {
    "packages/text/src/main.ts": 'import "./part.ts";',
    "packages/text/src/part.ts": "",
    "packages/text/src/deep/a.ts": 'import "inner";',
    "packages/text/src/inner.ts": "",
  };
  const exports = { ".": { types: "./x.d.ts", import: "./src/main.ts" }, "./deep/*": "./src/deep/*.ts" };
  const all = ["functions/hello/index.ts", ...Object.keys(files)];

  it.each(["workspace", "workspaces"])("in a %s", (field) => {
    const [root, member] =
      field === "workspace"
        ? ["deno.json", "packages/text/deno.json"]
        : ["package.json", "packages/text/package.json"];
    const names = { "#inner": "./src/inner.ts", inner: "./src/inner.ts" };
    write({
      ...index,
      ...files,
      "packages/text/src/deep/a.ts": field === "workspace" ? 'import "inner";' : 'import "#inner";',
      [root]: JSON.stringify({ [field]: ["./packages/*"] }),
      [member]: JSON.stringify({ name: "@acme/text", exports, imports: names }),
      "packages/other/README.md": "",
    });
    expect(uploaded(hello())).toEqual([...all, root, member].sort());
  });

  it("by a version that is a folder, without `exports` by `main`", () => {
    write({
      "functions/hello/index.ts": 'import "text"; import "text/src/part.ts";',
      "functions/hello/package.json": '{ "dependencies": { "text": "file:../../packages/text" } }',
      "packages/text/package.json": '{ "name": "text", "main": "src/part.ts" }',
      "packages/text/src/part.ts": "",
    });
    expect(uploaded(hello())).toEqual([
      "functions/hello/index.ts",
      "functions/hello/package.json",
      "packages/text/package.json",
      "packages/text/src/part.ts",
    ]);
  });

  it("and is an error where the workspace has none of that name", () => {
    write({
      "functions/hello/index.ts": 'import "text";',
      "functions/hello/package.json": '{ "dependencies": { "text": "workspace:*" } }',
    });
    expect(fault(hello())).toContain('index.ts:1 imports "text", which is in no import map');
  });
});

describe("a name that a package.json above the function has", () => {
  const files = {
    "package.json": '{ "dependencies": { "hono": "3" } }',
    "functions/hello/index.ts": 'import "hono";\nimport "hono/cors";',
  };
  const told = (): readonly string[] => readSource(hello()).warnings;

  it.each(["deno.json", "deno.jsonc", "import_map.json"])(
    "means what %s beside all functions says, which lies nearer",
    (map) => {
      write({ ...files, [`functions/${map}`]: '{ "imports": { "hono": "npm:hono@4" } }' });
      expect(uploaded(hello())).toEqual(["hello/index.ts", map].sort());
      expect(importMapOf(hello())).toBe(map);
      expect(told()).toEqual([]);
    },
  );

  it("means what the package.json says where no map has it, and a warning tells so once", () => {
    write({ ...files, "functions/deno.json": '{ "imports": { "zod": "npm:zod" } }' });
    expect(uploaded(hello())).toEqual(["functions/hello/index.ts", "package.json"]);
    expect(told()).toEqual([
      "Only ../../package.json, which is not beside the entrypoint, knows `hono`, `hono/cors`, so it is uploaded with the function. Add the names to `imports` in a deno.json of the function or beside all functions.",
    ]);
  });

  it("is told of no package.json beside the entrypoint", () => {
    write({ ...files, "functions/hello/package.json": '{ "dependencies": { "hono": "4" } }' });
    expect(uploaded(hello())).toEqual(["index.ts", "package.json"]);
    expect(told()).toEqual([]);
  });
});

describe("a module that cannot be parsed", () => {
  const files = {
    "functions/hello/index.ts": 'import "./lib/broken.ts";\nimport "./other.tsx";',
    "functions/hello/lib/broken.ts": "const x = {{;\n",
    "functions/hello/other.tsx": "\nconst y = <p>;",
    "functions/hello/index.test.ts": "const z = {{;",
  };
  const declared = (more: SourceInputs = {}) => ({
    projectRef: "a".repeat(20),
    slug: "hello",
    ...hello(more),
  });
  const failuresOf = (inputs: object, before?: Readonly<Record<string, unknown>>): unknown =>
    checkInputs(edgeFunction, { ...inputs }, before).failures;
  const set = (more: object = {}) => ({
    projectRef: "a".repeat(20),
    sourceDir: source.path("functions"),
    ...more,
  });
  const said =
    "lib/broken.ts:1 cannot be parsed: Unexpected token. The same is true of `other.tsx:2`. Correct the module. ";

  it("is refused in the preview with file and line, where the function needs it", () => {
    write(files);
    expect(failuresOf(declared())).toEqual([
      { path: "sourceDir", reason: expect.stringContaining(said) as unknown },
    ]);
    expect(checkInputs(functionSet, set()).failures).toEqual([
      {
        path: "sourceDir",
        reason: expect.stringContaining(`the function \`hello\` cannot be deployed: ${said}`) as unknown,
      },
    ]);
    const inline = { projectRef: "a".repeat(20), slug: "hello", files: { "index.ts": "let a = 1 +;" } };
    expect(failuresOf(inline)).toEqual([
      { path: "files", reason: expect.stringContaining("index.ts:1 cannot be parsed") as unknown },
    ]);
  });

  it("is deployed where `allowUnparsed` lists it", () => {
    write(files);
    const allowUnparsed = ["lib/broken.ts", "other.tsx"];
    expect(failuresOf(declared({ allowUnparsed }))).toEqual([]);
    expect(checkInputs(functionSet, set({ functions: { hello: { allowUnparsed } } })).failures).toEqual([]);
    expect(failuresOf(declared({ allowUnparsed: ["lib/broken.ts"] }))).toHaveLength(1);
  });

  it("is only warned of where the function was deployed with this very source", () => {
    write(files);
    const sourceHash = hashSource(readSource(hello()));
    const before = { ...declared(), sourceHash };
    const again = checkInputs(edgeFunction, declared(), before);
    expect(again.failures).toEqual([]);
    expect(again.warnings).toEqual([expect.stringContaining(said)]);
    const ofSet = checkInputs(functionSet, set(), { ...set(), deployments: { hello: { sourceHash } } });
    expect(ofSet.failures).toEqual([]);
    expect(ofSet.warnings).toEqual([expect.stringContaining(`hello: ${said}`)]);
    write({ "functions/hello/index.ts": `${files["functions/hello/index.ts"]}\n` });
    expect(failuresOf(declared(), before)).toHaveLength(1);
  });
});
