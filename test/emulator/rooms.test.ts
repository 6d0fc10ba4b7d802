import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { formatRelativePath } from "../../spec/relative-path";
import { findPackageRoot } from "../../tools/engine/package-root";

/** A file that imports another, both as paths below the emulator. */
interface Import {
  readonly from: string;
  readonly to: string;
}

const root = join(findPackageRoot(), "emulator");

function readImports(): Import[] {
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.m?ts$/.test(path) && !/^(?:dist|node_modules)\b/.test(path))
    .map((path) => join(root, path));
  return sources.flatMap((source) => {
    const imported = readFileSync(source, "utf8").matchAll(
      /(?:\bfrom|\bimport\(|\brequire\()\s*"(\.[^"]*)"/g,
    );
    return Array.from(imported, ([, path = ""]) => fileOf(join(dirname(source), path)))
      .filter((path) => path.startsWith(root + sep))
      .map((path) => ({ from: posixBelow(source), to: posixBelow(path) }));
  });
}

function fileOf(path: string): string {
  const candidates = [`${path}.ts`, path.replace(/\.js$/, ".ts"), join(path, "index.ts"), path];
  return candidates.find((candidate) => /\.ts$/.test(candidate) && existsSync(candidate)) ?? path;
}

function posixBelow(path: string): string {
  return formatRelativePath(root, path);
}

/**
 * The pairs of folders that import each other, each with all that is below it. A file that stands in the folder where two paths part
 * counts as that folder.
 */
function findMutualFolders(imports: readonly Import[]): string[] {
  const edges = new Set(imports.flatMap(edgesOf));
  return [...edges]
    .map((edge) => edge.split(" > "))
    .filter(([from = "", to = ""]) => from < to && edges.has(`${to} > ${from}`))
    .map((pair) => pair.join(", "))
    .sort();
}

function edgesOf({ from, to }: Import): string[] {
  const [left, right] = [from.split("/").slice(0, -1), to.split("/").slice(0, -1)];
  const parted = left.findIndex((name, index) => right[index] !== name);
  const depth = (parted === -1 ? left.length : parted) + 1;
  const [one, other] = [left, right].map((names) => names.slice(0, depth).join("/") || ".");
  return one === other ? [] : [`${one} > ${other}`];
}

describe("folders of the emulator", () => {
  it("do not import each other", () => {
    const imports = readImports();
    expect(imports.length).toBeGreaterThan(500);
    expect(findMutualFolders(imports)).toEqual([]);
  });

  it.each([
    ["a/one.ts", "b/two.ts", "b/three.ts", "a/four.ts", "a, b"],
    ["a/x/one.ts", "b/two.ts", "b/y/three.ts", "a/four.ts", "a, b"],
    ["a/x/one.ts", "a/y/z/two.ts", "a/y/three.ts", "a/x/four.ts", "a/x, a/y"],
    ["a/one.ts", "a/x/two.ts", "a/x/y/three.ts", "a/four.ts", "a, a/x"],
    ["one.ts", "a/two.ts", "a/x/three.ts", "four.ts", "., a"],
  ])("are found where %s imports %s and %s imports %s", (from, to, backFrom, backTo, found) => {
    const imports = [
      { from, to },
      { from: backFrom, to: backTo },
    ];
    expect(findMutualFolders(imports)).toEqual([found]);
    expect(findMutualFolders(imports.slice(1))).toEqual([]);
  });
});
