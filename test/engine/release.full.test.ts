import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { VERSION } from "../../provider/core/version.generated";
import { writePluginArchive } from "../../tools/release/plugin-archive";
import { LANGUAGES } from "./example";
import { serveFiles } from "./file-server";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack, type YamlStack } from "./plugin-stack";
import { expectSuccess, outputOf } from "./stack";

const INSTALL = ["plugin", "install", "resource", "management", VERSION];

const resources = {
  app: declare("Project", {
    name: "shop",
    organizationSlug: "acme",
    dbPass: "db-password-of-the-test",
    region: "eu-central-1",
  }),
};

describe("the plugin's archive", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-release-"));
  let stack: YamlStack;
  let archive: string;
  /** The engine alone: neither Node.js nor anything else of this machine. */
  let withoutNode: { PATH: string };

  beforeAll(async () => {
    archive = join(folder, (await writePluginArchive(folder, VERSION)).name);
    withoutNode = { PATH: (await engineForTests(LANGUAGES)).binDir };
  }, PROVISIONING_TIMEOUT_MS);
  beforeEach(async () => {
    stack = await startYamlStack({ resources }, { plugins: {}, env: withoutNode });
  });
  afterEach(() => stack.dispose());
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const install = async (source: readonly string[]): Promise<void> => {
    const { exitCode, stdout, stderr } = await stack.workspace.run([...INSTALL, ...source]);
    expect({ output: stdout + stderr, exitCode }).toMatchObject({ exitCode: 0 });
  };
  const expectToWork = async ({ workspace, emulator }: YamlStack = stack): Promise<void> => {
    expectSuccess(await workspace.up());
    const [project] = emulator.control.call("listProjects", {});
    expect(project).toMatchObject({ name: "shop" });
    const same = await workspace.up();
    expect(same.summary).toMatchObject({ create: 0, update: 0, same: 2 });
    expectSuccess(await workspace.destroy());
    expect(emulator.control.call("listProjects", {})).toEqual([]);
  };

  it("is not needed where the plugin is found without it, so this machine has none", async () => {
    expect(spawnSync("node", ["--version"], { env: withoutNode }).error).toMatchObject({ code: "ENOENT" });
    const preview = await stack.workspace.preview();
    expect(outputOf(preview)).toContain("no resource plugin 'pulumi-resource-management' found");
  });

  it("is installed from its file and runs a stack without Node.js", async () => {
    await install(["--file", archive]);
    await expectToWork();
  });

  /** Serves the folder with the archive while `use` runs; answers with the paths that were asked for. */
  const whileServed = async (use: (address: string) => Promise<void>): Promise<readonly string[]> => {
    const server = await serveFiles(folder);
    try {
      await use(server.address);
    } finally {
      server.close();
    }
    return server.asked;
  };

  it("is installed from a file server by the name that the engine asks for, and runs a stack without Node.js", async () => {
    const asked = await whileServed(async (address) => {
      await install(["--server", address]);
      await expectToWork();
    });
    expect(asked).toEqual([`/plugins/${basename(archive)}`]);
  });

  it("is downloaded by the engine itself for a program that names the address, and runs it without Node.js", async () => {
    const asked = await whileServed(async (pluginDownloadURL) => {
      const app = { ...resources.app, options: { version: VERSION, pluginDownloadURL } };
      const downloading = await startYamlStack(
        { resources: { app } },
        { plugins: {}, env: { ...withoutNode, PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" } },
      );
      try {
        await expectToWork(downloading);
      } finally {
        await downloading.dispose();
      }
    });
    expect(asked).toEqual([`/plugins/${basename(archive)}`]);
  });

  it("is the same archive whenever it is made", async () => {
    const again = mkdtempSync(join(folder, "again-"));
    const { name } = await writePluginArchive(again, VERSION);
    expect(name).toBe(basename(archive));
    expect(readFileSync(archive).equals(readFileSync(join(again, name)))).toBe(true);
  });
});
