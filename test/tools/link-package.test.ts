import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkPackage } from "../../tools/link-package";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "link-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const link = () => join(root, "node_modules", "pulumi-management");

test("the package resolves to the repository, however often it is linked", () => {
  linkPackage(root);
  linkPackage(root);

  expect(realpathSync(link())).toBe(realpathSync(root));
});

test("a link that points elsewhere or nowhere is replaced", () => {
  mkdirSync(join(root, "node_modules"));
  symlinkSync(join(root, "moved-away"), link());

  linkPackage(root);

  expect(realpathSync(link())).toBe(realpathSync(root));
});

test("an installed copy is replaced without touching the repository", () => {
  writeFileSync(join(root, "kept.txt"), "kept");
  mkdirSync(link(), { recursive: true });
  writeFileSync(join(link(), "kept.txt"), "copy");

  linkPackage(root);

  expect(readFileSync(join(link(), "kept.txt"), "utf8")).toBe("kept");
});
