import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allPrograms } from "../../tools/schema/examples/programs";
import { toPythonName } from "../../import/languages/python-name";
import { packageContents, surface } from "../../tools/schema/package-schema";
import { findPackageRoot } from "../../tools/engine/package-root";
import type { ProcessResult } from "../../tools/engine/run-process";
import { copyExample, type Example, LANGUAGES } from "./example";
import { APP, expectAppStory } from "./app-story";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { preparePythonSdk, type PythonSdk } from "./python-sdk";

let example: Example;
let python: PythonSdk;

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  example = copyExample("quickstart-python", APP, `${APP}-python`, "whole-project-python");
  python = await preparePythonSdk(example);
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => example.dispose());

function typeCheck(...files: string[]): Promise<ProcessResult> {
  const settings = join(findPackageRoot(), "test", "engine", "fixtures", "mypy.ini");
  const flags = ["--config-file", settings, "--cache-dir", join(example.root, "mypy")];
  return python.run(["-m", "mypy", ...flags, ...files], { MYPYPATH: python.sdk });
}

/** Writes programs beside the SDK and returns their paths. */
function writePrograms(programs: Readonly<Record<string, string>>): string[] {
  const folder = join(example.root, "programs");
  mkdirSync(folder, { recursive: true });
  return Object.entries(programs).map(([name, text]) => {
    const path = join(folder, `${name}.py`);
    writeFileSync(path, text);
    return path;
  });
}

const HEAD = "import pulumi_management as management\n";
const PAGES = Object.fromEntries(Object.entries(allPrograms()).map(([name, { python }]) => [name, python]));

test("the generated Python SDK, the quickstart, the application and the whole project pass a type check, and a wrong program does not", async () => {
  const programs = ["quickstart-python", `${APP}-python`, "whole-project-python"].map((name) =>
    join(example.root, "examples", name, "__main__.py"),
  );
  const wrong = `${HEAD}management.PostgresConfig("settings", project_ref="x", max_connections="many")\n`;

  const results = [];
  for (const program of programs)
    results.push(await typeCheck(join(python.sdk, "pulumi_management"), program));
  const refused = await typeCheck(...writePrograms({ wrong }));

  for (const right of results)
    expect(right.lastLines).toEqual([
      expect.stringMatching(/^Success: no issues found in \d+ source files$/),
    ]);
  expect(refused.stdout).toMatch(/wrong\.py:2: error: .*PostgresConfig/);
});

test("regression: what is always there passes a type check as an input of another resource", async () => {
  const piped = `${HEAD}
branch = management.Branch("preview", project_ref="x", name="preview")
key = management.ApiKey("backend", project_ref=branch.ref, type=management.ApiKeyType.SECRET, name="backend")
function = management.EdgeFunction("orders", project_ref=branch.ref, slug="orders", files={"index.ts": ""})
secrets = {"API_KEY": key.api_key, "DATABASE_HOST": branch.host, "FUNCTION_ID": function.function_id}
management.SecretSet("all", project_ref=branch.ref, secrets=secrets)
management.Secret("key", project_ref=branch.ref, name="KEY", value=key.api_key)
`;
  const checked = await typeCheck(...writePrograms({ piped }));
  expect(checked.stdout).toBe("Success: no issues found in 1 source file\n");
});

test("the example of every page of the reference passes a type check, and one with a plain text for a closed enum does not", async () => {
  const plain = PAGES["getSigningKey"]?.replace("management.SigningKeyStatus.IN_USE", '"in_use"') ?? "";

  const right = await typeCheck(...writePrograms(PAGES));
  const refused = await typeCheck(...writePrograms({ plain }));

  expect(right.stdout).toBe(`Success: no issues found in ${Object.keys(PAGES).length} source files\n`);
  expect(refused.stdout).toMatch(/plain\.py:\d+: error: Argument "status" .* has incompatible type "str"/);
});

test("every value of every enum is called as the generator calls it", async () => {
  const members = Object.entries(packageContents(surface).types).flatMap(([token, type]) =>
    "enum" in type
      ? type.enum.map(({ name }) => `${token.split(":")[2] ?? ""}.${toPythonName(name).toUpperCase()}`)
      : [],
  );
  expect(members).toContain("Region.EU_CENTRAL1");
  const lines = members.map((member) => `print(management.${member})\n`).join("");

  const { stdout } = await typeCheck(...writePrograms({ members: HEAD + lines }));

  expect(stdout).toBe("Success: no issues found in 1 source file\n");
});

test("the quickstart in Python makes all nine resources and removes them again", async () => {
  await expectWholeStory(example.projectDir, await python.install());
});

test("an application in Python comes from its folders, and follows them", async () => {
  await expectAppStory(example, `${APP}-python`, {
    env: await python.install(),
    typesFile: "database.types.ts",
  });
});
