import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeProgram } from "../tools/engine/write-program";

const root = dirname(__dirname);
const blocksOf = (page: string): string[] =>
  [...readFileSync(join(root, "docs", page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, text = ""]) => text,
  );
const blocks = blocksOf("testing.md");

const isTest = (text: string): boolean => text.includes("setMocks");
const isWhole = (text: string): boolean => text.startsWith("import ");

function requireOneBlock(wanted: (text: string) => boolean, of = blocks): string {
  const [one, ...others] = of.filter(wanted);
  if (one === undefined || others.length > 0) throw new Error(`The page has ${others.length + 1} of these.`);
  return one;
}

describe("the program and its unit test in the page on testing", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-docs-"));
  const unitTest = join(folder, "index.test.ts");
  beforeAll(() => {
    writeProgram(
      folder,
      requireOneBlock((text) => isWhole(text) && !isTest(text)),
      { name: "shop", typescript: true },
    );
    writeFileSync(unitTest, requireOneBlock(isTest));
    symlinkSync(join(root, "emulator"), join(folder, "node_modules/management-emulator"), "junction");
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

  /** What the page's test says of another program. */
  function runWith(change: (text: string) => string, test?: string): { status: number | null; said: string } {
    const program = join(folder, "index.ts");
    const before = [program, unitTest].map((path) => [path, readFileSync(path, "utf8")] as const);
    writeFileSync(program, change(readFileSync(program, "utf8")));
    if (test !== undefined) writeFileSync(unitTest, test);
    const ran = runUnitTest();
    for (const [path, text] of before) writeFileSync(path, text);
    return ran;
  }

  it("fail when the program puts the secret into production", () => {
    const ran = runWith((text) => text.replace("projectRef: preview.ref", "projectRef: project.ref"));
    expect(ran).toMatchObject({ status: 1, said: expect.stringContaining("preview-id") as string });
  });

  const LATE = `
const keys = management.getProjectOutput({ ref: preview.ref });
pulumi.all([keys.ref, token.id]).apply(([ref, id]) => {
  const first = new management.Secret("first", { projectRef: ref, name: "FIRST", value: id });
  first.id.apply((name) => pulumi.output(name).apply(
    () => new management.ApiKey("late", { projectRef: ref, name: "late", type: "secret" }),
  ));
});
`;

  it("wait for what the program declares last, and exports nothing of", () => {
    const ran = runWith((text) => text + LATE);
    expect(ran).toMatchObject({ status: 1, said: expect.stringContaining("management:ApiKey") as string });
  });

  it("wait for the same where the page on the emulator makes the mocks", () => {
    const written = requireOneBlock((text) => text.includes("createMocks"), blocksOf("emulator.md"));
    const ran = runWith(
      (text) => text.replace('config.requireSecret("paymentToken")', 'pulumi.secret("a token")') + LATE,
      `${written}console.log(mocks.resources.map(({ type, name }) => \`\${type} \${name}\`).join(", "));\n`,
    );
    expect(ran).toMatchObject({
      status: 0,
      said: expect.stringContaining("Branch preview, Secret token, Secret first, ApiKey late") as string,
    });
  });

  it("fail with the error of a program that throws", () => {
    const ran = runWith((text) => `${text}throw new Error("the program fails");\n`);
    expect(ran).toMatchObject({ status: 1, said: expect.stringContaining("the program fails") as string });
  });
});
