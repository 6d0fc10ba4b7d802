import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";

const COPIED = [
  "package.json",
  "tools/generate/catalog.mts",
  "tools/fixtures",
  "tools/schema/examples",
  "emulator/service/rules",
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
  ["tools/fixtures/auth/api-key.ts", "The resource provider/resources/auth/api-key"],
  ["test/lifecycle/auth/api-key.test.ts", "The resource provider/resources/auth/api-key"],
  ["tools/fixtures/database/sql-script.ts", "The action provider/actions/database/sql-script.ts"],
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

it("refuses the fixture of nothing that is defined", () => {
  const file = join(folder, "tools/fixtures/auth/gone.ts");
  writeFileSync(file, "");
  try {
    const { status, said } = build();
    expect(status).toBe(1);
    expect(said).toContain("tools/fixtures/auth/gone.ts is the fixture of nothing that is defined.");
  } finally {
    rmSync(file);
  }
});

describe("an example", () => {
  const lackIt: [string, string, string][] = [
    ["auth", "getApiKeys", "The function provider/functions/auth/get-api-keys.ts"],
    ["components", "PreviewEnvironment", "The component provider/components/preview-environment"],
  ];
  it.each(lackIt)("that %s lacks as %s is asked for by the definition's name", (area, name, of) => {
    const { status, said } = buildWith(area, (text) => text.replace(`  ${name}: {`, "  Other: {"));
    expect(status).toBe(1);
    expect(said).toContain(
      `${of} lacks the example \`${name}\` of its reference page in tools/schema/examples/areas/${area}.ts`,
    );
    expect(said).toContain("(docs/adding-a-resource.md)");
  });

  it("of nothing that is defined is refused", () => {
    const { status, said } = buildWith("auth", (text) =>
      text.replace("  getApiKey: {", "  gone: {\n  },\n  getApiKey: {"),
    );
    expect(status).toBe(1);
    expect(said).toContain("has the example `gone`, and nothing of `auth` is called so");
  });

  function buildWith(area: string, edit: (text: string) => string): ReturnType<typeof build> {
    const file = join(folder, `tools/schema/examples/areas/${area}.ts`);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, edit(text));
    try {
      return build();
    } finally {
      writeFileSync(file, text);
    }
  }
});
