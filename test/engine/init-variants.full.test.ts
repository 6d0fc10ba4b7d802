import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { previewName } from "../../previews";
import { run } from "../../previews/run";
import { provideActionlint } from "../../tools/engine/actionlint";
import { findPackageRoot } from "../../tools/engine/package-root";
import { startS3Server, type S3Server } from "../../tools/engine/s3-server";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import {
  ADDRESS,
  expectDone,
  onGitHub,
  onGitLab,
  scriptOf,
  type Driver,
  type Place,
} from "./workflows/drivers";
import { startForge, type ForgeStub, type StubbedPull } from "./workflows/forge-stub";
import { readPipeline } from "./workflows/gitlab-pipeline";
import { createRepository, type Repository } from "./workflows/repository";
import { runnerEnvironment } from "./workflows/runner-environment";
import { startService, type Service } from "./workflows/service";
import { readWorkflow } from "./workflows/workflow-file";

// Everything that `init` can write: linted, and every script in it run at least once, with the states in a bucket that takes
// static keys.

const BACKENDS = [
  undefined,
  "s3://states?region=eu-central-1",
  "gs://states",
  "azblob://states",
  "postgres://db.example.com/states",
  "https://states.example.com",
];
const FORGES = ["github", "gitlab"] as const;
const APPS = ["apps/shop", "apps/admin"];

interface Variant {
  readonly forge: (typeof FORGES)[number];
  readonly args: readonly string[];
  readonly apps: readonly string[];
  readonly dotenv: string | undefined;
  /** Folder of the program, with --production. */
  readonly program?: string;
  /** Beside a pipeline of the repository's own. */
  readonly folder: string;
}

const root = mkdtempSync(join(tmpdir(), "management-variants-"));

const previews = FORGES.flatMap((forge) =>
  BACKENDS.flatMap((backend) =>
    [[], APPS].flatMap((apps) =>
      [true, false].flatMap((drafts) =>
        [undefined, "web/.env.local"].map((dotenv): Omit<Variant, "folder"> => ({
          // That two are apart is tried once, without a front end.
          ...{ forge, dotenv, apps: dotenv === undefined ? apps : apps.slice(0, 1) },
          args: [
            ...(backend === undefined ? [] : ["--backend", backend]),
            ...(drafts ? [] : ["--no-drafts"]),
            ...(dotenv === undefined ? [] : ["--dotenv", dotenv]),
          ],
        })),
      ),
    ),
  ),
);
const production = FORGES.flatMap((forge) =>
  BACKENDS.flatMap((backend) =>
    ["infrastructure", "apps/shop"].map((program): Omit<Variant, "folder"> => ({
      ...{ forge, program, apps: [], dotenv: undefined },
      args: [
        ...["--production", "--program", program],
        ...(backend === undefined ? [] : ["--backend", backend]),
      ],
    })),
  ),
);
const variants = [...previews, ...production].map((each, index): Variant => ({
  ...each,
  folder: join(root, String(index)),
}));

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
const workflowsOf = ({ folder }: Variant): string[] => filesIn(join(folder, ".github/workflows"));
const pipelinesOf = ({ folder }: Variant): string[] => [
  ...filesIn(join(folder, ".gitlab")),
  ...filesIn(folder).filter((file) => file.endsWith(".gitlab-ci.yml")),
];

/** The text of every script of a variant; those of GitLab are each a job's. */
function scriptsOf(variant: Variant, without: ReadonlySet<string> = new Set()): string[] {
  const wanted = (file: string): boolean => !without.has(file);
  return [
    ...workflowsOf(variant)
      .filter(wanted)
      .flatMap((file) =>
        Object.values(readWorkflow(file).jobs).flatMap(({ steps }) =>
          steps.flatMap(({ run: text }) => text ?? []),
        ),
      ),
    ...pipelinesOf(variant)
      .filter(wanted)
      .flatMap((file) => Object.values(readPipeline(file)).map(scriptOf)),
  ];
}

const executed = new Set<string>();
const logs: string[] = [];
let service: Service;
let forge: ForgeStub;
let bucket: S3Server;
let env: Readonly<Record<string, string | undefined>>;
beforeAll(async () => {
  service = await startService();
  for (const { forge: name, args, program, apps, folder } of variants) {
    mkdirSync(folder);
    for (const app of apps.length === 0 ? [undefined] : apps) {
      if (app !== undefined) mkdirSync(join(folder, app), { recursive: true });
      let said = "";
      const streams = { out: () => undefined, err: (text: string) => void (said += text) };
      const all = [
        "init",
        "--dir",
        folder,
        "--forge",
        name,
        ...args,
        ...(program === undefined ? ["--parent", service.project] : []),
        ...(app === undefined ? [] : ["--app", app]),
      ];
      const code = await run(all, streams);
      if (code !== 0) throw new Error(`${all.join(" ")}: ${said}`);
    }
  }
  const engine = await engineForTests();
  forge = await startForge("acme/shop");
  bucket = await startS3Server({
    env: process.env,
    log: (line) => void process.stderr.write(`s3: ${line}\n`),
  });
  // Who has no keys is not to find those of this machine.
  env = { ...runnerEnvironment(engine, root), AWS_EC2_METADATA_DISABLED: "true" };
}, PROVISIONING_TIMEOUT_MS);
afterAll(async () => {
  await bucket.dispose();
  await forge.close();
  await service.emulator.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

it("are 120, and no two of them are the same but where an option is for the other forge", () => {
  expect(variants).toHaveLength(120);
  const texts = variants.map((each) =>
    [...workflowsOf(each), ...pipelinesOf(each)].map((file) => readFileSync(file, "utf8")).join("\n"),
  );
  // What reaches a backend is in a workflow of GitHub alone; that of Pulumi Cloud is there without an address as well.
  expect(new Set(texts.slice(0, 96)).size).toBe(8 * 5 + 8);
  for (const each of variants) expect(workflowsOf(each).length + pipelinesOf(each).length).toBeGreaterThan(0);
});

it(
  "actionlint finds nothing in what is written for GitHub",
  async () => {
    const log = (line: string): void => void process.stderr.write(`actionlint: ${line}\n`);
    const linter = await provideActionlint({ env: process.env, log });
    if (!linter.ok) throw new Error(linter.reason);
    const files = variants.flatMap(workflowsOf);
    expect(files).toHaveLength(24 + 12 * 2 + 12 + 12 * 2);
    const said = execFileSync(linter.value, ["-no-color", "-shellcheck=", "-pyflakes=", ...files], {
      encoding: "utf8",
    });
    expect(said).toBe("");
  },
  PROVISIONING_TIMEOUT_MS,
);

it("a shell can read every script", () => {
  for (const script of new Set(variants.flatMap((each) => scriptsOf(each))))
    execFileSync("bash", ["-n"], { input: script.replaceAll(/\$\{\{.*?\}\}/g, "x"), stdio: "pipe" });
});

it("each step that has the address of a bucket has its keys, and no other step has them", () => {
  const KEYS = ["AWS_ACCESS_KEY_ID", "AWS_REGION", "AWS_SECRET_ACCESS_KEY"];
  const ofBucket = variants.filter(({ args }) => args.some((arg) => arg.startsWith("s3:")));
  for (const file of ofBucket.flatMap(workflowsOf)) {
    for (const { env: given } of Object.values(readWorkflow(file).jobs).flatMap(({ steps }) => steps)) {
      const keys = Object.keys(given).filter((name) => name.startsWith("AWS_"));
      expect([file, keys.sort()]).toEqual([file, "PULUMI_BACKEND_URL" in given ? KEYS : []]);
    }
  }
});

/** Lines of a job of the main branch on GitLab that reach the states; the address itself is the same for all. */
const EXPORTED_KEYS =
  /^(?:export (?:AWS|GOOGLE|AZURE|PULUMI_CONFIG_PASSPHRASE).*|: "\$\{MAIN_PULUMI_CONFIG_PASSPHRASE:-.*)\n/gm;

/** Variables of the main branch that the jobs of GitLab take for a backend; with one of Pulumi, of two secrets one is enough. */
const MAIN_KEYS: readonly (readonly [string | undefined, readonly string[]])[] = [
  [undefined, ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"]],
  ["s3:", ["AWS_ACCESS_KEY_ID", "AWS_REGION", "AWS_SECRET_ACCESS_KEY", "PULUMI_CONFIG_PASSPHRASE"]],
  ["gs:", ["GOOGLE_CREDENTIALS", "PULUMI_CONFIG_PASSPHRASE"]],
  ["azblob:", ["AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "PULUMI_CONFIG_PASSPHRASE"]],
  ["postgres:", ["PULUMI_CONFIG_PASSPHRASE"]],
  ["https:", ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"]],
];

it.each(MAIN_KEYS)("for GitLab, each job of the main branch takes the keys of %s only", (scheme, keys) => {
  const all = variants.filter(({ forge: name, program, args }) => {
    const address = BACKENDS.find((each) => each !== undefined && args.includes(each));
    return name === "gitlab" && program !== undefined && address?.split("//")[0] === scheme;
  });
  expect(all).toHaveLength(2);
  for (const script of all.flatMap((each) => scriptsOf(each))) {
    const taken = script.matchAll(/\$\{MAIN_((?:AWS|GOOGLE|AZURE|PULUMI)_\w+)/g);
    const names = new Set(Array.from(taken, ([, name]) => name));
    names.delete("PULUMI_BACKEND_URL");
    expect([...names].sort()).toEqual(keys);
  }
});

it("what is for production is, but for the folder and the keys of a backend, what its own tests run", () => {
  for (const variant of variants.filter(({ program }) => program !== undefined)) {
    const examples = variant.forge === "github" ? ["production", "drift"] : ["production"];
    const own = examples.flatMap((name) => {
      const example = { ...variant, folder: join(findPackageRoot(), "examples", name) };
      const others = new Set((variant.forge === "github" ? pipelinesOf : workflowsOf)(example));
      return scriptsOf(example, others);
    });
    const written = scriptsOf(variant).map((text) =>
      text.replaceAll(`cd ${variant.program ?? ""}\n`, "cd infrastructure\n"),
    );
    const withoutKeys = (script: string): string => script.replaceAll(EXPORTED_KEYS, "");
    expect(written.map(withoutKeys).sort()).toEqual(own.map(withoutKeys).sort());
  }
});

const driverOf = (variant: Variant, repository: Repository): Driver => {
  const place: Place = {
    ...{ forge, repository, env, logs, onScript: (script) => void executed.add(script) },
    vars: {
      MANAGEMENT_BASE_URL: service.emulator.url,
      AWS_REGION: bucket.region,
    },
    secrets: {
      ...{ MANAGEMENT_ACCESS_TOKEN: service.token, PULUMI_BACKEND_URL: bucket.backendUrl, ...bucket.keys },
      PULUMI_CONFIG_PASSPHRASE: "passphrase-of-the-states",
    },
  };
  if (variant.forge === "gitlab") return onGitLab(pipelinesOf(variant).map(readPipeline), place);
  return onGitHub(workflowsOf(variant).map(readWorkflow), place);
};

/** Of those with the same scripts one is enough: the one with the most in its workflows. */
const distinct = FORGES.flatMap((forge) =>
  [[], APPS].flatMap((apps) =>
    [undefined, "web/.env.local"].flatMap(
      (dotenv) =>
        variants.find(
          (each) =>
            each.forge === forge &&
            (each.apps.length === 0) === (apps.length === 0) &&
            each.dotenv === dotenv &&
            each.args.includes("--no-drafts") &&
            each.args.some((arg) => arg.startsWith("s3:")),
        ) ?? [],
    ),
  ),
);

it.each(
  distinct.map((each, index) => {
    const title = `${each.forge}${each.apps.length === 0 ? "" : `, ${each.apps.join(" and ")}`}${each.dotenv === undefined ? "" : ", with a front end"}`;
    return [title, each, index] as const;
  }),
)(
  "%s: a pull request is opened, fails, and is closed, and what is left is swept",
  async (_, variant, index) => {
    const repository = createRepository();
    try {
      const number = 100 + index;
      const pull: StubbedPull = { number, branch: "feature", from: "acme/shop", state: "open", commit: "" };
      forge.pulls.set(number, pull);
      const { apps } = variant;
      const folders = apps.length === 0 ? [""] : apps.map((app) => `${app}/`);
      const names = folders.map((folder) =>
        previewName(folder === "" ? "pr-" : `${folder.split("/")[1] ?? ""}-pr-`, number, {
          ...{ repository: ADDRESS, parentRef: service.project },
        }),
      );
      const files = Object.fromEntries(
        readdirSync(variant.folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((path) => [path.slice(variant.folder.length + 1), readFileSync(path, "utf8")] as const),
      );
      // Of the repository itself, the example has some.
      const migration = "create table orders (id int primary key);\n";
      const migrations = apps.map(
        (app) => [`${app}/database/migrations/20260101120000_create_orders.sql`, migration] as const,
      );
      const web = folders.map((folder) => [`${folder}web/index.html`, "<p>Shop</p>\n"] as const);
      repository.push("main", { ...files, ...Object.fromEntries([...migrations, ...web]) });
      const jobs = driverOf(variant, repository);

      pull.commit = repository.push("feature", {});
      const made = await expectDone(jobs.up(pull));
      expect(made).toHaveLength(names.length);
      expect(service.branches()).toEqual(names.toSorted());
      for (const { log, artifacts } of made) {
        expect(log.includes("web/.env.local: ")).toBe(variant.dotenv !== undefined);
        if (variant.forge === "gitlab" && variant.dotenv !== undefined)
          expect(artifacts).toEqual([expect.stringMatching(/^VITE_API_URL='?http/m)]);
      }
      const comments = (): string[] =>
        forge.comments.filter((comment) => comment.pull === number).map(({ body }) => body);
      expect(comments()).toHaveLength(names.length);

      const wrong = Object.fromEntries(
        folders.map((folder) => [`${folder}database/migrations/20260102120000_x.sql`, "create tabel x;\n"]),
      );
      pull.commit = repository.push("feature", wrong);
      for (const { isDone } of await jobs.up(pull)) expect(isDone).toBe(false);
      for (const body of comments())
        expect(body).toMatch(/failed[^]*20260102120000_x\.sql[^]*Before this run/);

      pull.state = "closed";
      await expectDone(jobs.remove(pull));
      expect(service.branches()).toEqual([]);
      for (const body of comments()) expect(body).toContain("The preview was removed.");

      for (const name of names) {
        const body = { branch_name: name, git_branch: "feature" };
        service.emulator.control.call("createBranch", { ref: service.project, body });
      }
      service.emulator.control.edit(({ branches }) => {
        for (const branch of branches.values()) branch.createdAt -= 2 * 3_600_000;
      });
      await expectDone(jobs.sweep());
      expect(service.branches()).toEqual([]);
    } finally {
      repository.dispose();
    }
  },
);

it("every script of every variant was run, but for what is for an install that fails", () => {
  // Whether drafts have a preview is one word of the command.
  const inGeneral = (script: string): string => script.replaceAll(" --no-drafts", "");
  const all = variants.filter(({ program }) => program === undefined).flatMap((each) => scriptsOf(each));
  const run = new Set([...executed].map(inGeneral));
  const left = new Set(all.map(inGeneral).filter((script) => !run.has(script)));
  // previews-ordinary-work.full.test.ts
  expect([...left].filter((script) => !/^npx .* comment .*--failed$/.test(script))).toEqual([]);
});

it("no log and no comment shows a secret", () => {
  const shown = [...logs, ...forge.comments.map(({ body }) => body)].join("\n");
  expect(shown).not.toMatch(/pat_[0-9a-f]{10}|ghs_[0-9a-f]{10}|postgres(?:ql)?:\/\/\S+:\S+@|passphrase-of/);
});
