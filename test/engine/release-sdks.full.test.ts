import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { VERSION } from "../../provider/core/version.generated";
import { startEmulated } from "../../tools/engine/emulated-program";
import { findPackageRoot } from "../../tools/engine/package-root";
import { findExecutable } from "../../tools/engine/path-lookup";
import { providePython, withPython } from "../../tools/engine/python-environment";
import { runProcess } from "../../tools/engine/run-process";
import { writePluginArchive } from "../../tools/release/plugin-archive";
import { sdkBill } from "../../tools/release/sdk-bill";
import { compileJava, writeSdks, type ReleasedSdk } from "../../tools/release/sdks";
import { examples } from "../../tools/schema/examples/examples.generated";
import { packageSchema, surface } from "../../tools/schema/package-schema";
import { registrySchema } from "../../tools/schema/registry-schema";
import { generateSdk } from "../../tools/sdk/generate-sdk";
import { manifest } from "../tools/schema/toy-surface";
import { LANGUAGES } from "./example";
import { serveFiles } from "./file-server";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess } from "./stack";

const folder = mkdtempSync(join(tmpdir(), "management-sdks-"));
const schemaFile = join(folder, "schema.json");
const schema = registrySchema(packageSchema({ ...manifest, version: VERSION }, surface), examples);

beforeAll(async () => {
  await engineForTests(LANGUAGES);
  writeFileSync(schemaFile, JSON.stringify(schema));
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe("the SDKs of a release", () => {
  const release = join(folder, "release");
  // Where the compiler of TypeScript finds Pulumi's SDK.
  const workFolder = join(findPackageRoot(), "dist", "sdk-of-the-test");
  let sdks: readonly ReleasedSdk[];

  beforeAll(async () => {
    mkdirSync(release);
    const engine = await engineForTests(LANGUAGES);
    sdks = await writeSdks({ folder: release, workFolder, schemaFile, version: VERSION, engine });
  }, PROVISIONING_TIMEOUT_MS);
  afterAll(() => rmSync(workFolder, { recursive: true, force: true }));

  const sdkFor = (language: string): ReleasedSdk => {
    const found = sdks.find((each) => each.language === language);
    if (found === undefined) throw new Error(`There is no word of ${language}.`);
    return found;
  };
  const entriesOf = (name: string): string[] => {
    const entries: string[] = [];
    list({ file: join(release, name), sync: true, onReadEntry: ({ path }) => void entries.push(path) });
    return entries;
  };

  it.each([
    ["TypeScript", `pulumi-management-sdk-${VERSION}.tgz`, "package/secret.js"],
    [
      "Python",
      `pulumi_management-${VERSION}.tar.gz`,
      `pulumi_management-${VERSION}/pulumi_management/secret.py`,
    ],
    ["Go", `pulumi-management-sdk-go-v${VERSION}.tar.gz`, "management/secret.go"],
  ])("have one for %s that compiles", (language, file, entry) => {
    expect(sdkFor(language)).toMatchObject({
      isCompiled: true,
      outcome: expect.stringContaining("compiled with") as string,
    });
    expect(sdkFor(language).files).toContain(file);
    expect(entriesOf(file)).toContain(entry);
  });

  it("have one for .NET, with the logo as the icon of its package", () => {
    const file = `pulumi-management-sdk-dotnet-v${VERSION}.tar.gz`;
    expect(sdkFor(".NET").files).toContain(file);
    expect(entriesOf(file)).toEqual(
      expect.arrayContaining(["Secret.cs", "logo.png", "Example.Management.csproj"]),
    );
  });

  it("say of each language that could not be compiled what is missing", () => {
    for (const { isCompiled, outcome } of sdks)
      expect(outcome).toMatch(
        isCompiled ? /^compiled with \S/ : /^not (?:compiled: there is no|generated: )/,
      );
  });

  it("are in a bill of materials, with checksums and what each depends on", () => {
    const bill = sdkBill(sdks, { version: VERSION, checksum: (file) => `sum of ${file}` });
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(sdks.flatMap(({ files }) => files)));
    expect(names).toEqual(
      expect.arrayContaining(["@pulumi/pulumi", "pulumi", "github.com/pulumi/pulumi/sdk/v3", "Pulumi"]),
    );
    const ref = `pulumi-management-sdk-${VERSION}.tgz`;
    expect(bill.components.find(({ name }) => name === ref)).toMatchObject({
      hashes: [{ alg: "SHA-256", content: `sum of ${ref}` }],
    });
    expect(bill.dependencies.find((each) => each.ref === ref)?.dependsOn).toEqual([
      "TypeScript: @pulumi/pulumi",
    ]);
  });
});

const maven = findExecutable("mvn", process.env);

(maven === undefined ? test.skip : test)(
  "sources in Java compile with their examples against Pulumi's SDK, and a wrong example is told",
  async () => {
    const sdk = join(folder, "java");
    const sources = join(sdk, "src", "main", "java", "com", "example", "management");
    mkdirSync(sources, { recursive: true });
    writeFileSync(
      join(sources, "Ball.java"),
      `package com.example.management;

import com.pulumi.core.Output;

public class Ball {
    public Output<String> color() {
        return Output.of("red");
    }
}
`,
    );
    const compile = (type: string): Promise<string> => {
      const java = `import com.example.management.Ball;
import com.pulumi.Pulumi;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> ctx.export("color", new ${type}().color()));
    }
}
`;
      return compileJava(sdk, { maven: maven ?? "mvn", version: VERSION, examples: { Ball: { java } } });
    };
    expect(existsSync(await compile("Ball"))).toBe(true);
    await expect(compile("Bat")).rejects.toThrow(/cannot find symbol/);
  },
  PROVISIONING_TIMEOUT_MS,
);

test(
  "an SDK that is generated from the schema of a release has the engine download the plugin, without Node.js",
  async () => {
    const archives = join(folder, "archives");
    const { name } = await writePluginArchive(archives, VERSION);
    const server = await serveFiles(archives);
    const { address: pluginDownloadURL, asked } = server;
    const withAddress = join(folder, "with-address.json");
    writeFileSync(withAddress, JSON.stringify({ ...schema, pluginDownloadURL }));
    const engine = await engineForTests(LANGUAGES);
    const out = join(folder, "python");
    await generateSdk({ schemaFile: withAddress, language: "python", out, engine });
    expect(readFileSync(join(out, "pulumi_management", "pulumi-plugin.json"), "utf8")).toContain(
      pluginDownloadURL,
    );

    const python = await providePython();
    const packages = join(folder, "site-packages");
    const flags = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"];
    const installing = ["-m", "pip", "install", ...flags, "--target", packages, out];
    const installed = await runProcess(python.python, installing, { timeoutMs: PROVISIONING_TIMEOUT_MS });
    expect(installed).toMatchObject({ exitCode: 0 });
    const stack = await startEmulated(
      (program) => {
        mkdirSync(program, { recursive: true });
        writeFileSync(join(program, "Pulumi.yaml"), "name: shop\nruntime: python\n");
        writeFileSync(join(program, "__main__.py"), PROGRAM);
        return program;
      },
      {
        engine,
        env: {
          ...withPython({ PATH: engine.binDir }, python),
          PYTHONPATH: packages,
          PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
        },
      },
    );
    try {
      expectSuccess(await stack.workspace.up());
      expect(stack.emulator.control.call("listProjects", {})).toMatchObject([{ name: "shop" }]);
      expectSuccess(await stack.workspace.destroy());
    } finally {
      await stack.dispose();
      server.close();
    }
    expect(asked).toEqual([`/plugins/${name}`]);
  },
  PROVISIONING_TIMEOUT_MS,
);

const PROGRAM = `import pulumi_management as management

management.Project(
    "app",
    name="shop",
    organization_slug="acme",
    db_pass="db-password-of-the-test",
    region=management.Region.EU_CENTRAL1,
)
`;
