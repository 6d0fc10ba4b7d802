import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examples } from "../../tools/schema/examples/examples.generated";
import { packageSchema, surface } from "../../tools/schema/package-schema";
import { registrySchema } from "../../tools/schema/registry-schema";
import { findPackageRoot } from "../../tools/engine/package-root";
import { createWorkspace, type Workspace } from "../../tools/engine/workspace";
import { manifest, toySurface } from "../tools/schema/toy-surface";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

let folder: string;
let workspace: Workspace;

beforeAll(async () => {
  const engine = await engineForTests();
  folder = mkdtempSync(join(tmpdir(), "management-schema-"));
  workspace = createWorkspace({ engine, projectDir: folder });
}, PROVISIONING_TIMEOUT_MS);

afterAll(async () => {
  await workspace.dispose();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** What the engine says of a schema. */
async function check(schema: unknown): Promise<{ exitCode: number | null; said: string }> {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(schema));
  const { exitCode, stdout, stderr } = await workspace.run(["schema", "check", file]);
  return { exitCode, said: stdout + stderr };
}

test("the engine takes schema.json without a word", async () => {
  const schema: unknown = JSON.parse(readFileSync(join(findPackageRoot(), "schema.json"), "utf8"));
  expect(await check(schema)).toEqual({ exitCode: 0, said: "" });
});

test("the engine takes the schema for a registry, with its examples, without a word", async () => {
  const schema = registrySchema(packageSchema(manifest, surface), examples);
  expect(await check(schema)).toEqual({ exitCode: 0, said: "" });
});

test("the engine reads schema.json from the plugin", async () => {
  const plugin = join(findPackageRoot(), "dist", "plugin", "pulumi-resource-management");
  const { stdout } = await workspace.run(["package", "get-schema", plugin]);
  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(readFileSync(join(findPackageRoot(), "schema.json"), "utf8")),
  );
});

test("the engine takes a schema with one of everything that the generator can say", async () => {
  expect(await check(packageSchema(manifest, toySurface()))).toEqual({ exitCode: 0, said: "" });
});

test("the engine itself finds a reference that leads nowhere", async () => {
  const { exitCode, said } = await check({ ...packageSchema(manifest, surface), types: {} });
  expect(exitCode).not.toBe(0);
  expect(said).toContain("not found in package management");
});
