import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { omitValues } from "../../provider/process/engine-log/quiet-debug-log";
import { findPackageRoot } from "../../tools/engine/package-root";
import { createWorkspace } from "../../tools/engine/workspace";
import { debugLinesOf, VALUE_IN_CLEAR } from "../kit/sdk-debug-lines";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT } from "./stack";

const root = findPackageRoot();

/** What the package says that it works with: a range that begins with a version. */
const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const range = peerDependencies["@pulumi/pulumi"] ?? "";
const [, oldest = ""] = /^\^(\d+\.\d+\.\d+)$/.exec(range) ?? [];

const PROGRAM = `${PROJECT}
const key = new management.ApiKey("key", { projectRef, type: "secret", name: "backend" });
new management.Secret("token", { projectRef, name: "TOKEN", value: key.apiKey });
exports.status = management.getProjectOutput({ ref: projectRef }).status;
`;

const TYPED = `
import * as pulumi from "@pulumi/pulumi";
import * as management from "pulumi-management";

const branch = new management.Branch("preview", { projectRef: "abcdefghijklmnopqrst", name: "preview" });
new management.Secret("host", { projectRef: branch.ref, name: "HOST", value: branch.host });
export const shop = management.getProjectOutput({ ref: branch.ref }, { dependsOn: [branch] });
export const key = management.ApiKey.get("key", "abcdefghijklmnopqrst/an-id");
export const text: pulumi.Output<string> = key.apiKey;
`;

describe.each([
  ["oldest", oldest, oldest],
  // npm takes the newest that is published.
  ["newest", range, expect.stringMatching(/^3\.(?:2[5-9]|[3-9])\d\./)],
] as const)("regression: a program with the %s SDK of the peer range", (_which, wanted, version) => {
  const folder = mkdtempSync(join(tmpdir(), "management-sdk-versions-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const npm = (...args: string[]): string =>
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  beforeAll(async () => {
    await engineForTests();
    const packing = ["pack", "--ignore-scripts", "--pack-destination", folder];
    execFileSync("npm", packing, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const archive = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    writeFileSync(join(folder, "package.json"), '{ "name": "program", "private": true, "main": "index.js" }');
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      "name: shop\nruntime: { name: nodejs, options: { typescript: false } }\n",
    );
    writeFileSync(join(folder, "index.js"), PROGRAM);
    writeFileSync(join(folder, "typed.ts"), TYPED);
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts"];
    npm("install", ...flags, `./${archive}`, `@pulumi/pulumi@${wanted}`);
  }, PROVISIONING_TIMEOUT_MS);

  it("logs no value of ours in clear", () => {
    const lines = debugLinesOf(join(folder, "node_modules/@pulumi/pulumi"));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter(({ logged }) => omitValues(logged).includes(VALUE_IN_CLEAR))).toEqual([]);
  });

  it("is installed without a conflict, and creates, refreshes and destroys", async () => {
    const installed = JSON.parse(
      readFileSync(join(folder, "node_modules", "@pulumi", "pulumi", "package.json"), "utf8"),
    ) as { readonly version: string };
    expect(installed.version).toEqual(version);
    const emulator = await startEmulator({ pace: 0.01 });
    const workspace = createWorkspace({
      engine: await engineForTests(),
      projectDir: folder,
      env: {
        MANAGEMENT_BASE_URL: emulator.url,
        MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
        XDG_STATE_HOME: join(folder, "state"),
      },
    });
    try {
      await workspace.stackInit("test");
      expectSuccess(await workspace.up());
      expect(await workspace.outputs()).toMatchObject({ status: "ACTIVE_HEALTHY" });
      expectSuccess(await workspace.refresh());
      const again = await workspace.up();
      expectSuccess(again);
      expect(again.summary.same).toBe(4);
      expectSuccess(await workspace.destroy());
      expect(emulator.control.call("listProjects", {})).toEqual([]);
    } finally {
      await workspace.dispose();
      await emulator.close();
    }
  });

  it("compiles without `skipLibCheck`", () => {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
    const modules = ["--module", "node16", "--target", "es2022", "--strict", "--noEmit"];
    const said = execFileSync(process.execPath, [tsc, ...modules, ...types, "typed.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(said).toBe("");
  });
});
