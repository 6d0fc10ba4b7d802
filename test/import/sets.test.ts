import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { takeInventory, type Inventory } from "../../import/inventory";
import { omitSetMembers, addFunctionSet, addSecretSet } from "../../import/sets";
import { placeSource } from "../../import/source-folders";
import { run } from "../../import/run";
import { resourceByType } from "../../provider/catalog/catalog";
import { checkInputs } from "../../provider/engine/check";
import { diffAt } from "../../provider/engine/diff";
import { startScenario, type Scenario } from "../kit/scenario";
import { growProject, PAYMENT_TOKEN } from "../../tools/engine/grown-project";
import { useFolder } from "./sources/folder";

const folder = useFolder();
let scenario: Scenario;
let ref: string;
let began: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = growProject(scenario.emulator);
  began = process.cwd();
  process.chdir(folder.path);
});
afterEach(async () => {
  process.chdir(began);
  await scenario.close();
});

const HELLO = {
  "index.ts": 'import { greet } from "./greet.ts";\n\nDeno.serve(() => new Response(greet("`${name}`")));\n',
  "greet.ts": "export const greet = (name: string) => `Hello, ${name}`;\n",
};

function write(at: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) folder.write(`${at}/${name}`, text);
}

async function read(secretValues: ReadonlyMap<string, string> = new Map()): Promise<Inventory> {
  const choose = ["FunctionSet", "SecretSet"];
  const inventory = await takeInventory(scenario.runtime, { projectRef: ref, choose, secretValues });
  const functions = join(folder.path, "functions");
  const objects = inventory.objects.map((each) => placeSource(each, folder.path, functions).found);
  return { ...inventory, objects };
}

async function withFunctions(): Promise<Inventory> {
  return addFunctionSet(await read(), folder.path, join(folder.path, "functions"));
}

/** What an update of what the stack records would change. */
function changesOf({ objects }: Inventory, type: string): unknown {
  const { inputs = {}, state = {} } = objects.find((each) => each.type === type) ?? {};
  const { inputs: checked, failures } = checkInputs(resourceByType(type), inputs, inputs);
  expect(failures).toEqual([]);
  return diffAt(resourceByType(type), state, checked, scenario.clock.now()).properties.map(
    ({ path }) => path,
  );
}

const typesOf = ({ objects }: Inventory): string[] => objects.map(({ type }) => type);

describe("a FunctionSet", () => {
  it("takes the functions whose source a folder has, with no change", async () => {
    write("functions/hello", HELLO);
    const inventory = await withFunctions();
    expect(typesOf(inventory)).toContain("FunctionSet");
    expect(typesOf(inventory)).not.toContain("EdgeFunction");
    expect(changesOf(inventory, "FunctionSet")).toEqual([]);
  });

  it("is made of folders with the deployed source, where there were none", async () => {
    const inventory = await withFunctions();
    expect(readFileSync("functions/hello/greet.ts", "utf8")).toBe(HELLO["greet.ts"]);
    expect(changesOf(inventory, "FunctionSet")).toEqual([]);
  });

  it("excludes the folders of which something else is deployed, or nothing", async () => {
    write("functions/hello", HELLO);
    write("functions/orders", { "index.ts": "Deno.serve(() => new Response());\n" });
    const inventory = await withFunctions();
    const set = inventory.objects.find(({ type }) => type === "FunctionSet");
    expect(set?.inputs).toEqual({ projectRef: ref, sourceDir: "functions", exclude: ["orders"] });
    expect(changesOf(inventory, "FunctionSet")).toEqual([]);
  });

  it("is refused where its import would be a deploy", async () => {
    write("functions/hello", { ...HELLO, "index.ts": "Deno.serve(() => new Response());\n" });
    await expect(withFunctions()).rejects.toThrow(
      "A FunctionSet cannot be imported without a deploy: functions has no function with the source that is deployed.",
    );
  });

  it("keeps its folder when a later run finds another function", async () => {
    const recorded = [
      { type: "FunctionSet", name: "functions", importId: `${ref}/functions`, names: ["hello"] },
    ];
    const beside = omitSetMembers(await read(), recorded, folder.path);
    expect(typesOf(beside)).not.toContain("EdgeFunction");
    const others = omitSetMembers(
      await read(),
      [{ ...recorded[0], importId: `${ref}/sources`, names: [] } as never],
      folder.path,
    );
    expect(typesOf(others)).toContain("EdgeFunction");
  });
});

describe("a SecretSet", () => {
  it("takes the secrets whose values are known, with no change", async () => {
    const values = new Map([["PAYMENT_TOKEN", PAYMENT_TOKEN]]);
    const inventory = addSecretSet(await read(values));
    expect(changesOf(inventory, "SecretSet")).toEqual([]);
    expect(inventory.secrets.map(({ name, isInSet }) => [name, isInSet])).toEqual([
      ["MAIL_PASSWORD", undefined],
      ["PAYMENT_TOKEN", true],
    ]);
  });

  it("is refused where its import would be a write", async () => {
    const inventory = await read();
    expect(() => addSecretSet(inventory)).toThrow("A SecretSet cannot be imported without a write");
  });
});

it.each([
  ["--no-import", []],
  ["--from-terraform", ["state.json"]],
])("is refused beside %s before anything is read or written", async (option, values) => {
  let text = "";
  const add = (line: string): void => {
    text += line;
  };
  const out = join(folder.path, "program");
  mkdirSync(folder.path, { recursive: true });
  const code = await run(
    ["--project", ref, "--out", out, option, ...values, "--choose", "SecretSet"],
    { out: add, err: add },
    {},
  );
  expect({ code, isWritten: existsSync(out) }).toEqual({ code: 1, isWritten: false });
  expect(text).toContain(`\`--choose SecretSet\` cannot be combined with \`${option}\``);
});
