import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { pruneDeclarations } from "../../tools/prune-declarations";
import { inTier } from "../kit/tier";

const run = promisify(execFile);
const root = join(__dirname, "..", "..");
const modules = join(root, "node_modules");

/** Settings of a program's modules; a CommonJS program needs `esModuleInterop` for zod's own declarations. */
const moduleSettings = {
  commonjs: { module: "commonjs", moduleResolution: "node10", esModuleInterop: true },
  node16: { module: "node16" },
  nodenext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

/** Each compiler, each `@types/node` and each setting; a run takes seconds, so they go together. */
const combinations = [
  ["typescript", "node-22-types", "commonjs"],
  ["typescript", "node-26-types", "nodenext"],
  ["typescript-6", "node-22-types", "node16"],
  ["typescript-6", "node-26-types", "bundler"],
] as const;

const usingEveryEntry = `
import * as pulumi from "@pulumi/pulumi";
import { Project } from "pulumi-management";
import { provider } from "pulumi-management/dynamic";
import { ManagementClient } from "pulumi-management/client";
import { sweepPreviews, type Swept } from "pulumi-management/previews";
import { MovableClock, startEmulator, type FaultRule, type World } from "management-emulator";
import { useEmulator } from "management-emulator/testing";

export const secret: pulumi.Output<string> = pulumi.secret("a-password");
export const project = new Project("shop", { name: "shop", organizationSlug: "acme", dbPass: secret });
export const known = provider("Project");
export const emulated = () => useEmulator({ pace: 0 }).url;

export function sweep(client: ManagementClient): Promise<Swept[]> {
  const pullRequest = async (number: number) => ({ isOpen: number === 7, gitBranch: "shop-window" });
  const of = { project: "abcdefghijklmnopqrst", repository: "https://forge.example.com/acme/shop" };
  return sweepPreviews({ client, ...of, prefix: "pr-", pullRequest });
}

export async function use(): Promise<string | undefined> {
  const emulator = await startEmulator({ clock: new MovableClock() });
  const fault: FaultRule = { operation: "listProjects", status: 503 };
  emulator.control.addFault(fault);
  emulator.control.edit((state) => {
    state.functionQuotas.free = 1;
    for (const record of state.projects.values()) record.next.branchFailure = { step: "migrate", log: "" };
  });
  const world: World = emulator.world;
  const client = new ManagementClient({ baseUrl: emulator.url, accessToken: emulator.accessToken });
  const [first] = await client.listOrganizations();
  return world.state.organizations.get(first?.slug ?? "")?.name;
}
`;

interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What fragments in the docs take from the blocks before them. */
const givenNames: Readonly<Record<string, string>> = {
  management: 'import * as management from "pulumi-management";',
  config: 'declare const config: import("@pulumi/pulumi").Config;',
  client: 'declare const client: import("pulumi-management/client").ManagementClient;',
  ref: "declare const ref: string;",
  project: 'declare const project: import("pulumi-management").Project;',
  preview: 'declare const preview: import("pulumi-management").Branch;',
  projectRef: "declare const projectRef: string;",
  dbPass: "declare const dbPass: string;",
  value: "declare const value: string;",
  deploy: "declare const deploy: () => Promise<void>;",
  test: "declare const test: (name: string, run: () => unknown) => void;",
  expect: "declare const expect: (value: unknown) => { toHaveLength(length: number): void };",
};

/** The TypeScript of a page, each block as a module of its own. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/^( *)```ts\n([\s\S]*?)^\1```$/gm)].map(([, , block = ""]) => block);
  // One that imports a file beside it is compiled with that: test/docs-programs.test.ts, test/import/names-helper.test.ts.
  const alone = blocks.filter((block) => !/(from |import\()"\.\//.test(block));
  return alone.map((block) => {
    const imports = block.match(/^import [\s\S]*?;$/gm) ?? [];
    const given = Object.entries(givenNames).filter(
      ([name]) =>
        new RegExp(`(?<![\\w.])${name}\\b(?!:)`).test(block) &&
        !new RegExp(`(?:const|let|as) ${name}\\b`).test(block) &&
        !imports.some((line) => new RegExp(`\\b${name}\\b.*from`, "s").test(line)),
    );
    // In a function, as CommonJS has no `await` at the top.
    const body = imports.reduce((left, line) => left.replace(line, ""), block).replaceAll(/^export /gm, "");
    return [
      ...given.map(([, line]) => line),
      ...imports,
      `export async function example() {\n${body}}\n`,
    ].join("\n");
  });
}

describe("a program without skipLibCheck", () => {
  const folder = mkdtempSync(join(tmpdir(), "management-types-"));
  const pages = [
    "README.md",
    "emulator/README.md",
    ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
  ];
  const sources: Readonly<Record<string, string>> = {
    "index.ts": usingEveryEntry,
    ...Object.fromEntries(
      pages.flatMap((page) =>
        blocksOf(page).map((block, index) => [`${page.replaceAll(/\W/g, "-")}-${index + 1}.ts`, block]),
      ),
    ),
  };

  beforeAll(async () => {
    const both = ["--workspaces", "--include-workspace-root"];
    await run("npm", ["pack", ...both, "--ignore-scripts", "--pack-destination", folder], { cwd: root });
    for (const archive of readdirSync(folder)) {
      const unpacked = join(folder, "unpacked", archive);
      mkdirSync(unpacked, { recursive: true });
      await run("tar", ["xzf", join(folder, archive), "--strip-components=1"], { cwd: unpacked });
      // As `prepack` does, which `--ignore-scripts` leaves out.
      pruneDeclarations(unpacked);
      const manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")) as Manifest;
      // What it was published to need, and nothing else of this repository.
      for (const needed of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
        link(needed, join(modules, needed));
      }
      link(manifest.name, unpacked);
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function link(name: string, target: string): void {
    const path = join(folder, "node_modules", name);
    if (existsSync(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, "junction");
  }

  it("has the examples of the docs in it", () => {
    expect(Object.keys(sources).length).toBeGreaterThan(12);
  });

  it.each(
    inTier(combinations, ([compiler, , setting]) => compiler === "typescript" && setting === "commonjs"),
  )("compiles with %s, %s and the modules of %s", async (compiler, nodeTypes, setting) => {
    const typeRoot = join(folder, nodeTypes);
    mkdirSync(typeRoot, { recursive: true });
    rmSync(join(typeRoot, "node"), { force: true });
    symlinkSync(join(modules, nodeTypes), join(typeRoot, "node"), "junction");
    const config = join(folder, `tsconfig.${compiler}.${nodeTypes}.json`);
    writeFileSync(
      config,
      JSON.stringify({
        compilerOptions: {
          ...moduleSettings[setting],
          strict: true,
          target: "es2022",
          noEmit: true,
          skipLibCheck: false,
          typeRoots: [typeRoot],
          types: ["node"],
        },
        files: Object.keys(sources),
      }),
    );
    const tsc = join(modules, compiler, "bin", "tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", config]).catch((error: unknown) => {
      // What the compiler says is on its standard output.
      return error as { stdout: string };
    });
    expect(stdout).toBe("");
  });
});
