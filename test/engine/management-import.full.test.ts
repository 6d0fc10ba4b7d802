import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator";
import { providePython } from "../../tools/engine/python-environment";
import { runProcess } from "../../tools/engine/run-process";
import { generateSdk } from "../../tools/sdk/generate-sdk";
import { findPackageRoot } from "../../tools/engine/package-root";
import {
  growCompanyProject,
  growProject,
  MAIL_PASSWORD,
  PAYMENT_TOKEN,
} from "../../tools/engine/grown-project";
import { block, stateText } from "../import/sources/state";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { startImportCommand, type ImportCommand } from "./import-command";

let command: ImportCommand;
let folder: string;
let emulator: Emulator;
let ref: string;
beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);
beforeEach(async () => {
  command = await startImportCommand();
  ({ folder, emulator } = command);
  ref = growProject(emulator);
  writeFileSync(join(folder, "secrets.env"), `PAYMENT_TOKEN=${PAYMENT_TOKEN}\nMAIL_PASSWORD=another\n`);
});
afterEach(() => command.dispose());

/** The packages of this repository in the program's folder, so that nothing is installed. */
function programFolder(): string {
  const out = join(folder, "program");
  const modules = join(out, "node_modules");
  mkdirSync(join(modules, "@pulumi"), { recursive: true });
  const root = findPackageRoot();
  symlinkSync(root, join(modules, "pulumi-management"));
  symlinkSync(join(root, "node_modules", "@pulumi", "pulumi"), join(modules, "@pulumi", "pulumi"));
  symlinkSync(join(root, "node_modules", "typescript"), join(modules, "typescript"));
  symlinkSync(join(root, "node_modules", "@types"), join(modules, "@types"));
  return out;
}

async function importInto(
  out: string,
  language: string,
  ...more: string[]
): Promise<{ code: number; text: string }> {
  const options = ["--project", ref, "--out", out, "--language", language];
  const { code, text } = await command.run([...options, "--dotenv", join(folder, "secrets.env"), ...more]);
  if (code !== 0) process.stderr.write(text);
  return { code, text };
}

/** What was written, but for packages. */
function written(folderOf: string): string {
  return readdirSync(folderOf, { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "sdks", "venv"].includes(name))
    .map((entry) => {
      const path = join(folderOf, entry.name);
      return entry.isDirectory() ? written(path) : readFileSync(path, "utf8");
    })
    .join("\n");
}

/** The SDK and the virtual environment of a program in Python, with the packages of the user's cache. */
async function installPython(out: string): Promise<void> {
  const { python } = await providePython({ log: (line) => process.stderr.write(`python: ${line}\n`) });
  const sdk = join(out, "sdks", "python");
  await generateSdk({
    schemaFile: join(findPackageRoot(), "schema.json"),
    language: "python",
    out: sdk,
    engine: await engineForTests(LANGUAGES),
  });
  const ran = async (program: string, ...args: string[]): Promise<string> => {
    const { exitCode, stdout, lastLines } = await runProcess(program, args, {
      ...{ cwd: out, timeoutMs: PROVISIONING_TIMEOUT_MS },
      env: { ...process.env, PYTHONHOME: undefined, PYTHONPATH: undefined },
    });
    expect({ exitCode, lastLines }).toMatchObject({ exitCode: 0 });
    return stdout.trim();
  };
  const sitePackages = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"];
  await ran(python, "-m", "venv", "--without-pip", "venv");
  const own = await ran(join(out, "venv", "bin", "python"), ...sitePackages);
  writeFileSync(join(own, "cached.pth"), `${await ran(python, ...sitePackages)}\n`);
  const flags = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"];
  await ran(python, "-m", "pip", "install", ...flags, "--target", own, sdk);
  // The host that the tests build is of a generation that does not read the option `virtualenv`.
  const { env } = command;
  command.env = { ...env, PATH: [join(out, "venv", "bin"), env["PATH"]].join(delimiter) };
}

/** A type checker finds nothing in a program in Python. */
async function expectTyped(out: string): Promise<void> {
  const { python } = await providePython();
  const settings = join(findPackageRoot(), "test", "engine", "fixtures", "mypy.ini");
  const flags = ["--config-file", settings, "--cache-dir", join(folder, "mypy")];
  const { stdout } = await runProcess(python, ["-m", "mypy", ...flags, "__main__.py"], {
    ...{ cwd: out, timeoutMs: PROVISIONING_TIMEOUT_MS },
    env: { ...process.env, PYTHONHOME: undefined, MYPYPATH: join(out, "sdks", "python") },
  });
  expect(stdout).toBe("Success: no issues found in 1 source file\n");
}

describe.each(["yaml", "typescript", "python"])("management-import, in %s", (language) => {
  it("brings a grown project under a program that changes nothing, and adds what is new later", async () => {
    const out = programFolder();
    if (language === "python") await installPython(out);
    const isRead = emulator.control;
    isRead.clearCalls();
    const first = await importInto(out, language);
    expect(first).toMatchObject({
      code: 0,
      text: expect.stringContaining("of which 0 were writes") as unknown,
    });
    const everything = written(out) + first.text;
    for (const secret of [PAYMENT_TOKEN, MAIL_PASSWORD, "secret-of-the-provider", emulator.accessToken])
      expect(everything).not.toContain(secret);

    emulator.control.call("createApiKey", { ref, body: { type: "secret", name: "reports" } });
    const second = await importInto(out, language);
    expect(second).toMatchObject({ code: 0, text: expect.stringContaining("1 new") as unknown });
  });
});

it.each(["yaml", "typescript", "python"])(
  "takes over what Terraform manages, and shows no change, in %s",
  async (language) => {
    const out = programFolder();
    if (language === "python") await installPython(out);
    const auth = JSON.stringify({ site_url: "https://old.example.com", jwt_exp: 3600 });
    const secrets = [{ name: "PAYMENT_TOKEN", value: PAYMENT_TOKEN }];
    const timeouts = { create: "30m", update: "90s" };
    const state = join(folder, "state.json");
    const blocks = [
      block("project", { id: ref, name: "shop", organization_id: "acme", region: "eu-central-1", timeouts }),
      block("settings", { id: ref, project_ref: ref, auth, timeouts }),
      block("edge_function_secrets", { project_ref: ref, secrets }),
    ];
    writeFileSync(state, stateText(blocks));
    const { code, text } = await importInto(out, language, "--from-terraform", state);
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain("3 new");
    expect(text).toContain("state rm \\\n  'svc_project.main' \\\n  'svc_settings.main'");
    expect(text).not.toContain(PAYMENT_TOKEN);
  },
);

it.each(["yaml", "typescript"])(
  "takes sets of functions and secrets, and shows no change, in %s",
  async (language) => {
    const out = programFolder();
    const first = await importInto(out, language, "--choose", "FunctionSet", "SecretSet");
    expect(first).toMatchObject({
      code: 0,
      text: expect.stringContaining("of which 0 were writes") as unknown,
    });
    const program = written(out);
    expect(program).toMatch(/FunctionSet/);
    expect(program).toMatch(/SecretSet/);
    for (const secret of [PAYMENT_TOKEN, MAIL_PASSWORD]) expect(program + first.text).not.toContain(secret);

    const source = {
      name: "index.ts",
      content: new TextEncoder().encode("Deno.serve(() => new Response());\n"),
    };
    emulator.control.call("deployFunction", {
      ref,
      slug: "later",
      body: { file: [source], metadata: { entrypoint_path: "index.ts" } },
    });
    emulator.control.call("createSecrets", {
      ref,
      body: [{ name: "LATER", value: "value-of-the-later-secret" }],
    });
    const second = await importInto(out, language);
    expect(second).toMatchObject({ code: 0, text: expect.stringContaining("1 new") as unknown });
  },
);

it.each([
  ["typescript", ".ts"],
  ["python", ".py"],
])("brings a company's whole project under a program of several files, in %s", async (language, ending) => {
  ref = await growCompanyProject(emulator);
  const out = programFolder();
  if (language === "python") await installPython(out);
  const { code, text } = await importInto(out, language);
  expect({ code, text }).toMatchObject({ code: 0 });
  expect(text).toContain("34 new");
  expect(text).toContain("of which 0 were writes");
  expect(readdirSync(join(out, "migrations"))).toHaveLength(20);
  if (language === "python") await expectTyped(out);
  const ofDatabase = (): string => readFileSync(join(out, `database${ending}`), "utf8");
  const ofAuth = (): string => readFileSync(join(out, `auth${ending}`), "utf8");
  expect(ofDatabase()).toMatch(/directory[:=] ?"migrations"/);

  emulator.control.call("createApiKey", { ref, body: { type: "secret", name: "exports" } });
  const before = ofAuth();
  const second = await importInto(out, language);
  expect(second).toMatchObject({ code: 0, text: expect.stringContaining("1 new") as unknown });
  const added = ofAuth().slice(before.length);
  expect(added).toMatch(/^\n(new )?management\.ApiKey\(\s*"exports",/);
  expect(added).not.toContain(ref);
});

it("creates the virtual environment of a program in Python and installs its packages", async () => {
  const out = programFolder();
  const sdk = join(folder, "generated");
  await generateSdk({
    schemaFile: join(findPackageRoot(), "schema.json"),
    ...{ language: "python", out: sdk, engine: await engineForTests(LANGUAGES) },
  });
  // The host that the tests build is of a generation that does not generate, and does not read the option `virtualenv`.
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const generating = `[ "$1 $2" = "package gen-sdk" ] && mkdir -p "$7" && exec cp -R '${sdk}' "$7/python"`;
  const { binDir } = await engineForTests(LANGUAGES);
  writeFileSync(join(bin, "pulumi"), `#!/bin/sh\n${generating}\nexec '${join(binDir, "pulumi")}' "$@"\n`, {
    mode: 0o755,
  });
  command.env = {
    ...command.env,
    PATH: [bin, join(out, "venv", "bin"), command.env["PATH"]].join(delimiter),
  };
  const { code, text } = await importInto(out, "python");
  expect({ code, text }).toMatchObject({ code: 0 });
  for (const step of ["gen-sdk --language python", "python3 -m venv venv", "pip install -r requirements.txt"])
    expect(text).toContain(step);
  expect(text).toContain("The preview shows no change.");
  const listed = await runProcess(join(out, "venv", "bin", "python"), ["-m", "pip", "list"], {
    ...{ cwd: out, timeoutMs: PROVISIONING_TIMEOUT_MS },
  });
  expect(listed.stdout).toMatch(/^pulumi[_-]management /m);
});

it.each([
  ["yaml", "Pulumi.yaml", /protect: true/g, "protect: false"],
  ["typescript", "options.ts", /protect = true/g, "protect = false"],
] as const)(
  "writes a program that is destroyed without a refused write, in %s",
  async (language, file, protecting, released) => {
    ref = await growCompanyProject(emulator);
    const { control } = emulator;
    control.call("applyAddon", { ref, body: { addon_type: "pitr", addon_variant: "pitr_7" } });
    control.call("setUpReadReplica", { ref, body: { read_replica_region: "eu-west-1" } });
    const out = programFolder();
    expect(await importInto(out, language)).toMatchObject({ code: 0 });
    const edit = (name: string, what: RegExp, into: string): void => {
      const path = join(out, name);
      const before = readFileSync(path, "utf8");
      writeFileSync(path, before.replaceAll(what, into));
      expect(readFileSync(path, "utf8")).not.toBe(before);
    };
    edit(file, protecting, released);
    if (language === "yaml")
      edit(file, /^( +)(organizationSlug: .*)$/gm, "$1$2\n$1deletionProtection: false");
    else edit("project.ts", /(organizationSlug: [^,]*,)/g, "$1 deletionProtection: false,");
    const pulumi = async (...args: string[]): Promise<void> => {
      const { exitCode, lastLines } = await runProcess("pulumi", [...args, "--non-interactive"], {
        ...{ cwd: out, timeoutMs: PROVISIONING_TIMEOUT_MS, env: command.env },
      });
      expect({ args, exitCode, lastLines }).toMatchObject({ exitCode: 0 });
    };
    await pulumi("up", "--yes", "--skip-preview", "--stack", "production");
    control.clearCalls();
    await pulumi("destroy", "--yes", "--skip-preview", "--stack", "production");
    const refused = control.calls().filter(({ method, status }) => method !== "GET" && status >= 400);
    expect(refused.map(({ operation, status }) => `${operation} ${status}`)).toEqual([]);
    expect(control.call("listProjects", {}).map((project) => project.ref)).not.toContain(ref);
  },
);

it.each(["yaml", "typescript"])(
  "goes on after a run that wrote the program and imported nothing, in %s",
  async (language) => {
    const out = programFolder();
    expect(await importInto(out, language, "--no-import")).toMatchObject({ code: 0 });
    const before = written(out);
    const { code, text } = await importInto(out, language);
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toContain("0 new");
    expect(text).toContain("The preview shows no change.");
    const main = language === "yaml" ? "Pulumi.yaml" : "index.ts";
    expect(before).toContain(readFileSync(join(out, main), "utf8"));
  },
);

it("previews what a configuration file declares otherwise than the service has it, and nothing else", async () => {
  const file = join(folder, "config.toml");
  writeFileSync(file, '[auth]\nsite_url = "https://shop.example.com"\njwt_expiry = 7200\n');
  const { code, text } = await importInto(programFolder(), "yaml", "--from-config", file);
  expect(code).toBe(1);
  expect(text).toMatch(/~ ?jwtExp *: 3600 => 7200/);
  expect(text).toMatch(/~ 1 to update/);
  expect(text).toContain("of which 0 were writes");
});
