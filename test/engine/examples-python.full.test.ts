import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { allPrograms } from "../../tools/schema/examples/programs";
import { toPythonName } from "../../import/languages/python-name";
import { packageContents, surface } from "../../tools/schema/package-schema";
import type { Environment } from "../../tools/engine/engine";
import { findPackageRoot } from "../../tools/engine/package-root";
import { providePython, type PythonEnvironment, withPython } from "../../tools/engine/python-environment";
import { type ProcessResult, runProcess } from "../../tools/engine/run-process";
import { copyExample, type Example, generateBeside, LANGUAGES } from "./example";
import { APP, expectAppStory } from "./app-story";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

let example: Example;
let sdk: string;
let python: PythonEnvironment;

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  python = await providePython({ log: (line) => process.stderr.write(`python: ${line}\n`) });
  example = copyExample("quickstart-python", APP, `${APP}-python`);
  sdk = await generateBeside(example, "python");
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => example.dispose());

function runPython(args: readonly string[], env: Environment = {}): Promise<ProcessResult> {
  return runProcess(python.python, args, {
    cwd: example.root,
    env: { ...process.env, PYTHONHOME: undefined, ...env },
    timeoutMs: PROVISIONING_TIMEOUT_MS,
  });
}

function typeCheck(...files: string[]): Promise<ProcessResult> {
  const settings = join(findPackageRoot(), "test", "engine", "fixtures", "mypy.ini");
  const flags = ["--config-file", settings, "--cache-dir", join(example.root, "mypy")];
  return runPython(["-m", "mypy", ...flags, ...files], { MYPYPATH: sdk });
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

test("the generated Python SDK, the quickstart and the application pass a type check, and a wrong program does not", async () => {
  const programs = [example.projectDir, join(example.root, "examples", `${APP}-python`)].map((folder) =>
    join(folder, "__main__.py"),
  );
  const wrong = `${HEAD}management.PostgresConfig("settings", project_ref="x", max_connections="many")\n`;

  const results = [];
  for (const program of programs) results.push(await typeCheck(join(sdk, "pulumi_management"), program));
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

/** Installs the SDK; returns what a program needs of the environment. */
async function installSdk(): Promise<Environment> {
  const packages = join(example.root, "site-packages");
  // As in its requirements.txt; what the SDK itself needs is in the virtual environment already.
  const flags = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"];
  const installed = await runPython(["-m", "pip", "install", ...flags, "--target", packages, sdk]);
  expect(installed).toMatchObject({ exitCode: 0 });
  const { binDir } = await engineForTests(LANGUAGES);
  const path = [binDir, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);

  return withPython({ PATH: path, PYTHONPATH: packages }, python);
}

test("the quickstart in Python makes all nine resources and removes them again", async () => {
  await expectWholeStory(example.projectDir, await installSdk());
});

test("an application in Python comes from its folders, and follows them", async () => {
  await expectAppStory(example, `${APP}-python`, { env: await installSdk(), typesFile: "database.types.ts" });
});
