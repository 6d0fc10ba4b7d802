import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, PLUGIN_FOLDER, startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf } from "./stack";

const PLUGIN = join(PLUGIN_FOLDER, "pulumi-resource-management");
const PATH_ENTRY = { name: "management", path: PLUGIN_FOLDER };
const SCHEMA = readFileSync(join(findPackageRoot(), "schema.json"), "utf8");
const { version } = JSON.parse(SCHEMA) as { version: string };

const resources = {
  app: declare("Project", {
    name: "shop",
    organizationSlug: "acme",
    dbPass: "db-password-of-the-test",
    region: "eu-central-1",
  }),
};

describe("the plugin", () => {
  let stack: YamlStack;
  beforeAll(async () => {
    stack = await startYamlStack({ resources });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => stack.dispose());

  const projectFile = (): string => join(stack.projectDir, "Pulumi.yaml");
  /** Writes a project that says nothing of plugins but what is given here. */
  const writeProject = (more: object = {}): void =>
    writeFileSync(projectFile(), JSON.stringify({ name: "shop", runtime: "yaml", ...more, resources }));
  const pathWith = (folder: string): { PATH: string } => ({
    PATH: [folder, stack.workspace.env["PATH"] ?? ""].join(delimiter),
  });
  const expectPreview = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    const preview = await stack.workspace.preview({ env });
    expectSuccess(preview);
    expect(preview.summary).toMatchObject({ create: 2 });
    expect(stack.emulator.control.countCalls()).toBe(0);
  };
  const expectNotFound = async (): Promise<void> => {
    const preview = await stack.workspace.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(outputOf(preview)).toContain("no resource plugin 'pulumi-resource-management' found");
  };

  it("is found by its folder in the project, absolute or relative", async () => {
    writeProject();
    await expectNotFound();
    writeProject({ plugins: { providers: [PATH_ENTRY] } });
    await expectPreview();
    const folder = join(stack.projectDir, "node_modules", "plugin");
    mkdirSync(folder, { recursive: true });
    cpSync(PLUGIN_FOLDER, folder, { recursive: true });
    writeProject({ plugins: { providers: [{ ...PATH_ENTRY, path: "node_modules/plugin" }] } });
    await expectPreview();
  });

  it("is found on PATH by a project that says nothing of plugins", async () => {
    writeProject();
    await expectPreview(pathWith(PLUGIN_FOLDER));
  });

  it("is a package that `pulumi package add` takes from its file, found then where plugins are", async () => {
    const { workspace } = stack;
    writeFileSync(projectFile(), "name: shop\nruntime: yaml\n");
    const added = await workspace.run(["package", "add", PLUGIN]);
    expect({ output: added.stdout + added.stderr, exitCode: added.exitCode }).toMatchObject({ exitCode: 0 });
    const project = readFileSync(projectFile(), "utf8");
    expect(project).toContain(`packages:\n  management: management@${version}\n`);

    // The engine keeps the name and the version, not the place.
    const packages = { management: `management@${version}` };
    writeProject({ packages });
    await expectNotFound();
    await expectPreview(pathWith(PLUGIN_FOLDER));
    writeProject({ packages, plugins: { providers: [PATH_ENTRY] } });
    await expectPreview();
    writeProject({ packages });
    const install = ["plugin", "install", "resource", "management", version, "--file", PLUGIN_FOLDER];
    expect((await workspace.run(install)).exitCode).toBe(0);
    await expectPreview();
    const installed = join(workspace.env["PULUMI_HOME"] ?? "", "plugins");
    rmSync(installed, { recursive: true });
  });

  it("tells the schema of this repository, and nothing else", async () => {
    const { exitCode, stdout } = await stack.workspace.run(["package", "get-schema", PLUGIN]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toStrictEqual(JSON.parse(SCHEMA));
  });

  it.each(oldNodes())("says what it needs where %s", async (_what, writeNode) => {
    const folder = join(stack.projectDir, "old-node");
    mkdirSync(folder, { recursive: true });
    writeNode(folder);
    chmodSync(join(folder, "node"), 0o755);
    writeProject({ plugins: { providers: [PATH_ENTRY] } });
    const preview = await stack.workspace.preview({ env: pathWith(folder) });
    expect(preview.exitCode).not.toBe(0);
    expect(outputOf(preview)).toMatch(
      /pulumi-resource-management needs Node\.js 22\.19 or later on PATH; this is v20\.\d+\.\d+\./,
    );
    expect(outputOf(preview)).not.toContain("SyntaxError");
  });
});

it.each(
  oldNodes().flatMap(([what, write]) =>
    [".", "./client", "./dynamic"].map((entry) => ({ what, write, entry })),
  ),
)("the package's entry $entry says what it needs where $what", ({ write, entry }) => {
  const folder = mkdtempSync(join(tmpdir(), "old-node-"));
  write(folder);
  chmodSync(join(folder, "node"), 0o755);
  const program = `require("pulumi-management${entry.slice(1)}")`;
  const { status, stderr } = spawnSync(join(folder, "node"), ["-e", program], {
    cwd: findPackageRoot(),
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /Error: This program needs Node\.js 22\.19 or later; it runs with v20\.\d+\.\d+\. Install a later version/,
  );
});

type WriteNode = (folder: string) => void;

/** Node.js that calls itself an old one; and the machine's own where that is old, which knows an old language too. */
function oldNodes(): [what: string, write: WriteNode][] {
  const pretending: WriteNode = (folder) => {
    const preload = join(folder, "pretend.js");
    const versions = "{ ...process.versions, node: '20.1.0' }";
    writeFileSync(
      preload,
      `Object.defineProperty(process, "versions", { value: ${versions} });` +
        `Object.defineProperty(process, "version", { value: "v20.1.0" });`,
    );
    writeFileSync(
      join(folder, "node"),
      `#!/bin/sh\nexec "${process.execPath}" --require "${preload}" "$@"\n`,
    );
  };
  const own = machineNode();
  const real: WriteNode = (folder) => writeFileSync(join(folder, "node"), `#!/bin/sh\nexec "${own}" "$@"\n`);
  return [
    ["Node.js is said to be old", pretending],
    ...(own === undefined ? [] : [["Node.js is old", real] as [string, WriteNode]]),
  ];
}

function machineNode(): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((path) => existsSync(path) && dirname(path) !== dirname(process.execPath))
    .find((path) => execFileSync(path, ["--version"], { encoding: "utf8" }).startsWith("v20."));
}
