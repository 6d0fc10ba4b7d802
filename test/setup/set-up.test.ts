import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPackageRoot } from "../../tools/engine/package-root";
import { makeMemoryFolder } from "./memory-folder";
import { requireBuild } from "./require-build";

const root = findPackageRoot();
/** Jest's own configuration, which has no types. */
const config = createRequire(__filename)("../../jest.config.js") as { readonly projects: readonly object[] };
const FIXTURE = "test/setup/fixtures/wrong-assertion.ts";
const FIXTURE_GLOB = `<rootDir>/${FIXTURE}`;

/** What Jest prints for the fixture in both projects. */
function runFixture(added: Readonly<Record<string, string>> = {}): string {
  const projects = config.projects.map((project) => ({
    ...project,
    rootDir: root,
    testMatch: [FIXTURE_GLOB],
  }));
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const reporters = ["default", "<rootDir>/test/setup/usage-reporter.mts"];
  const args = [jest, "--config", JSON.stringify({ rootDir: root, projects, reporters })];
  // Whatever the run itself prints.
  const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: "1", ...added };
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env }).stderr;
}

it("names the line of a failed assertion, in both projects", () => {
  const lines = readFileSync(join(root, FIXTURE), "utf8").split("\n");
  const wrong = lines.findIndex((line) => line.includes("expect(")) + 1;
  const stderr = runFixture();
  expect(stderr).toContain("Tests:       2 failed, 2 total");
  expect(stderr.split(`(${FIXTURE}:${wrong}:`)).toHaveLength(3);
  expect(stderr).toMatch(new RegExp(`> +${wrong} \\|.*expect\\(make\\(\\)\\.a\\)`));
});

it("skips the tests of a file that begins when the time is up, and names the file", () => {
  const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1_000) + seconds);
  const late = runFixture({ TEST_DEADLINE: inSeconds(-10) });
  expect(late).toContain("Tests:       2 skipped, 2 total");
  expect(late).toContain(`Not run, as the time was up:\n  ${FIXTURE}\n  ${FIXTURE}\n`);
  expect(runFixture({ TEST_DEADLINE: inSeconds(3_600) })).toContain("Tests:       2 failed, 2 total");
});

describe.each([
  ["unit", "provider/catalog/loaders.generated.ts", "provider/dynamic/classes.generated.ts"],
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

it("starts enumerations first where no earlier run told their times, and at another file in each turn", () => {
  const program = `
    import Sequencer from "./sequencer.mts";
    const context = { config: { cache: false }, hasteFS: { getSize: (path) => path.length } };
    const paths = ["a.test.ts", "long-name.test.ts", "a.sliced.test.ts", "adapters/table.test.ts", "b.full.test.ts"];
    for (const turn of [0, 7]) {
      process.env["TEST_TURN"] = String(turn);
      const sorted = await new Sequencer({}).sort(paths.map((path) => ({ path, context })));
      console.log(sorted.map(({ path }) => path).join());
    }`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: __dirname, encoding: "utf8" });
  expect(stdout.trim().split("\n")).toEqual([
    "adapters/table.test.ts,a.sliced.test.ts,b.full.test.ts,long-name.test.ts,a.test.ts",
    "b.full.test.ts,long-name.test.ts,a.test.ts,adapters/table.test.ts,a.sliced.test.ts",
  ]);
  expect(stderr).toBe("");
});

describe("the folder in memory", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "management-memory-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("is this process's own, and without what ended processes left", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const [left, running] = [`management-tests-${pid}`, `management-tests-${process.ppid}`];
    for (const name of [left, running, "other-1"]) mkdirSync(join(root, name));
    expect(makeMemoryFolder({ root, neededBytes: 0 })).toBe(join(root, `management-tests-${process.pid}`));
    expect(readdirSync(root).sort()).toEqual([`management-tests-${process.pid}`, running, "other-1"].sort());
  });

  it("is not used where there is no room for databases, or no such file system", () => {
    expect(makeMemoryFolder({ root, neededBytes: Infinity })).toBeUndefined();
    expect(makeMemoryFolder({ root: join(root, "absent") })).toBeUndefined();
    expect(readdirSync(root)).toEqual([]);
  });
});
