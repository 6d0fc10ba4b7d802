import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { PYTHON_SDK, VIRTUAL_ENVIRONMENT } from "./documents";
import type { Importing } from "./import-into-stack";
import { choosePython } from "./preconditions";
import { requireExitZero, runTool } from "./pulumi";

/** What packages and their scripts are not given: the token, the state's passphrase, and the keys of where states are. */
const NOT_FOR_PACKAGES = /^(?:MANAGEMENT|PULUMI|AWS|AZURE|ARM|GOOGLE|CLOUDSDK|VAULT)_/i;

/** The environment in which packages are installed; tokens of registries stay, as a `.npmrc` may name them. */
function installEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_PACKAGES.test(name)));
}

export async function installPackages(importing: Importing): Promise<void> {
  const { out, options } = importing;
  const env = installEnvironment(importing.env);
  if (!existsSync(join(out, "node_modules", "pulumi-management"))) {
    options.say("npm install");
    await requireExitZero(
      runTool("npm", ["install", "--no-audit", "--no-fund"], { cwd: out, env }),
      "npm install",
    );
  }
  if (options.language === "python") await installForPython(importing, env);
}

/** Installs the SDK, which was generated before anything was read, into a virtual environment, as the program's README says. */
async function installForPython(
  { out, scratch, options: { say } }: Importing,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (!existsSync(join(out, PYTHON_SDK)))
    cpSync(join(scratch, PYTHON_SDK), join(out, PYTHON_SDK), { recursive: true });
  if (existsSync(join(out, VIRTUAL_ENVIRONMENT))) return;
  const ofEnvironment = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  const python = join(out, VIRTUAL_ENVIRONMENT, ...ofEnvironment);
  say(`python3 -m venv ${VIRTUAL_ENVIRONMENT}`);
  await requireExitZero(
    runTool(choosePython(), ["-m", "venv", VIRTUAL_ENVIRONMENT], { cwd: out, env }),
    "python3 -m venv",
  );
  say("pip install -r requirements.txt");
  await requireExitZero(
    runTool(python, ["-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"], {
      ...{ cwd: out, env },
    }),
    "pip install",
  );
}
