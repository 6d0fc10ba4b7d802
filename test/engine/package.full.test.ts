import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { writeFiles } from "../../previews/init/init";
import { VERSION } from "../../provider/core/version.generated";
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

const OF_THE_EMULATOR = /^(?:management-emulator|@electric-sql|@hono|hono|es-module-lexer)\b/;

/** The page, and a query that needs the scripts of a new database and an extension that the package brings along. */
const USE_THE_API = `
const { MANAGEMENT_BASE_URL, MANAGEMENT_ACCESS_TOKEN } = process.env;
const send = async (path, body) => {
  const headers = { authorization: "Bearer " + MANAGEMENT_ACCESS_TOKEN, "content-type": "application/json" };
  const answer = await fetch(MANAGEMENT_BASE_URL + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(answer.status + " " + (await answer.text()));
  return answer.json();
};
const page = (await fetch(MANAGEMENT_BASE_URL)).headers.get("content-type");
const { ref } = await send("/v1/projects", { name: "shop", organization_slug: "acme", db_pass: "a-password", region: "eu-west-1" });
const nearest = await send("/v1/projects/" + ref + "/database/query", {
  query: \`create extension vector with schema extensions;
    create table public.items (id int primary key, at extensions.vector(2));
    insert into public.items values (1, '[0,1]'), (2, '[1,0]');
    select id from public.items order by at operator(extensions.<->) '[1,0]' limit 1\`,
});
console.log(JSON.stringify({ page, nearest }));
`;

const TEST_FILE = `
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { useEmulator } from "management-emulator/testing";
import { ManagementClient } from "pulumi-management/client";

const emulator = useEmulator({}, { beforeAll: before, beforeEach, afterAll: after });

test("the client reaches the emulator of this file", async () => {
  const { MANAGEMENT_BASE_URL: baseUrl, MANAGEMENT_ACCESS_TOKEN: accessToken } = process.env;
  assert.equal(baseUrl, emulator.url);
  const client = new ManagementClient({ baseUrl, accessToken });
  const [organization] = await client.listOrganizations();
  assert.equal(organization.slug, "acme");
  await client.close();
});
`;

describe("the npm packages", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-package-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const run = (command: string, args: readonly string[], cwd: string): string =>
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  const root = findPackageRoot();
  const provider = join(folder, `pulumi-management-${VERSION}.tgz`);
  const emulatorArchive = join(folder, `management-emulator-${VERSION}.tgz`);
  beforeAll(() => {
    const both = ["--workspaces", "--include-workspace-root"];
    run("npm", ["pack", ...both, "--ignore-scripts", "--pack-destination", folder], root);
  });

  /** A folder with a program's manifest, in which the archives are installed without the peer dependency: Pulumi's SDK. */
  const installInto = (name: string, archives: readonly string[]): string => {
    const program = join(folder, name);
    mkdirSync(program);
    writeFileSync(join(program, "package.json"), JSON.stringify({ name, private: true, main: "index.js" }));
    run("npm", ["install", "--legacy-peer-deps", ...QUICKLY, ...archives], program);
    return program;
  };
  /** Every package below a folder of packages, also those that one package has for itself. */
  const packagesIn = (program: string): string[] =>
    globSync("**/node_modules/{@*/*,[!.@]*}", { cwd: program }).map((path) =>
      path.replaceAll("\\", "/").replace("node_modules/", ""),
    );

  it("are the provider without a database or a web server, which runs a program of the dynamic classes", async () => {
    const program = installInto("provider", [provider]);
    const installed = packagesIn(program);
    expect(installed).toEqual(expect.arrayContaining(["pulumi-management", "undici", "zod"]));
    expect(installed.filter((name) => OF_THE_EMULATOR.test(name))).toEqual([]);

    // What the program has of the SDK is used, here the repository's.
    mkdirSync(join(program, "node_modules", "@pulumi"), { recursive: true });
    symlinkSync(
      join(root, "node_modules", "@pulumi", "pulumi"),
      join(program, "node_modules", "@pulumi", "pulumi"),
    );
    writeFileSync(
      join(program, "Pulumi.yaml"),
      "name: shop\nruntime: { name: nodejs, options: { typescript: false } }\n",
    );
    writeFileSync(join(program, "index.js"), `${PROJECT}\nexports.ref = project.ref;`);

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

  it("are the emulator without the provider, with its command, its page and everything of a database", () => {
    const program = installInto("emulator", [emulatorArchive]);
    expect(packagesIn(program)).not.toContain("pulumi-management");
    const npx = (...args: string[]): string =>
      run("npx", ["--no-install", "management-emulator", ...args], program);
    expect(npx("--version").trim()).toBe(VERSION);

    writeFileSync(join(program, "use.mjs"), USE_THE_API);
    const printed = npx("exec", "--pace", "0", "--", process.execPath, "use.mjs");
    expect(JSON.parse(printed)).toEqual({ page: "text/html; charset=utf-8", nearest: [{ id: 2 }] });
  });

  it("are tried together by a test file, with one of each package that both depend on", () => {
    const program = installInto("together", [provider, emulatorArchive]);
    const installed = packagesIn(program);
    expect(installed).toEqual(expect.arrayContaining(["pulumi-management", "management-emulator"]));
    expect(installed.filter((name) => /^(?:pulumi-management|management-emulator)\//.test(name))).toEqual([]);

    writeFileSync(join(program, "index.test.mjs"), TEST_FILE);
    const said = run(process.execPath, ["--test", "--test-reporter=tap"], program);
    expect(said).toMatch(/^# pass 1$/m);
    expect(said).toMatch(/^# fail 0$/m);
  });

  // Without a compiler of its own the program is compiled by the SDK's, of 2020, which its settings mean nothing to.
  it("gives a repository previews that compile with what their own package.json installs", async () => {
    const repository = join(folder, "repository");
    mkdirSync(repository);
    writeFiles({ dir: repository, forge: "github" });
    const preview = join(repository, "preview");
    const manifest = join(preview, "package.json");
    const ofThisPackage = `"pulumi-management": "file:${provider}"`;
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace(/"pulumi-management": ".*"/, ofThisPackage),
    );
    run("npm", ["install", ...QUICKLY], preview);
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
