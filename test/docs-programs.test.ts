import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeProgram } from "../tools/engine/write-program";

const root = dirname(__dirname);
const blocks = [...readFileSync(join(root, "docs/testing.md"), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, text = ""]) => text,
);

const isTest = (text: string): boolean => text.includes("setMocks");
const isWhole = (text: string): boolean => text.startsWith("import ");

function theOne(wanted: (text: string) => boolean): string {
  const [one, ...others] = blocks.filter(wanted);
  if (one === undefined || others.length > 0) throw new Error(`The page has ${others.length + 1} of these.`);
  return one;
}

describe("the program and its unit test in the page on testing", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-docs-"));
  const unitTest = join(folder, "index.test.ts");
  beforeAll(() => {
    writeProgram(
      folder,
      theOne((text) => isWhole(text) && !isTest(text)),
      { name: "shop", typescript: true },
    );
    writeFileSync(unitTest, theOne(isTest));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runUnitTest = (): { status: number | null; said: string } => {
    // The variable by which a test runner knows that it is run by another one.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--test", unitTest], {
      cwd: folder,
      encoding: "utf8",
      env,
    });
    return { status, said: stdout + stderr };
  };

  it("compile together", () => {
    const compilerOptions = {
      strict: true,
      target: "es2022",
      module: "node16",
      moduleResolution: "node16",
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["index.ts", "index.test.ts"] }),
    );
    const compiler = require.resolve("typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    expect(stdout).toBe("");
  });

  it("pass", () => {
    const { status, said } = runUnitTest();
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringMatching(/pass 1$/m) as string });
  });

  it("fail when the program puts the secret into production", () => {
    const program = join(folder, "index.ts");
    const text = readFileSync(program, "utf8");
    writeFileSync(program, text.replace("projectRef: preview.ref", "projectRef: project.ref"));
    const ran = runUnitTest();
    writeFileSync(program, text);
    expect(ran).toMatchObject({ status: 1, said: expect.stringContaining("preview-id") as string });
  });
});
