import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { operations } from "../spec/table";
import { plans } from "../tools/coverage/plans";
import { usersOfOperations } from "../tools/coverage/users";

const root = dirname(__dirname);

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

const sources = ["spec", "provider", "emulator", "tools", "bench"].flatMap(sourcesBelow);

function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The files of this repository that `path` imports. */
function importsOf(path: string): string[] {
  return [...textOf(path).matchAll(/(?:from|import|require\()\s*"(\.[^"]*)"/g)].map((match) =>
    relative(root, join(root, dirname(path), match[1] ?? "")).replaceAll("\\", "/"),
  );
}

const belowCatalog = ["spec", "provider/client", "provider/define", "provider/lifecycle"];
const aboveCatalog = [
  ...belowCatalog,
  "provider/config",
  "provider/catalog",
  "provider/process",
  "provider/node-version",
  "provider/version.generated",
];

/** What each layer may import besides itself; what is not listed here may import anything. */
const layers: readonly (readonly [layer: string, mayImport: readonly string[]])[] = [
  ["spec", []],
  ["provider/client", ["spec", "provider/node-version", "provider/version.generated"]],
  ["provider/define", ["spec", "provider/client", "provider/lifecycle"]],
  ["provider/lifecycle", ["spec", "provider/client", "provider/define"]],
  ["provider/resources", belowCatalog],
  ["provider/functions", [...belowCatalog, "provider/resources"]],
  ["provider/catalog", ["spec", "provider/define", "provider/resources", "provider/functions"]],
  ["provider/process", [...belowCatalog, "provider/config"]],
  ["provider/schema", [...belowCatalog, "provider/config", "provider/catalog"]],
  ["provider/dynamic", aboveCatalog],
  ["provider/plugin", [...aboveCatalog, "schema.json"]],
  ["emulator", ["spec", "provider/node-version"]],
];

describe("the layer law", () => {
  it.each(layers)("%s imports only from the layers below it", (layer, mayImport) => {
    const allowed = [layer, ...mayImport];
    const broken = sources
      .filter((path) => path.startsWith(`${layer}/`) || path === `${layer}.ts`)
      .flatMap((path) => importsOf(path).map((imported) => `${path} imports ${imported}`))
      .filter((line) => !allowed.some((prefix) => line.includes(` imports ${prefix}`)));
    expect(broken).toEqual([]);
  });

  it("keeps Pulumi out of everything but the adapters and what both send the engine", () => {
    const using = sources.filter(
      (path) => path.startsWith("provider/") && /^(?:import|export|\}) .*"@pulumi\//m.test(textOf(path)),
    );
    expect(
      using.filter((path) => !/^provider\/(?:dynamic\/|plugin\/|process\/engine-lines\.ts$)/.test(path)),
    ).toEqual([]);
  });
});

describe("sizes", () => {
  const isDefinition = (path: string): boolean => /^provider\/(?:resources|functions)\//.test(path);

  it("stay small: resources and functions at most 150 lines, other files at most 250", () => {
    const tooLong = sources
      .filter((path) => !path.endsWith(".generated.ts"))
      .map((path) => ({ path, lines: textOf(path).trimEnd().split("\n").length }))
      .filter(({ path, lines }) => lines > (isDefinition(path) ? 150 : 250));
    expect(tooLong).toEqual([]);
  });
});

describe("the operation table", () => {
  it("has no entry that the provider does not use, unless it says what will or why nothing does", () => {
    const users = usersOfOperations(root);
    const idle = Object.keys(operations).filter((name) => !users.has(name) && !(name in plans));
    expect(idle).toEqual([]);
  });

  it("is ordered by method and path without a double", () => {
    const shapes = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });
});
