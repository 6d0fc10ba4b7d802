import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { writeHelperFile, writeNamesHelper } from "../../import/names-helper";

const ROOT = join(__dirname, "..", "..");

describe("the helper of an installation's names", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "names-helper-"));
    const names = {
      fieldPrefixes: { external_idp03_: "external_acme-login_", sms_vendorA_: "sms_pigeo_" },
      values: { sms_provider: { vendorA: "pigeo" } },
    };
    writeFileSync(join(folder, "names.json"), JSON.stringify(names));
    writeFileSync(join(folder, "names.ts"), writeNamesHelper(join(folder, "names.json")));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What the compiler says of a program that uses the helper. */
  function compile(program: string): string {
    writeFileSync(join(folder, "index.ts"), program);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2022",
      module: "commonjs",
      moduleResolution: "node",
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules", "@types")],
      baseUrl: ROOT,
      paths: {
        "pulumi-management": [join(ROOT, "dist", "provider", "index.d.ts")],
        "@pulumi/pulumi": [join(ROOT, "node_modules", "@pulumi", "pulumi")],
      },
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["index.ts", "names.ts"] }),
    );
    const compiler = require.resolve("typescript/bin/tsc");
    return spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" }).stdout;
  }
  const program = (settings: string): string => `
import { AuthConfig } from "pulumi-management";
import { external, sms } from "./names";
new AuthConfig("auth", { projectRef: "abcdefghijklmnopqrst", ${settings} });
`;

  it("lets a program use the installation's words", () => {
    const settings = `external: external({ "acme-login": { enabled: true, clientId: "c", secret: "s" }, idp04: { enabled: false } }),
      sms: sms({ provider: "pigeo", pigeo: { originator: "Shop" }, otpLength: 6 })`;
    expect(compile(program(settings))).toBe("");
  });

  it("compiles the example of the page on names, with the names file of that page", () => {
    const page = readFileSync(join(ROOT, "docs", "names.md"), "utf8");
    const [, file = ""] = /^```json\n([^]*?)^```$/m.exec(page) ?? [];
    const [, example = ""] = /^```ts\n([^]*?)^```$/m.exec(page) ?? [];
    expect(example).toContain('from "./names"');
    writeFileSync(join(folder, "page.json"), file);
    const own = readFileSync(join(folder, "names.ts"), "utf8");
    try {
      writeFileSync(join(folder, "names.ts"), writeNamesHelper(join(folder, "page.json")));
      expect(compile(example)).toBe("");
    } finally {
      writeFileSync(join(folder, "names.ts"), own);
    }
  });

  it.each([
    ['external: external({ "acme-logn": { enabled: true } })', "acme-logn"],
    ["external: external({ idp03: { enabled: true } })", "idp03"],
    ['external: external({ "acme-login": { enabeld: true } })', "enabeld"],
    ['sms: sms({ provider: "pigoe" })', "pigoe"],
    ["sms: sms({ vendorA: {} })", "vendorA"],
  ])("does not compile with %s", (settings, word) => {
    const said = compile(program(settings));
    expect(said).toContain("index.ts");
    expect(said).toContain(word);
  });

  it("is written over a helper alone, and through no link", () => {
    const [names, helper, elsewhere] = ["names.json", "helper.ts", "elsewhere.ts"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeHelperFile(names, helper);
    const written = readFileSync(helper, "utf8");
    expect(written).toBe(writeNamesHelper(names));
    writeHelperFile(names, helper);
    for (const put of [
      () => writeFileSync(helper, "mine"),
      () => symlinkSync(elsewhere, helper),
      () => {
        writeFileSync(elsewhere, written);
        symlinkSync(elsewhere, helper);
      },
      () => mkdirSync(helper),
    ]) {
      rmSync(helper, { recursive: true, force: true });
      rmSync(elsewhere, { force: true });
      put();
      const before = existsSync(elsewhere);
      expect(() => writeHelperFile(names, helper)).toThrow("exists, and management-names did not write it");
      expect(existsSync(elsewhere)).toBe(before);
    }
  });

  it("keeps a word that JavaScript takes for the prototype", () => {
    const words = {
      fieldPrefixes: { external_idp03_: "external___proto___", sms_vendorA_: "sms___proto___" },
      values: { sms_provider: { vendorA: "constructor" } },
    };
    writeFileSync(join(folder, "proto.json"), JSON.stringify(words));
    const helper = writeNamesHelper(join(folder, "proto.json"));
    const [, table = ""] = /identityProviders = (\{[^]*?\}) as const/.exec(helper) ?? [];
    const parsed: unknown = runInNewContext(`JSON.stringify(Object.entries(${table}))`);
    expect(JSON.parse(String(parsed))).toContainEqual(["__proto__", "idp03"]);
  });

  it("gives the provider the placeholders", () => {
    const test = `import { external, sms } from "./names";
process.stdout.write(JSON.stringify([external({ "acme-login": { enabled: true } }), sms({ provider: "pigeo", pigeo: { originator: "x" } })]));`;
    writeFileSync(join(folder, "run.ts"), test);
    const bundle = join(folder, "run.js");
    const esbuild = require.resolve("esbuild/bin/esbuild");
    const options = ["--bundle", "--platform=node", `--outfile=${bundle}`, join(folder, "run.ts")];
    expect(spawnSync(esbuild, options).status).toBe(0);
    const { stdout } = spawnSync(process.execPath, [bundle], { encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual([
      { idp03: { enabled: true } },
      { provider: "vendorA", vendorA: { originator: "x" } },
    ]);
  });
});
