import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refreshFiles, type Generated } from "../../tools/generate/write-files";

// Prettier loads its parsers in a way that jest does not support: what it formats is not what is tested here.
jest.mock("prettier", () => ({
  format: (text: string) => Promise.resolve(`${text}\n`),
  getFileInfo: (file: string) => Promise.resolve({ inferredParser: file.endsWith(".py") ? null : "known" }),
  resolveConfig: () => Promise.resolve(null),
}));

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "management-generate-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const generated: Generated = {
  "schema.json": () => "{}",
  "docs/reference": () => ({ "README.md": "All", "resources/box.md": "Box" }),
};

const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const refresh = (isCheck = false) => refreshFiles(root, generated, { isCheck });

describe("generated files", () => {
  it("are written where they are missing, and are not stale then", async () => {
    const stale = await refresh();
    expect(stale.map(({ path }) => path)).toEqual([
      "schema.json",
      join("docs/reference", "README.md"),
      join("docs/reference", "resources/box.md"),
    ]);
    expect(textOf("schema.json")).toBe("{}\n");
    expect(textOf("docs/reference/resources/box.md")).toBe("Box\n");
    expect(await refresh(true)).toEqual([]);
  });

  it("stay as they are made in a language that the formatter does not know", async () => {
    await refreshFiles(root, { "__main__.py": () => "print(1)" }, { isCheck: false });
    expect(textOf("__main__.py")).toBe("print(1)");
  });

  it("are only named by a check", async () => {
    expect(await refresh(true)).toHaveLength(3);
    expect(existsSync(join(root, "schema.json"))).toBe(false);
  });

  it("are stale when someone edits them", async () => {
    await refresh();
    writeFileSync(join(root, "schema.json"), '{"name":"other"}\n');
    expect(await refresh(true)).toEqual([{ path: "schema.json", isLeftOver: false }]);
    await refresh();
    expect(textOf("schema.json")).toBe("{}\n");
  });

  it("are removed from a generated folder when nothing generates them any more", async () => {
    await refresh();
    mkdirSync(join(root, "docs/reference/functions"));
    writeFileSync(join(root, "docs/reference/functions/get-old.md"), "Old\n");
    writeFileSync(join(root, "docs/guide.md"), "By hand\n");
    const leftOver = [{ path: join("docs/reference", "functions/get-old.md"), isLeftOver: true }];
    expect(await refresh(true)).toEqual(leftOver);
    expect(await refresh()).toEqual(leftOver);
    expect(existsSync(join(root, "docs/reference/functions/get-old.md"))).toBe(false);
    expect(existsSync(join(root, "docs/guide.md"))).toBe(true);
    expect(await refresh(true)).toEqual([]);
  });
});
