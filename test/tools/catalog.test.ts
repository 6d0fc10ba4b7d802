import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";

const COPIED = [
  "package.json",
  "tools/generate/catalog.mts",
  "tools/schema/examples",
  "provider",
  "test/lifecycle",
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "management-catalog-"));
  const root = findPackageRoot();
  for (const path of COPIED) cpSync(join(root, path), join(folder, path), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function build(): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/generate/catalog.mts"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

it("passes where every definition has its parts", () => {
  expect(build()).toMatchObject({ status: 0 });
});

it.each([
  ["provider/resources/auth/api-key/api-key.ts", "The resource provider/resources/auth/api-key"],
  ["provider/resources/auth/api-key/example.ts", "The resource provider/resources/auth/api-key"],
  ["test/lifecycle/auth/api-key.sample.ts", "The resource provider/resources/auth/api-key"],
  ["test/lifecycle/auth/api-key.test.ts", "The resource provider/resources/auth/api-key"],
  ["provider/actions/database/sql-script.example.ts", "The action provider/actions/database/sql-script.ts"],
  ["provider/functions/auth/get-api-keys.example.ts", "The function provider/functions/auth/get-api-keys.ts"],
])("without %s it names what is missing, and for what", (path, of) => {
  const [from, away] = [join(folder, path), join(folder, "away.ts")];
  cpSync(from, away);
  rmSync(from);
  try {
    const { status, said } = build();
    expect(status).toBe(1);
    expect(said).toContain(`${of} lacks ${path}: `);
    expect(said).toContain("(docs/adding-a-resource.md)");
  } finally {
    cpSync(away, from);
  }
});
