import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewName, previewStacks } from "../../previews";
import { NotThePreviewError } from "../../previews/preview";
import { UntrustedStateError } from "../../previews/state-code";
import { secretInState, useFakePulumi } from "./fake-pulumi";

// A pull request writes the state of its stack. What its removal would run of it runs with the default branch's secrets.

const PARENT = "pppppppppppppppppppp";
const REPOSITORY = "https://forge.example.com/acme/shop";
const NAME = previewName("pr-", 7, { repository: REPOSITORY, parentRef: PARENT });
const preview = { name: NAME, parentRef: PARENT, gitBranch: "feature", pullRequest: 7 };

const SERVICE = "https://api.example.com";

const pulumi = useFakePulumi();
beforeEach(() => {
  process.env["MANAGEMENT_BASE_URL"] = SERVICE;
});

const at = (name: string): string => join(pulumi.folder, name);
const find = (...allowed: readonly string[]) =>
  previewStacks({ pattern: "{name}", workDir: pulumi.folder, allowedPackages: allowed }).find(preview);
const OUR_CODE = 'exports.handler = () => require("pulumi-management/dynamic").provider("Branch")';
const dynamic = (code: unknown): object => ({
  type: "pulumi-nodejs:dynamic/management:Branch",
  inputs: { __provider: code, projectRef: PARENT, name: NAME, gitBranch: "feature", pullRequest: 7 },
  outputs: { __provider: code },
});
const branch = { projectRef: PARENT, name: NAME, gitBranch: "feature", pullRequest: 7 };
const inUrn = (type: string): object => ({ urn: `urn:pulumi:${NAME}::previews::${type}::x` });
const provider = (name: string, inputs: object = {}): object => ({
  type: `pulumi:providers:${name}`,
  inputs,
});

function lock(...names: readonly string[]): void {
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, {}]));
  writeFileSync(at("package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }));
}

it.each<[string, readonly object[], string[]]>([
  ["what this package writes", [dynamic(OUR_CODE), provider("pulumi-nodejs"), provider("management")], []],
  ["a package of the program's lock file", [provider("random")], ["@pulumi/random"]],
  ["one of somebody else", [provider("thing")], ["@acme/pulumi-thing"]],
  ["one below another", [provider("random")], ["x/node_modules/@pulumi/random"]],
  ["no address", [provider("random", { pluginDownloadURL: "" })], ["@pulumi/random"]],
  ["the job's own service", [provider("management", { baseUrl: `${SERVICE}/` })], []],
  [
    "resources of ours and components of others",
    [
      {
        ...inUrn("acme:index:Shop$management:index:Branch"),
        type: "management:index:Branch",
        inputs: branch,
      },
      { ...inUrn("acme:index:Shop"), type: "acme:index:Shop", custom: false },
      {
        ...inUrn("pulumi:pulumi:StackReference"),
        type: "pulumi:pulumi:StackReference",
        custom: true,
        id: "x",
      },
    ],
    [],
  ],
])("a stack is removed with %s in its state", async (_what, resources, names) => {
  lock(...names);
  pulumi.hasResources(...resources);
  expect(await find()).toBeDefined();
});

it.each<[string, object, string, string]>([
  [
    "code of a program's own",
    dynamic("exports.handler = () => require('child_process').execSync('id')"),
    "the dynamic provider of a pulumi-nodejs:dynamic/management:Branch",
    "dynamic",
  ],
  ["code behind ours", dynamic(`${OUR_CODE};process.exit()`), "the dynamic provider", "dynamic"],
  ["code on a line of its own", dynamic(`${OUR_CODE}\nprocess.exit()`), "the dynamic provider", "dynamic"],
  ["code that is hidden", dynamic(secretInState("evil()")), "the dynamic provider", "dynamic"],
  ["code that is no text", dynamic({ code: "evil()" }), "the dynamic provider", "dynamic"],
  ["a package that no lock file has", provider("command"), "the package command, which no lock", "command"],
  ["one that another name begins with", provider("rand"), "the package rand, which no lock", "rand"],
  [
    "an address of a plugin",
    provider("random", { pluginDownloadURL: "https://evil.example.com" }),
    "the package random from the address https://evil.example.com",
    "random=https://evil.example.com",
  ],
  [
    "an address further down",
    provider("random", { __internal: { pluginDownloadURL: "https://evil.example.com" } }),
    "the package random from the address https://evil.example.com",
    "random=https://evil.example.com",
  ],
  [
    "a package made of another one",
    provider("random", { __internal: { name: "terraform-provider" } }),
    "the package terraform-provider, which no lock",
    "terraform-provider",
  ],
  [
    "a resource without a provider, for which the engine starts that of its package",
    { type: "command:local:Command", custom: true, id: "1" },
    "the package command, which no lock",
    "command",
  ],
  [
    "a resource whose URN has a type of another package",
    { ...inUrn("command:local:Command"), type: "management:index:Project", custom: true, id: "1" },
    "the package command, which no lock",
    "command",
  ],
  [
    "a provider of another package in its URN",
    { ...inUrn("pulumi:providers:command"), type: "pulumi:providers:management", custom: true, id: "1" },
    "the package command, which no lock",
    "command",
  ],
  [
    "a provider below a component in its URN",
    { ...inUrn("acme:index:Shop$pulumi:providers:command"), type: "acme:index:Shop" },
    "the package command, which no lock",
    "command",
  ],
  ["a package with a line end in its name", provider("command\nx"), "the package command", "command\nx"],
  [
    "an address of the service that is not the job's",
    provider("management", { baseUrl: "https://evil.example.com" }),
    "the token of the job to the address https://evil.example.com (baseUrl)",
    "management=https://evil.example.com",
  ],
  [
    "one that is hidden",
    provider("management", { baseUrl: secretInState("https://evil.example.com") }),
    "the token of the job to the address https://evil.example.com (baseUrl)",
    "management=https://evil.example.com",
  ],
])("a stack stays with %s in its state, unless that is allowed by name", async (_what, given, why, name) => {
  lock("@pulumi/random");
  for (const has of [() => pulumi.hasResources(given), () => pulumi.hasResources({ type: "x:y:Z" }, given)]) {
    has();
    const refused = find();
    await expect(refused).rejects.toThrow(UntrustedStateError);
    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow("--allow-package ");
    await expect(find("other")).rejects.toThrow(UntrustedStateError);
    expect(await find(name)).toBeDefined();
  }
  expect(pulumi.calls()).toEqual([]);
});

it("a branch of another preview does not hide behind another type", async () => {
  const other = { projectRef: PARENT, name: NAME, gitBranch: "other", pullRequest: 8 };
  const hidden = { ...inUrn("management:index:Branch"), type: "acme:index:Shop", custom: true, id: "1" };
  pulumi.hasResources({ ...hidden, inputs: other, outputs: { ref: "c".repeat(20) } });
  await expect(find("acme")).rejects.toThrow(NotThePreviewError);
});

it("a resource whose creation was interrupted counts, too", async () => {
  pulumi.hasPending({ projectRef: PARENT, name: NAME, gitBranch: "feature", __provider: "evil()" });
  await expect(find()).rejects.toThrow(UntrustedStateError);
});

it("the lock file may be that of a workspace, above the program, and no further than the repository", async () => {
  const program = at("repository/apps/preview");
  mkdirSync(program, { recursive: true });
  mkdirSync(at("repository/.git"));
  pulumi.hasResources(provider("random"));
  const stacks = previewStacks({ pattern: "{name}", workDir: program, allowedPackages: [] });
  lock("@pulumi/random");
  await expect(stacks.find(preview)).rejects.toThrow(UntrustedStateError);
  writeFileSync(at("repository/pnpm-lock.yaml"), "packages:\n  '@pulumi/random@4.18.0':\n");
  expect(await stacks.find(preview)).toBeDefined();
});
