import {
  existsSync,
  globSync,
  readFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  readdirSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { join, dirname, posix } from "node:path";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { runInNewContext } from "node:vm";
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

describe("links in the packed README", () => {
  /** What npm would put into the package of a folder. */
  function packedFiles(folder: string): string[] {
    const said = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const packed: unknown = JSON.parse(said);
    // Newer versions of npm answer with an object by package, older ones with a list.
    const [one] = Object.values(packed as Record<string, { files: { path: string }[] }>);
    return (one?.files ?? []).map(({ path }) => path);
  }

  function linksIn(page: string): string[] {
    const text = readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
    return [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, target = ""]) =>
      posix.join(posix.dirname(page), target),
    );
  }

  describe("the package as npm packs it", () => {
    const files = packedFiles(root);
    const pages = files.filter((path) => path.endsWith(".md"));
    const isThere = (path: string): boolean =>
      files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));

    it("has the README and the pages for users", () => {
      expect(pages).toEqual(
        expect.arrayContaining(["README.md", "docs/daily-work.md", "docs/reference/README.md"]),
      );
    });

    it("has everything that a page in it links to", () => {
      const broken = pages.flatMap((page) =>
        linksIn(page)
          .filter((path) => !isThere(path))
          .map((path) => `${page}: ${path}`),
      );
      expect(broken).toEqual([]);
    });
  });

  it("has the examples as they are in the repository, without what their use leaves behind", () => {
    const folder = mkdtempSync(join(tmpdir(), "management-packed-"));
    try {
      cpSync(join(root, "package.json"), join(folder, "package.json"));
      const kept = ["examples/quickstart-yaml/Pulumi.yaml", "examples/quickstart/functions/hello/index.ts"];
      const left = [
        "examples/quickstart-yaml/Pulumi.dev.yaml",
        "examples/quickstart-python/venv/bin/python",
        "examples/quickstart-python/__pycache__/main.pyc",
        "examples/quickstart/node_modules/other/index.js",
      ];
      for (const path of [...kept, ...left]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), "");
      }
      expect(packedFiles(folder).sort()).toEqual([...kept, "package.json"].sort());
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("versions of Node.js that the documents state", () => {
  const demanded = z.object({ node: z.string() });
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(textOf("package.json")));
  const oldest = /^>=(\d+\.\d+)\.0$/.exec(engines.node)?.[1] ?? "";

  function below(folder: string): string[] {
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => !path.includes("node_modules") && !path.startsWith("emulator/dist/"));
  }

  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    "AGENTS.md",
    "emulator/README.md",
    ...below("docs"),
    ...below("examples"),
  ].filter((path) => path.endsWith(".md"));
  const sources = ["provider", "emulator", "tools"].flatMap(below).filter((path) => /\.m?ts$/.test(path));

  /** Every version that a text names shortly after Node.js. */
  function versionsIn(text: string): string[] {
    return [...text.matchAll(/\bNode(?:\.js)?\b(?=[\s`])[^|.\n]{0,40}?\bv?(\d\d(?:\.\d+)*)\b/g)].map(
      ([, version = ""]) => version,
    );
  }

  /** As numbers, so that they can be compared. */
  function partsOf(version: string): number[] {
    return version.split(".").map(Number);
  }

  function isBefore(version: string, other: string): boolean {
    const [left, right] = [partsOf(version), partsOf(other)];
    const at = [0, 1, 2].find((index) => (left[index] ?? 0) !== (right[index] ?? 0));
    return at !== undefined && (left[at] ?? 0) < (right[at] ?? 0);
  }

  describe("the oldest Node.js", () => {
    it("is told in the documents, and nowhere as another one", () => {
      const told = documents.flatMap((path) =>
        versionsIn(textOf(path)).map((version) => ({ path, version })),
      );
      expect(told.filter(({ version }) => version !== oldest)).toEqual([]);
      expect(told.map(({ path }) => path)).toEqual(
        expect.arrayContaining(["README.md", "CONTRIBUTING.md", "docs/installation-configuration.md"]),
      );
    });

    it("is no other one in any message", () => {
      const told = sources.flatMap((path) => versionsIn(textOf(path)).map((version) => ({ path, version })));
      expect(told.filter(({ version }) => version !== oldest)).toEqual([]);
    });

    it.each([
      ["22.18.0", false],
      ["21.99.0", false],
      [`${oldest}.0`, true],
      ["25.0.0", true],
    ])("is checked by the plugin at its start: with %s it starts is %s", (version, isEnough) => {
      const plugin = readFileSync(join(root, "dist/plugin/pulumi-resource-management"), "utf8");
      const [, check = ""] = /^#!.*\n(\{.*?process\.exit\(1\);\}\})/.exec(plugin) ?? [];
      const said: string[] = [];
      const exits: number[] = [];
      runInNewContext(check, {
        process: {
          version: `v${version}`,
          versions: { node: version },
          stderr: { write: (text: string) => said.push(text) },
          exit: (code: number) => exits.push(code),
        },
      });
      expect(exits).toEqual(isEnough ? [] : [1]);
      if (!isEnough) expect(said).toEqual([expect.stringContaining(`needs Node.js ${oldest} or later`)]);
    });

    it.each([
      "dist/provider/index.js",
      "dist/provider/client/index.js",
      "dist/provider/dynamic/entry.js",
      "emulator/dist/emulator/index.js",
      "emulator/dist/emulator/testing/index.js",
      "emulator/command.js",
    ])("is asked for by %s, before an older one meets what it does not know", (entry) => {
      const program = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
      for (const name of ["enableCompileCache"]) delete require("node:module")[name];
      try { require(${JSON.stringify(join(root, entry))}); } catch (error) { console.log(error.message); }`;
      expect(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" })).toContain(
        `needs Node.js ${oldest} or later`,
      );
    });

    it("is one with which every package that is installed along works", () => {
      const { packages } = z
        .object({
          packages: z.record(
            z.string(),
            z.object({
              dev: z.boolean().optional(),
              engines: z.unknown().optional(),
            }),
          ),
        })
        .parse(JSON.parse(textOf("package-lock.json")));
      const wanting = Object.entries(packages).flatMap(([name, { dev, engines: own }]) => {
        const wanted = /^>= ?([\d.]+)$/.exec(demanded.safeParse(own).data?.node ?? "")?.[1];
        return dev !== true && wanted !== undefined && isBefore(oldest, wanted)
          ? [`${name} wants ${wanted}`]
          : [];
      });
      expect(wanting).toEqual([]);
    });
  });
});
