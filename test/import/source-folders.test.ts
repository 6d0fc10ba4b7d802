import { mkdirSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import type { InventoryObject } from "../../import/inventory";
import { hashOf, placeSource } from "../../import/source-folders";
import { HOSTILE_TEXTS, hostileText } from "../kit/hostile-texts";
import { useFolder } from "./sources/folder";

const folder = useFolder();
const projectRef = "abcdefghijklmnopqrst";

function functionWith(slug: string, files: Readonly<Record<string, string>>): InventoryObject {
  return {
    ...{ type: "EdgeFunction", importId: `${projectRef}/${slug}`, label: slug },
    inputs: { projectRef, slug, files, entrypointPath: "index.ts" },
  };
}

/** Everything below the folder of the test, but for the folders of functions in the program's. */
function outsideOf(program: string): string[] {
  return readdirSync(folder.path, { recursive: true, encoding: "utf8" }).filter(
    (path) => !/^(?:deployed-)?functions(?:\/|$)/.test(relative(program, join(folder.path, path))),
  );
}

describe("a function that imports what lies beside its folder", () => {
  const DEPLOYED = {
    "hello/index.ts": 'import { cors } from "../_shared/cors.ts";\n',
    "_shared/cors.ts": "export const cors = {};\n",
  };
  const found = (): InventoryObject => {
    const { inputs, ...others } = functionWith("hello", DEPLOYED);
    return { ...others, inputs: { ...inputs, entrypointPath: "hello/index.ts" } };
  };

  /** What the program declares of it, where the team has these files. */
  function placed(team: Readonly<Record<string, string>>): {
    readonly inputs: object;
    readonly note?: string;
  } {
    const program = join(folder.path, "program");
    mkdirSync(program);
    for (const [path, text] of Object.entries(team)) folder.write(`functions/${path}`, text);
    const began = process.cwd();
    process.chdir(program);
    try {
      const { found: result, note } = placeSource(found(), program, join(folder.path, "functions"));
      return { inputs: result.inputs, ...(note !== undefined && { note }) };
    } finally {
      process.chdir(began);
    }
  }
  const recognised = { inputs: { projectRef, slug: "hello", sourceDir: "../functions/hello" } };

  it("is the team's folder, from whichever root it was deployed", () => {
    expect(placed(DEPLOYED)).toEqual(recognised);
  });

  it("is the team's folder with files that no deploy of the platform's tool sends", () => {
    expect(placed({ ...DEPLOYED, "hello/README.md": "Says hello.\n" })).toEqual(recognised);
  });

  it.each([
    ["the shared file", { ...DEPLOYED, "_shared/cors.ts": "export const cors = { changed: true };\n" }],
    ["the entrypoint", { ...DEPLOYED, "hello/index.ts": `${DEPLOYED["hello/index.ts"]}// changed\n` }],
    ["its import map", { ...DEPLOYED, "hello/deno.json": '{"imports":{}}' }],
  ])("is written to a folder of its own where %s differs", (_, team) => {
    const { inputs, note = "" } = placed(team);
    expect(inputs).toMatchObject({ sourceDir: expect.stringMatching(/^functions\/hello$/) as string });
    expect(note).toContain("differs from what is deployed");
  });
});

it("writes a source into a folder of its function's name", () => {
  const program = join(folder.path, "program");
  mkdirSync(program);
  const began = process.cwd();
  process.chdir(program);
  try {
    const { found, note } = placeSource(
      functionWith("hello", { "index.ts": "1", "a/b.ts": "2" }),
      program,
      undefined,
    );
    expect({ sourceDir: found.inputs["sourceDir"], note }).toEqual({
      sourceDir: "functions/hello",
      note: undefined,
    });
  } finally {
    process.chdir(began);
  }
});

it("writes nothing outside of the folder of functions, whatever a function and its files are called", () => {
  const program = join(folder.path, "program");
  mkdirSync(join(program, "node_modules"), { recursive: true });
  const before = outsideOf(program);
  const slugs = ["../node_modules", "../../x", folder.path, "", ".", "..", ...Object.values(HOSTILE_TEXTS)];
  for (const slug of slugs) {
    const given = functionWith(slug, { "index.ts": "1" });
    const { found, note } = placeSource(given, program, undefined);
    if (slug === "__proto__") continue;
    expect({ slug, found: found === given, note }).toEqual({
      ...{ slug, found: true },
      note: expect.stringContaining("no folder can have its name") as string,
    });
  }
  fc.assert(
    fc.property(hostileText, (text) => {
      const name = text || "..";
      placeSource(functionWith("hello", { "index.ts": "1", [name]: "2" }), program, undefined);
    }),
    { examples: Object.values(HOSTILE_TEXTS).map((text): [string] => [text]), numRuns: 60 },
  );
  placeSource(functionWith("nested", { "index.ts": "1", a: "2", "a/b": "3" }), program, undefined);
  expect(outsideOf(program)).toEqual(before);
});

it("does not take two sources that would be refused for the same", () => {
  const functions = join(folder.path, "functions");
  // Neither has the entry point that is declared.
  folder.write("functions/hello/other.ts", "mine");
  const given = functionWith("hello", { "theirs.ts": "theirs" });
  expect(hashOf(given.inputs)).toBeUndefined();
  const { found, note } = placeSource(given, folder.path, functions);
  expect({ kept: found === given, note }).toEqual({
    kept: true,
    note: "hello: its source is in the program, because it would not be accepted in a folder.",
  });
});
