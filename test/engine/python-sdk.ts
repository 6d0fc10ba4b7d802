import { delimiter, dirname, join } from "node:path";
import type { Environment } from "../../tools/engine/engine";
import { providePython, type PythonEnvironment, withPython } from "../../tools/engine/python-environment";
import { type ProcessResult, runProcess } from "../../tools/engine/run-process";
import { type Example, generateBeside, LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

/** Python, and the SDK that is generated beside an example. */
export interface PythonSdk {
  /** The SDK's folder. */
  readonly sdk: string;
  run(args: readonly string[], env?: Environment): Promise<ProcessResult>;
  /** Installs the SDK; returns what a program needs of the environment. */
  install(): Promise<Environment>;
}

export async function preparePythonSdk(example: Example): Promise<PythonSdk> {
  const python: PythonEnvironment = await providePython({
    log: (line) => process.stderr.write(`python: ${line}\n`),
  });
  const sdk = await generateBeside(example, "python");
  const run = (args: readonly string[], env: Environment = {}): Promise<ProcessResult> =>
    runProcess(python.python, args, {
      cwd: example.root,
      env: { ...process.env, PYTHONHOME: undefined, ...env },
      timeoutMs: PROVISIONING_TIMEOUT_MS,
    });
  return {
    sdk,
    run,
    async install() {
      const packages = join(example.root, "site-packages");
      // As in its requirements.txt; what the SDK itself needs is in the virtual environment already.
      const flags = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"];
      const installed = await run(["-m", "pip", "install", ...flags, "--target", packages, sdk]);
      expect(installed).toMatchObject({ exitCode: 0 });
      const { binDir } = await engineForTests(LANGUAGES);
      const path = [binDir, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
      return withPython({ PATH: path, PYTHONPATH: packages }, python);
    },
  };
}
