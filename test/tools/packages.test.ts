import { existsSync, globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { ModuleKind, ModuleResolutionKind, preProcessFile, resolveModuleName, sys } from "typescript";
import { z } from "zod";
import { findPackageRoot } from "../../tools/engine/package-root";

const root = findPackageRoot();
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

const manifestSchema = z.looseObject({
  homepage: z.string(),
  dependencies: z.record(z.string(), z.string()),
  overrides: z.record(z.string(), z.string().or(z.record(z.string(), z.string()))).default({}),
});
const provider = manifestSchema.parse(JSON.parse(textOf("package.json")));
const emulator = manifestSchema.parse(JSON.parse(textOf("emulator/package.json")));

describe("the package of the emulator", () => {
  it.each(["version", "author", "license", "homepage", "engines"])(
    "has the same %s as that of the provider",
    (field) => {
      expect(emulator[field]).toEqual(provider[field]);
    },
  );

  it("has the same licence and the same ranges of what both depend on, so that a program gets each once", () => {
    expect(textOf("emulator/LICENSE")).toBe(textOf("LICENSE"));
    const shared = Object.keys(emulator.dependencies).filter((name) => name in provider.dependencies);
    expect(shared).toContain("zod");
    for (const name of shared)
      expect([name, emulator.dependencies[name]]).toEqual([name, provider.dependencies[name]]);
  });

  it("has its extensions built for the database that it depends on", () => {
    const extensions = Object.entries(provider.overrides).filter(([name]) => name.includes("pglite-"));
    expect(extensions).toHaveLength(4);
    for (const [, override] of extensions)
      expect(override).toEqual({ "@electric-sql/pglite": emulator.dependencies["@electric-sql/pglite"] });
  });

  it("is used in the repository by its sources, not as it was built last", () => {
    expect(require.resolve("../../emulator")).toBe(join(root, "emulator/index.ts"));
    const { resolvedModule } = resolveModuleName(
      "../../emulator",
      __filename,
      { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
      sys,
    );
    expect(resolvedModule?.resolvedFileName).toBe(join(root, "emulator/index.ts"));
  });

  // In the repository everything resolves that either package depends on.
  it("depends on every package that its sources import, and on no other", () => {
    const sources = globSync(
      ["{emulator,spec}/**/*.{ts,mts}", "provider/{node-version,version.generated}.ts"],
      {
        cwd: root,
        exclude: ["emulator/dist/**"],
      },
    );
    expect(sources.length).toBeGreaterThan(200);
    const imported = sources.flatMap((path) =>
      preProcessFile(textOf(path), true, true).importedFiles.map(({ fileName }) => fileName),
    );
    const packages = imported
      .filter((name) => !name.startsWith(".") && !isBuiltin(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    expect([...new Set(packages)].sort()).toEqual(Object.keys(emulator.dependencies).sort());
  });

  it("has a README that links to pages of the repository, at its address, as the package has none of them", () => {
    const links = [...textOf("emulator/README.md").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
      ([, to = ""]) => to,
    );
    expect(links.length).toBeGreaterThan(1);
    const isThere = (link: string): boolean =>
      link.startsWith(`${provider.homepage}/`) &&
      existsSync(join(root, link.slice(provider.homepage.length)));
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });
});
