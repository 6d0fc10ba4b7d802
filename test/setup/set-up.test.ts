import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { requireBuild } from "./require-build";

const root = findPackageRoot();
/** Jest's own configuration, which has no types. */
const config = createRequire(__filename)("../../jest.config.js") as { readonly projects: readonly object[] };
const FIXTURE = "test/setup/fixtures/wrong-assertion.ts";
const FIXTURE_GLOB = `<rootDir>/${FIXTURE}`;

it("names the line of a failed assertion, in both projects", () => {
  const lines = readFileSync(join(root, FIXTURE), "utf8").split("\n");
  const wrong = lines.findIndex((line) => line.includes("expect(")) + 1;
  const projects = config.projects.map((project) => ({
    ...project,
    rootDir: root,
    testMatch: [FIXTURE_GLOB],
  }));
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const args = [jest, "--config", JSON.stringify({ rootDir: root, projects }), "--reporters", "default"];
  // Whatever the run itself prints.
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1" };
  const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env });
  expect(stderr).toContain("Tests:       2 failed, 2 total");
  expect(stderr.split(`(${FIXTURE}:${wrong}:`)).toHaveLength(3);
  expect(stderr).toMatch(new RegExp(`> +${wrong} \\|.*expect\\(make\\(\\)\\.a\\)`));
});

describe.each([
  ["unit", "provider/loaders.generated.ts", "provider/dynamic/classes.generated.ts"],
  ["engine", "dist/provider/index.js", "dist/plugin/pulumi-resource-management"],
])("the %s tests", (project, first, second) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "management-build-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (file: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  };

  it("say that the package must be built where it is not", () => {
    expect(() => requireBuild(folder, project)).toThrow(`${first} and ${second}: run "npm run build" first`);
    write(first);
    expect(() => requireBuild(folder, project)).toThrow(`need ${second}: run`);
  });

  it("start where it is", () => {
    write(first);
    write(second);
    expect(() => requireBuild(folder, project)).not.toThrow();
  });
});
