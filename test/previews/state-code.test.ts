import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewName, previewStacks } from "../../previews";
import { UntrustedStateError } from "../../previews/state-code";
import { secretInState, useFakePulumi } from "./fake-pulumi";

// A pull request writes the state of its stack. What its removal would run of it runs with the default branch's secrets.

const PARENT = "pppppppppppppppppppp";
const REPOSITORY = "https://forge.example.com/acme/shop";
const NAME = previewName("pr-", 7, { repository: REPOSITORY, parentRef: PARENT });
const preview = { name: NAME, parentRef: PARENT, gitBranch: "feature", pullRequest: 7 };

const pulumi = useFakePulumi();

const at = (name: string): string => join(pulumi.folder, name);
const find = (...allowed: readonly string[]) =>
  previewStacks({ pattern: "{name}", workDir: pulumi.folder, allowedPackages: allowed }).find(preview);
const OUR_CODE = 'exports.handler = () => require("pulumi-management/dynamic").provider("Branch")';
const dynamic = (code: unknown): object => ({
  type: "pulumi-nodejs:dynamic/management:Branch",
  inputs: { __provider: code, projectRef: PARENT, name: NAME, gitBranch: "feature", pullRequest: 7 },
  outputs: { __provider: code },
});
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
