import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeFiles, type Initialised, type InitOptions } from "../../previews/init/init";
import { formatPreviewSteps, formatProductionSteps } from "../../previews/init/next-steps";
import { VERSION } from "../../provider/core/version.generated";
import { readPipeline } from "../engine/workflows/gitlab-pipeline";
import { readWorkflow } from "../engine/workflows/workflow-file";

// A repository that depends on a file of this package, as before it is in a registry: its jobs have what is committed, and no more.

const PARENT = "p".repeat(20);
const REGISTRY = `pulumi-management@${VERSION}`;
let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "management-init-file-"));
  folder = join(root, "shop");
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const add = (path: string, text = ""): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

/** Writes the files with the package installed in the repository from a file. */
function init(file: string, options: Partial<InitOptions> = {}): Initialised & { readonly steps: string } {
  add(file);
  const installed = "node_modules/pulumi-management";
  add(`${installed}/package.json`, JSON.stringify({ name: "pulumi-management" }));
  const packages = { [installed]: { resolved: `file:${file}` } };
  add("node_modules/.package-lock.json", JSON.stringify({ packages }));
  const workflow = { parent: PARENT, ...options.workflow };
  const from = { installedIn: join(folder, installed) };
  const made = writeFiles({ dir: folder, forge: "github", ...options, ...from, workflow });
  return { ...made, steps: formatPreviewSteps(made, PARENT, workflow).replaceAll(/\n {3}(?! )/g, " ") };
}

/** What each workflow takes for the package where the install failed, and in which folder. */
function findTaken(forge: "github" | "gitlab", app = "shop"): { taken: string[]; from: string } {
  const file = [".github/workflows/preview", ".gitlab/previews"].map((each) => `${each}-${app}.yml`);
  if (forge === "gitlab") {
    const jobs = readPipeline(join(folder, app === "" ? ".gitlab-ci.yml" : (file[1] ?? "")));
    return { taken: Object.values(jobs).flatMap((job) => job.after_script.flatMap(parseTaken)), from: "." };
  }
  const { jobs } = readWorkflow(join(folder, app === "" ? ".github/workflows/preview.yml" : (file[0] ?? "")));
  const [job] = Object.values(jobs);
  const steps = job?.steps.filter(({ run = "" }) => parseTaken(run).length > 0) ?? [];
  const from = steps[0]?.["working-directory"] ?? job?.defaults.run["working-directory"] ?? "";
  return { taken: steps.flatMap(({ run }) => parseTaken(run ?? "")), from };
}

function parseTaken(line: string): string[] {
  const [, word] = /npx --yes --package (.+) -- management-previews comment .*--failed/.exec(line) ?? [];
  return word === undefined ? [] : [execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" })];
}

it.each(["github", "gitlab"] as const)(
  "has the file in its jobs of %s where it is in the repository, and is told to commit it",
  (forge) => {
    const { steps } = init("vendor/pulumi-management-0.2.0.tgz", { forge });
    expect(read("preview/package.json")).toContain('"file:../vendor/pulumi-management-0.2.0.tgz"');
    expect(steps).toContain("The program depends on vendor/pulumi-management-0.2.0.tgz: commit it, too.");
    const { taken, from } = findTaken(forge, "");
    expect(taken.length).toBeGreaterThan(0);
    for (const each of taken) {
      expect(each).toMatch(/^\.\.?\//);
      expect(join(from, each)).toBe("vendor/pulumi-management-0.2.0.tgz");
    }
    const app = { app: "apps/shop" };
    add("apps/shop/README.md");
    init("vendor/pulumi-management-0.2.0.tgz", { forge, workflow: app });
    const ofApp = findTaken(forge);
    expect(ofApp.taken.map((each) => join(ofApp.from, each))).toEqual(
      taken.map(() => "vendor/pulumi-management-0.2.0.tgz"),
    );
  },
);

it("is told what to do where the file is elsewhere, which no job has", () => {
  const { steps } = init("../clone/pulumi-management-0.2.0.tgz");
  expect(steps).toContain(
    "The program depends on ../clone/pulumi-management-0.2.0.tgz, which is not in this repository",
  );
  expect(steps).toContain("run this command again with --force");
  expect(findTaken("github", "").taken).toEqual([REGISTRY]);
});

it("takes no path into a workflow that a line of it cannot have", () => {
  init("vendor: a/pulumi-management $(id).tgz");
  expect(findTaken("github", "").taken).toEqual([REGISTRY]);
});

it("is told nothing of a package that a registry has", () => {
  const made = writeFiles({ dir: folder, forge: "github", workflow: { parent: PARENT } });
  expect(made.packageFile).toBeUndefined();
  expect(formatPreviewSteps(made, PARENT)).not.toContain("The program depends on");
});

it("is told so of a program of its own, which no advice overwrites", () => {
  add("preview/Pulumi.yaml", "name: mine\nruntime: nodejs\n");
  add("preview/package.json", '{ "dependencies": { "pulumi-management": "file:../../clone/a.tgz" } }');
  const { steps } = init("vendor/pulumi-management-0.2.0.tgz");
  expect(steps).toContain("The program depends on ../clone/a.tgz, which is not in this repository");
  expect(steps).not.toMatch(/again with --force/);
  add("infrastructure/Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  add("infrastructure/package.json", '{ "dependencies": { "pulumi-management": "file:../vendor/a.tgz" } }');
  const production = writeFiles({ dir: folder, forge: "github", kind: "production" });
  expect(formatProductionSteps(production, "infrastructure")).toContain(
    "The program depends on vendor/a.tgz: commit it, too.",
  );
});
