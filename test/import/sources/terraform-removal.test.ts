import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { literalNames } from "../../../spec/names/names";
import { planRemoval, type TerraformCommand } from "../../../import/sources/terraform-removal";
import { readTerraform, type TerraformOptions } from "../../../import/sources/terraform";
import { useFolder } from "./folder";
import { block, REF, stateText, type Block } from "./state";

const folder = useFolder();
const example = readFileSync(join(__dirname, "example.tfstate.json"), "utf8");

function removal(text: string, options: Partial<TerraformOptions> = {}, engine?: TerraformCommand) {
  const source = readTerraform(text, { file: "s", names: literalNames, folder: folder.path, ...options });
  return planRemoval(source, engine);
}

const key = (name: string) => ({ id: name, project_ref: REF, name, type: "secret" });
const keys: Block = {
  ...block("apikey", {}),
  instances: [
    { index_key: "a'b", attributes: key("worker") },
    { index_key: "b", attributes: key("backend") },
  ],
};

function commandsOf(text: string, ...more: [Partial<TerraformOptions>?, TerraformCommand?]): string[] {
  return removal(text, ...more).steps.map(({ command }) => command);
}

it("looks at both plans before anything leaves the state, and at Terraform's afterwards", () => {
  expect(commandsOf(stateText([keys]))).toEqual([
    "terraform plan",
    "pulumi preview",
    "terraform state pull > before-pulumi.tfstate",
    "terraform state rm -dry-run \\\n  'svc_apikey.main'",
    "terraform state rm \\\n  'svc_apikey.main'",
    "terraform validate",
    "terraform plan",
  ]);
});

it("names the commands of the other engine where that runs", () => {
  expect(commandsOf(stateText([keys]), {}, "tofu").join("\n")).not.toMatch(/terraform/);
});

it("names single instances where the others of the block stay", () => {
  const other = { ...key("other"), project_ref: "zyxwvutsrqponmlkjihg" };
  const mixed: Block = {
    ...keys,
    instances: [...keys.instances.slice(0, 1), { index_key: "c", attributes: other }],
  };
  const { steps, removedBlocks, withoutBlocks } = removal(stateText([mixed]), { projectRef: REF });
  expect(steps[4]?.command).toBe("terraform state rm \\\n  'svc_apikey.main[\"a'\\''b\"]'");
  expect(removedBlocks).toBeUndefined();
  expect(withoutBlocks).toMatch(/of svc_apikey\.main only some instances are taken over/);
});

describe("a block that also makes what stays in Terraform", () => {
  const other = { ...key("other"), project_ref: "zyxwvutsrqponmlkjihg" };
  const saysOf = (...blocks: Block[]): string =>
    removal(stateText(blocks), { projectRef: REF }).steps.map(({ says }) => says)[5] ?? "";

  it("stays in the files, without the keys of what is taken over", () => {
    const mixed: Block = {
      ...keys,
      instances: [
        { index_key: "dev", attributes: key("dev") },
        { index_key: "prod", attributes: other },
      ],
    };
    const says = saysOf(mixed, { ...keys, name: "alone" });
    expect(says).toContain("delete the resource blocks svc_apikey.alone;");
    expect(says).toContain(
      'keep the block svc_apikey.main, which also makes svc_apikey.main["prod"]: from its `for_each`, or that of its module, remove only the keys of svc_apikey.main["dev"]',
    );
    expect(says).not.toMatch(/delete[^;]*svc_apikey\.main/);
  });

  it("stays in the files of a module that has other instances, and has no `removed` block", () => {
    const inModule = (module: string, attributes: Block["instances"][0]["attributes"]): Block => ({
      ...block("apikey", attributes),
      module: `module.preview["${module}"]`,
    });
    const blocks = [inModule("dev", key("dev")), inModule("prod", other)];
    const says = saysOf(...blocks);
    expect(says).not.toContain("delete the resource");
    expect(says).toContain("keep the block module.preview.svc_apikey.main, which also makes");
    const { removedBlocks, steps } = removal(stateText(blocks), { projectRef: REF });
    expect(removedBlocks).toBeUndefined();
    expect(steps[4]?.command).toBe("terraform state rm \\\n  'module.preview[\"dev\"].svc_apikey.main'");
  });

  it("is not told to lower a `count`, which would destroy the last ones", () => {
    const counted: Block = {
      ...keys,
      instances: [
        { index_key: 0, attributes: key("dev") },
        { index_key: 1, attributes: other },
      ],
    };
    const says = saysOf(counted);
    expect(says).toContain("in place of `count`, give it (or its module) a `for_each`");
    expect(says).toContain("svc_apikey.main[1]");
    expect(says).not.toContain("delete the resource");
  });
});

it("offers `removed` blocks without keys, from Terraform 1.7 on", () => {
  const inModule: Block = { ...keys, module: 'module.preview["a]b"].module.c[0]' };
  const { removedBlocks } = removal(stateText([keys, inModule]));
  expect(removedBlocks).toBe(
    [
      "removed {\n  from = svc_apikey.main\n\n  lifecycle {\n    destroy = false\n  }\n}\n",
      "removed {\n  from = module.preview.module.c.svc_apikey.main\n\n  lifecycle {\n    destroy = false\n  }\n}\n",
    ].join("\n"),
  );
  const old = removal(stateText([keys], { terraform_version: "1.5.7" }));
  expect(old.removedBlocks).toBeUndefined();
  expect(old.withoutBlocks).toMatch(/need Terraform 1\.7 or later, and 1\.5\.7 wrote this state/);
});

it("leaves in Terraform what the program does not have", () => {
  const branch = block("branch", { id: "b", database: { id: "tsrqponmlkjihgfedcba" } });
  expect(commandsOf(stateText([keys, branch]))[4]).not.toMatch(/svc_branch/);
});

it("warns of destroying, of secrets in old states and of what would be forgotten", () => {
  const deposed: Block = {
    ...block("apikey", {}),
    instances: [
      { attributes: { ...key("worker"), api_key: "hush-hush" } },
      { attributes: key("old"), deposed: "8a2b" },
    ],
  };
  const { warnings } = removal(stateText([deposed]));
  expect(warnings.join("\n")).toMatch(/Never run `terraform destroy`/);
  expect(warnings.join("\n")).toMatch(/have secrets in plain text, at 1 place:/);
  expect(warnings.join("\n")).toMatch(/svc_apikey\.main has an old object .* `state rm` would forget it too/);
});

const hasTerraform = spawnSync("terraform", ["version"]).status === 0;

/** Runs a line as a user would, in the folder of the state. */
function shell(command: string): string {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: folder.path,
    encoding: "utf8",
    env: { ...process.env, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" },
  });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
  return stdout;
}

(hasTerraform ? it : it.skip)(
  `Terraform itself takes the commands${hasTerraform ? "" : " (not tried: it is not installed here)"}`,
  () => {
    folder.write("terraform.tfstate", example);
    const { steps } = removal(example);
    const [, , pull, dry, remove] = steps.map(({ command }) => command);
    shell(pull ?? "");
    const listed = shell("terraform state list").trim().split("\n");
    const managed = listed.filter((address) => !address.startsWith("data."));
    const would = [...shell(dry ?? "").matchAll(/^Would remove (.*)$/gm)].map(([, address = ""]) => address);
    expect([...would].sort()).toEqual(managed.filter((address) => address !== "svc_branch.imported").sort());
    expect(shell("terraform state list").trim().split("\n")).toEqual(listed);
    shell(remove ?? "");
    expect(shell("terraform state list").trim().split("\n").sort()).toEqual(
      listed.filter((address) => !would.includes(address)).sort(),
    );
    shell("terraform state push -force before-pulumi.tfstate");
    expect(shell("terraform state list").trim().split("\n")).toEqual(listed);
  },
);

(hasTerraform ? it : it.skip)(
  `Terraform itself has the same addresses for keys of any kind${hasTerraform ? "" : " (not tried: it is not installed here)"}`,
  () => {
    const odd = ["a'b", 'quote"', "back\\slash", "${x}", "%{y}", "line\nbreak", "0", "ü"];
    const text = stateText([
      {
        ...keys,
        instances: odd.map((index) => ({ index_key: index, attributes: key(`key_${odd.indexOf(index)}`) })),
      },
      {
        ...keys,
        name: "other",
        module: 'module.a["x"]',
        instances: [{ index_key: 0, attributes: key("more") }],
      },
    ]);
    folder.write("terraform.tfstate", text);
    const source = readTerraform(text, { file: "s", names: literalNames, folder: folder.path });
    const listed = shell("terraform state list").trim().split("\n").sort();
    expect(source.taken.map(({ address }) => address).sort()).toEqual(listed);
    const quoted = source.taken.map(({ address }) => `'${address.replaceAll("'", "'\\''")}'`);
    const would = shell(`terraform state rm -dry-run ${quoted.join(" ")}`).match(/^Would remove/gm);
    expect(would).toHaveLength(source.taken.length);
  },
);
