import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSdk, type SdkLanguage } from "../../tools/sdk/generate-sdk";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

let folder: string;

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "management-sdk-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TOY = {
  name: "toy",
  version: "1.2.3",
  resources: {
    "toy:index:Ball": {
      inputProperties: { size: { type: "integer" } },
      properties: { size: { type: "integer" } },
    },
  },
};

async function generate(schema: unknown, language: SdkLanguage): Promise<string> {
  const schemaFile = join(folder, "schema.json");
  const out = join(folder, "sdk", language);
  writeFileSync(schemaFile, JSON.stringify(schema));
  await generateSdk({ schemaFile, language, out, engine: await engineForTests(LANGUAGES) });
  return out;
}

test("Pulumi's generator writes an SDK for each language", async () => {
  const found: string[] = [];
  for (const language of ["nodejs", "python", "go", "dotnet"] as const) {
    const out = await generate(TOY, language);
    const files = readdirSync(out, { recursive: true, encoding: "utf8" });
    found.push(...files.filter((name) => /ball\.\w+$/i.test(name)).map((name) => name.replaceAll("\\", "/")));
    expect(files.filter((name) => name.endsWith(".go")).length > 0).toBe(language === "go");
  }
  expect(found.map((name) => name.toLowerCase())).toEqual([
    "ball.ts",
    "pulumi_toy/ball.py",
    "toy/ball.go",
    "ball.cs",
  ]);
});

test("a fault of the schema stops the generation and is told with its place", async () => {
  const faulty = structuredClone(TOY) as typeof TOY & { resources: Record<string, unknown> };
  faulty.resources["toy:index:Bat"] = { properties: { handle: { $ref: "#/types/toy:index:Handle" } } };

  const attempt = generate(faulty, "nodejs");

  await expect(attempt).rejects.toThrow(/nodejs SDK could not be generated[^]*toy:index:Handle/);
  expect(existsSync(join(folder, "sdk"))).toBe(false);
});

test("a property of several types is refused, since it would be lost", async () => {
  const faulty = structuredClone(TOY) as unknown as { config: unknown };
  faulty.config = { variables: { size: { type: ["string", "integer"] } } };

  await expect(generate(faulty, "python")).rejects.toThrow(/type of type string|cannot unmarshal array/);
});

test("the Python SDK keeps the schema's version", async () => {
  const out = await generate(
    { ...TOY, language: { python: { pyproject: { enabled: true }, respectSchemaVersion: true } } },
    "python",
  );

  expect(readFileSync(join(out, "pyproject.toml"), "utf8")).toContain('version = "1.2.3"');
});
