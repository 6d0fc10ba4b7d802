import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resourceByType } from "../../provider/catalog/catalog";
import { configureWholeProject, startWholeProject } from "../../tools/engine/emulated-whole-project";
import { wholeProject } from "../../tools/schema/examples/whole-project";
import type { YamlStack } from "../../tools/engine/emulated-yaml";
import { sampleOf } from "../kit/samples";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, outputOf } from "./stack";

let stack: YamlStack;
beforeAll(async () => {
  stack = await startWholeProject(await engineForTests(LANGUAGES));
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => stack.dispose());

it("is imported from an existing project, every type that can be, and shows no difference", async () => {
  const { workspace, projectDir, emulator } = stack;
  // An older service shows no state, and the import says so.
  emulator.control.set("jitAccessShowsState", true);
  expectSuccess(await workspace.up());
  const { deployment } = await workspace.exportStack();
  const made = (deployment.resources ?? []).filter(({ type }) => type.startsWith("management:index:"));
  expect(made).toHaveLength(Object.keys(wholeProject.declares).length);
  const importable = made.filter(({ type }) => resourceByType(kindOf(type)).importId.refusal === undefined);
  const resources = importable.map(({ type, urn, id = "", inputs = {} }) => {
    const isPart = resourceByType(kindOf(type)).importId.format.includes("/");
    const usual = isPart ? `${String(inputs["projectRef"] ?? inputs["organizationSlug"])}/${id}` : id;
    const importId = sampleOf(kindOf(type)).importId?.(inputs) ?? usual;
    return { type, name: urn.split("::").at(-1), id: importId };
  });
  const file = join(projectDir, "resources.json");
  const program = join(projectDir, "imported.yaml");
  writeFileSync(file, JSON.stringify({ resources }));

  await workspace.stackInit("imported");
  await configureWholeProject(stack);
  const imported = await workspace.importFile(file, program);
  const output = imported.stdout + imported.stderr;
  expect(output).not.toContain("failed to validate");
  if (imported.exitCode !== 0) throw new Error(output);

  const written = readFileSync(program, "utf8");
  expect(written).toContain("Deno.serve");
  stack.rewrite(written);
  emulator.control.clearCalls();
  const preview = await workspace.preview({ extraArgs: ["--diff"] });
  expectSuccess(preview);
  expect({ text: outputOf(preview), ...preview.summary }).toMatchObject({
    create: 0,
    update: 0,
    replace: 0,
    delete: 0,
    same: importable.length + 1,
  });
  expectSuccess(await workspace.up());
  expectSuccess(await workspace.refresh());
  const refreshed = await workspace.preview();
  expect({ text: outputOf(refreshed), ...refreshed.summary }).toMatchObject({
    ...{ create: 0, update: 0, replace: 0, delete: 0 },
    same: importable.length + 1,
  });
  for (const secret of importable.filter(({ type }) => kindOf(type) === "Secret")) {
    const ref = String(secret.inputs?.["projectRef"]);
    const names = emulator.control.call("listSecrets", { ref }).map(({ name }) => name);
    expect(names).toContain(secret.inputs?.["name"]);
  }
});

function kindOf(type: string): string {
  return type.split(":")[2] ?? "";
}
