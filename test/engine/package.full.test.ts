import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { writeFiles } from "../../previews/init/init";
import { findPackageRoot } from "../../tools/engine/package-root";
import { createWorkspace } from "../../tools/engine/workspace";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT } from "./stack";

beforeAll(() => engineForTests(), PROVISIONING_TIMEOUT_MS);

const DECLARED = {
  parentProjectRef: "abcdefghijklmnopqrst",
  repository: "https://forge.example.com/acme/shop",
  pullRequest: "5",
  gitBranch: "feature/x",
};
const QUICKLY = ["--prefer-offline", "--no-audit", "--no-fund"];

describe("the npm package", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-package-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const npm = (args: string[], cwd: string): string =>
    execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  const root = findPackageRoot();
  let archive = "";
  beforeAll(() => {
    npm(["pack", "--ignore-scripts", "--pack-destination", folder], root);
    archive = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
  });

  it("works when it is installed in another folder, dynamic provider and emulator included", async () => {
    const program = join(folder, "program");
    mkdirSync(program);
    writeFileSync(
      join(program, "package.json"),
      JSON.stringify({ name: "program", private: true, main: "index.js" }),
    );
    writeFileSync(
      join(program, "Pulumi.yaml"),
      "name: shop\nruntime: { name: nodejs, options: { typescript: false } }\n",
    );
    writeFileSync(join(program, "index.js"), `${PROJECT}\nexports.ref = project.ref;`);
    // The SDK is a peer dependency: what the program has is used, here the repository's.
    npm(["install", "--legacy-peer-deps", ...QUICKLY, archive], program);
    mkdirSync(join(program, "node_modules", "@pulumi"), { recursive: true });
    symlinkSync(
      join(root, "node_modules", "@pulumi", "pulumi"),
      join(program, "node_modules", "@pulumi", "pulumi"),
    );

    const help = execFileSync(
      process.execPath,
      [join(program, "node_modules", ".bin", "management-emulator"), "--help"],
      {
        encoding: "utf8",
      },
    );
    expect(help).toContain("--port");

    const emulator = await startEmulator({ pace: 0.01 });
    const workspace = createWorkspace({
      engine: await engineForTests(),
      projectDir: program,
      env: {
        MANAGEMENT_BASE_URL: emulator.url,
        MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
        XDG_STATE_HOME: folder,
      },
    });
    try {
      await workspace.stackInit("test");
      expectSuccess(await workspace.up());
      expect(emulator.control.call("listProjects", {})).toHaveLength(1);
      expectSuccess(await workspace.destroy());
      expect(emulator.control.call("listProjects", {})).toEqual([]);
    } finally {
      await workspace.dispose();
      await emulator.close();
    }
  });

  // Without a compiler of its own the program is compiled by the SDK's, of 2020, which its settings mean nothing to.
  it("gives a repository previews that compile with what their own package.json installs", async () => {
    const repository = join(folder, "repository");
    mkdirSync(repository);
    writeFiles({ dir: repository, forge: "github" });
    const preview = join(repository, "preview");
    const manifest = join(preview, "package.json");
    const ofThisPackage = `"pulumi-management": "file:${archive}"`;
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace(/"pulumi-management": ".*"/, ofThisPackage),
    );
    npm(["install", ...QUICKLY], preview);
    const workspace = createWorkspace({
      engine: await engineForTests(),
      projectDir: preview,
      env: {
        MANAGEMENT_BASE_URL: "http://127.0.0.1:1",
        MANAGEMENT_ACCESS_TOKEN: "pat_of_nobody",
        XDG_STATE_HOME: folder,
      },
    });
    try {
      await workspace.stackInit("pr-5");
      for (const [key, value] of Object.entries(DECLARED)) await workspace.config(key, value);
      const previewed = await workspace.preview();
      expectSuccess(previewed);
      expect(previewed.stdout).toContain("preview-branch");
    } finally {
      await workspace.dispose();
    }
  });
});
