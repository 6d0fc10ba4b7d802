import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allResources } from "../../provider/catalog/catalog";
import { componentDefinitions as components } from "../../provider/components/components";
import { findPackageRoot } from "../../tools/engine/package-root";
import { runProcess } from "../../tools/engine/run-process";
import { examples } from "../../tools/schema/examples/examples.generated";
import { packageSchema, surface } from "../../tools/schema/package-schema";
import { registrySchema } from "../../tools/schema/registry-schema";
import { compileNodejsSdk } from "../../tools/sdk/generate-sdk";
import { linkNodejsSdk } from "../../tools/sdk/generate-sdk";
import { manifest } from "../tools/schema/toy-surface";
import { copyExample, type Example, generateBeside, LANGUAGES, linkPackages } from "./example";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectPolicy } from "./policy-pack";

let example: Example;
let compiled: string;

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  example = copyExample("quickstart-sdk");
  linkPackages(example);
  const sdk = await generateBeside(example, "nodejs");
  compiled = await compileNodejsSdk(sdk);
  linkNodejsSdk(compiled, example.projectDir);
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

test("the example of every resource and function in the schema for a registry compiles with the generated SDK", async () => {
  const { resources, functions } = registrySchema(packageSchema(manifest, surface), examples);
  const folder = join(example.projectDir, "described");
  mkdirSync(folder);
  const programs = Object.entries({ ...resources, ...functions }).map(([token, { description }]) => {
    const [, text = ""] = /^```typescript\n(.*?)^```$/ms.exec(description) ?? [];
    const file = join(folder, `${token.split(":").at(-1)}.ts`);
    writeFileSync(file, text);
    return { file, text };
  });
  const compiler = join(findPackageRoot(), "node_modules", "typescript", "bin", "tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--types", "node"];
  const modules = ["--module", "node16", "--moduleResolution", "node16"];
  const { lastLines } = await runProcess(
    process.execPath,
    [compiler, ...flags, ...modules, ...programs.map(({ file }) => file)],
    { cwd: example.projectDir, timeoutMs: PROVISIONING_TIMEOUT_MS },
  );

  expect(lastLines).toEqual([]);
  expect(programs.filter(({ text }) => !text.includes('from "pulumi-management-sdk"'))).toEqual([]);
});

test("a policy for a class of the generated TypeScript SDK applies to what the plugin makes", async () => {
  const types = [...allResources(), ...components].map(({ type }) => type);
  const program = `const sdk = require("pulumi-management-sdk");
    const applies = ${JSON.stringify(types)}.filter((type) => {
      const { __pulumiType, isInstance } = sdk[type];
      return __pulumiType === "management:index:" + type && isInstance({ __pulumiType });
    });
    console.log(JSON.stringify(applies));`;

  const { stdout } = await runProcess(process.execPath, ["-e", program], {
    cwd: example.projectDir,
    timeoutMs: PROVISIONING_TIMEOUT_MS,
  });

  expect(JSON.parse(stdout)).toEqual(types);
});

test.each([
  ["secret", "stops"],
  ["publishable", "passes"],
] as const)("a mandatory policy for the generated class, with a %s key: it %s", async (type, verdict) => {
  const key = declare("ApiKey", { projectRef: "abcdefghijklmnopqrst", type, name: "backend" });
  const stack = await startYamlStack({ resources: { key } });
  try {
    linkNodejsSdk(compiled, stack.projectDir);
    await expectPolicy(stack, "pulumi-management-sdk", verdict);
  } finally {
    await stack.dispose();
  }
});

test("the quickstart with the generated TypeScript SDK makes all nine resources and removes them again", async () => {
  await expectWholeStory(example.projectDir);
});
