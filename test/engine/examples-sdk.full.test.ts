import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { runProcess } from "../../tools/engine/run-process";
import { compileNodejsSdk } from "../../tools/sdk/compile-nodejs";
import { linkNodejsSdk } from "../../tools/sdk/link-nodejs";
import { copyExample, type Example, generateBeside, LANGUAGES, linkPackages } from "./example";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

let example: Example;

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  example = copyExample("quickstart-sdk");
  linkPackages(example);
  const sdk = await generateBeside(example, "nodejs");
  linkNodejsSdk(await compileNodejsSdk(sdk), example.projectDir);
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => example.dispose());

test("the quickstart compiles with the generated TypeScript SDK", async () => {
  const compiler = join(findPackageRoot(), "node_modules", "typescript", "bin", "tsc");

  const { lastLines } = await runProcess(process.execPath, [compiler, "-p", example.projectDir], {
    timeoutMs: PROVISIONING_TIMEOUT_MS,
  });

  expect(lastLines).toEqual([]);
  expect(existsSync(join(example.projectDir, "index.js"))).toBe(false);
});

test("the quickstart with the generated TypeScript SDK makes all nine resources and removes them again", async () => {
  await expectWholeStory(example.projectDir);
});
