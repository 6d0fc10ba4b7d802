import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../../previews/run";
import { previewStacks } from "../../previews/stacks";
import { UntrustedStateError } from "../../previews/state-code";
import { readPipeline } from "../engine/workflows/gitlab-pipeline";
import { readWorkflow } from "../engine/workflows/workflow-file";
import { useFakePulumi } from "./fake-pulumi";

// A repository whose `preview` has a program already: it stays, and its jobs allow what it uses.

const PARENT = "p".repeat(20);
const DYNAMIC = 'import * as p from "@pulumi/pulumi";\nexport class A extends p.dynamic.Resource {}\n';
const WORKFLOW = ".github/workflows/preview.yml";

const pulumi = useFakePulumi();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "management-init-program-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const add = (path: string, text: string): void => {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const addJson = (path: string, value: unknown): void => add(path, JSON.stringify(value));

async function init(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { out: "", err: "" };
  const streams = {
    out: (text: string) => void (ran.out += text),
    err: (text: string) => void (ran.err += text),
  };
  return { code: await run(["init", "--dir", folder, "--parent", PARENT, ...args], streams), ...ran };
}

/** What the command of the written workflow allows. */
function allowed(): string[] {
  const steps = readWorkflow(join(folder, WORKFLOW)).jobs["preview"]?.steps ?? [];
  const command = steps.find(({ run: script }) => script?.includes("management-previews ci"))?.run ?? "";
  return [...command.matchAll(/ --allow-package (\S+)/g)].map(([, name = ""]) => name);
}

/** A package of npm, as it is installed. */
function installed(name: string, pulumi?: object): void {
  addJson(`preview/node_modules/${name}/package.json`, { name, ...(pulumi && { pulumi }) });
}

function addNodeProgram(dependencies: readonly string[], program = "export {};\n"): void {
  add("preview/Pulumi.yaml", "name: shop-previews\nruntime: nodejs\n");
  add("preview/index.ts", program);
  addJson("preview/package.json", {
    dependencies: Object.fromEntries(dependencies.map((name) => [name, "*"])),
  });
}

it("stays as it is, and the workflow is written beside it", async () => {
  addNodeProgram([]);
  const { code, out } = await init("--forge", "github");
  expect(code).toBe(0);
  expect(read("preview/index.ts")).toBe("export {};\n");
  expect(existsSync(join(folder, "preview/tsconfig.json"))).toBe(false);
  expect(out).toContain(
    "Left as it is, because preview has a program already, which --force would overwrite:\n  preview/Pulumi.yaml\n",
  );
  expect(out).toContain("add those of your own resources");
  expect(out).not.toContain("preview/index.ts names");
  expect(allowed()).toEqual([]);
});

it.each(["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"])(
  "stays with a project in %s, as Pulumi's CLI takes it, and the jobs ask for the project's name",
  async (file) => {
    add(`preview/${file}`, '{ "name": "shop-previews", "runtime": "nodejs" }');
    add("preview/index.ts", "export {};\n");
    const { code } = await init("--forge", "github");
    expect([code, read("preview/index.ts")]).toEqual([0, "export {};\n"]);
    expect(read(WORKFLOW)).toContain(" --pulumi-project shop-previews");
  },
);

it("is lost by no advice: where a workflow differs as well, none says --force", async () => {
  await init("--forge", "github");
  add("preview/index.ts", "// mine\n");
  add(WORKFLOW, "# mine\n");
  const { code, err } = await init("--forge", "github");
  expect(code).toBe(1);
  expect(err).toContain(
    `these files exist and differ: ${WORKFLOW}. Move them away, and run the command again`,
  );
  expect(read("preview/index.ts")).toBe("// mine\n");
});

it("has a package allowed whose SDK a removal does not recognise in the lock file, with its address", async () => {
  installed("@pulumi/random", { resource: true, name: "random" });
  installed("@pulumiverse/time", {
    resource: true,
    name: "time",
    server: "github://api.github.com/pulumiverse",
  });
  installed("@acme/pulumi-shop", { resource: true, name: "shop" });
  installed("left-pad");
  installed("pulumi-management", { resource: true, name: "management" });
  addNodeProgram([
    "@pulumi/random",
    "@pulumiverse/time",
    "@acme/pulumi-shop",
    "left-pad",
    "pulumi-management",
  ]);
  const { out } = await init("--forge", "github");
  expect(allowed()).toEqual(["time", "time=github://api.github.com/pulumiverse"]);
  expect(out).toContain("The jobs may run time and time=github://api.github.com/pulumiverse in a removal");
});

it("has its dynamic providers allowed, in any spelling, and those of this package are none", async () => {
  const spellings = [
    'import * as pulumi from "@pulumi/pulumi";\nclass A extends pulumi.dynamic.Resource {}\n',
    'import { dynamic } from "@pulumi/pulumi";\nclass A extends dynamic.Resource {}\n',
    'import { Resource } from "@pulumi/pulumi/dynamic";\n',
  ];
  for (const spelling of spellings) {
    addNodeProgram([], 'import "./lib/a";\n');
    add("preview/lib/a.ts", spelling);
    expect((await init("--forge", "github")).code).toBe(0);
    expect([spelling, allowed()]).toEqual([spelling, ["dynamic"]]);
    rmSync(join(folder, WORKFLOW));
  }
  add("preview/lib/a.ts", 'import { provider } from "pulumi-management/dynamic";\n');
  add("preview/node_modules/x/index.ts", spellings[0] ?? "");
  await init("--forge", "github");
  expect(allowed()).toEqual([]);
});

it("in YAML has each package allowed that no lock file has", async () => {
  add(
    "preview/Pulumi.yaml",
    `name: previews
runtime: yaml
plugins: { providers: [{ name: shop, path: ../bin }] }
packages: { kit: ./kit }
resources:
  preview: { type: management:PreviewEnvironment }
  made: { type: "pulumi:providers:command", options: { pluginDownloadURL: "https://get.example.com/plugins" } }
  pet: { type: random:RandomPet }
variables: { now: { fn::invoke: { function: "time:index:getNow" } } }
`,
  );
  add("package-lock.json", JSON.stringify({ packages: { "node_modules/@pulumi/random": {} } }));
  mkdirSync(join(folder, ".git"));
  await init("--forge", "github");
  expect(allowed()).toEqual([
    ...["command", "command=https://get.example.com/plugins", "kit", "shop", "time"],
  ]);
});

it("in Python has a package allowed that is not called as the engine's are", async () => {
  add("preview/Pulumi.yaml", "name: previews\nruntime: { name: python, options: { virtualenv: venv } }\n");
  add("preview/__main__.py", "from pulumi.dynamic import Resource\n");
  const site = "preview/venv/lib/python3.13/site-packages";
  addJson(`${site}/pulumi_random/pulumi-plugin.json`, { resource: true, name: "random" });
  addJson(`${site}/pulumiverse_time/pulumi-plugin.json`, { resource: true, name: "time" });
  await init("--forge", "github");
  expect(allowed()).toEqual(["dynamic", "time"]);
});

it("gives a shell and a workflow no text of others, and says what it leaves to people", async () => {
  const server = "https://x.example.com/$(id) ${{ secrets.A }}";
  installed("@acme/a", { resource: true, name: "a; id", server });
  installed("@acme/b", { resource: true, name: "b", server });
  addNodeProgram(["@acme/a", "@acme/b", "../../../etc", "@acme/c"]);
  const { code, out } = await init("--forge", "github");
  expect(code).toBe(0);
  expect(allowed()).toEqual(["b"]);
  expect(read(WORKFLOW)).not.toContain("x.example.com");
  expect(out).toContain('not "a; id"');
  expect(out).toContain("@acme/c is not installed");
});

it("is removed by what init wrote, and refused without", async () => {
  const server = "github://api.github.com/pulumiverse";
  installed("@pulumiverse/time", { resource: true, name: "time", server });
  addNodeProgram(["@pulumiverse/time"], DYNAMIC);
  await init("--forge", "github");
  pulumi.hasResources(
    { type: "pulumi:providers:time", inputs: { __internal: { pluginDownloadURL: server } } },
    {
      type: "pulumi-nodejs:dynamic:Resource",
      custom: true,
      id: "1",
      inputs: { __provider: "exports.a = 1" },
    },
  );
  const of = { name: "pr-7", parentRef: PARENT, pullRequest: 7, gitBranch: "feature" };
  const find = (allowedPackages: readonly string[]) =>
    previewStacks({ pattern: "{name}", workDir: join(folder, "preview"), allowedPackages }).find(of);
  await expect(find([])).rejects.toThrow(UntrustedStateError);
  expect(await find(allowed())).toBeDefined();
});

it("has the options in the jobs of GitLab, and printed for another CI", async () => {
  const server = "github://api.github.com/pulumiverse";
  installed("@pulumiverse/time", { resource: true, name: "time", server });
  addNodeProgram(["@pulumiverse/time"], DYNAMIC);
  const options = ["dynamic", "time", `time=${server}`].map((name) => ` --allow-package ${name}`).join("");
  await init("--forge", "gitlab");
  for (const { script } of Object.values(readPipeline(join(folder, ".gitlab-ci.yml"))))
    expect(script.at(-1)).toBe(
      `node_modules/.bin/management-previews ci${options} --pulumi-project shop-previews --project ${PARENT}`,
    );
  expect((await init("--forge", "other")).out).toContain(
    `management-previews ci --comment-file comment.md${options} --pulumi-project shop-previews\n`,
  );
});
