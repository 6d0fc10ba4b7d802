import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Environment } from "../../tools/engine/engine";
import { findPackageRoot } from "../../tools/engine/package-root";
import { providePython, type PythonEnvironment, withPython } from "../../tools/engine/python-environment";
import { type ProcessResult, runProcess } from "../../tools/engine/run-process";
import { copyExample, type Example, generateBeside, LANGUAGES } from "./example";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

let example: Example;
let sdk: string;
let python: PythonEnvironment;

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  python = await providePython({ log: (line) => process.stderr.write(`python: ${line}\n`) });
  example = copyExample("quickstart-python");
  sdk = await generateBeside(example, "python");
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => example.dispose());

function runPython(args: readonly string[], env: Environment = {}): Promise<ProcessResult> {
  return runProcess(python.python, args, {
    cwd: example.root,
    env: { ...process.env, PYTHONHOME: undefined, ...env },
    timeoutMs: 120_000,
  });
}

function typeCheck(...files: string[]): Promise<ProcessResult> {
  const settings = join(findPackageRoot(), "test", "engine", "fixtures", "mypy.ini");
  const flags = ["--config-file", settings, "--cache-dir", join(example.root, "mypy")];
  return runPython(["-m", "mypy", ...flags, ...files], { MYPYPATH: sdk });
}

test("the generated Python SDK and the quickstart pass a type check, and a wrong program does not", async () => {
  const program = join(example.projectDir, "__main__.py");
  const wrong = join(example.root, "wrong.py");
  writeFileSync(
    wrong,
    'import pulumi_management as management\nmanagement.PostgresConfig("settings", project_ref="x", max_connections="many")\n',
  );

  const right = await typeCheck(join(sdk, "pulumi_management"), program);
  const refused = await typeCheck(wrong);

  expect(right.lastLines).toEqual([expect.stringMatching(/^Success: no issues found in \d\d source files$/)]);
  expect(refused.stdout).toMatch(/wrong\.py:2: error: .*PostgresConfig/);
}, 180_000);

test("the quickstart in Python makes all nine resources and removes them again", async () => {
  const packages = join(example.root, "site-packages");
  // As in its requirements.txt; what the SDK itself needs is in the virtual environment already.
  const flags = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"];
  const installed = await runPython(["-m", "pip", "install", ...flags, "--target", packages, sdk]);
  expect(installed).toMatchObject({ exitCode: 0 });
  const { binDir } = await engineForTests(LANGUAGES);
  const path = [binDir, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);

  await expectWholeStory(example.projectDir, withPython({ PATH: path, PYTHONPATH: packages }, python));
}, 240_000);
