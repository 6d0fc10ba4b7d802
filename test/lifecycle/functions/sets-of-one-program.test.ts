import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Declared } from "../../crash/model-engine";
import type { Values } from "../../../provider/lifecycle/state";
import { sampleOf } from "../samples";
import type { Scenario } from "../scenario";
import { messagesOf, startMachine, type Machine } from "../../regressions/machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const set = (name: string, secrets: Record<string, string>, more: Values = {}): Declared => ({
  name,
  type: "SecretSet",
  inputs: () => ({ projectRef, secrets, ...more }),
});
const single = (name: string, value = "one", more: Values = {}): Declared => ({
  name: name.toLowerCase(),
  type: "Secret",
  inputs: () => ({ projectRef, name, value, ...more }),
});
const functionSet: Declared = {
  name: "folder",
  type: "FunctionSet",
  inputs: () => sampleOf("FunctionSet").inputs(projectRef),
};
const edgeFunction: Declared = {
  name: "one",
  type: "EdgeFunction",
  inputs: () => ({ projectRef, slug: "set-in", files: { "index.ts": "export {};" } }),
};
const onService = (): string[] =>
  scenario.emulator.control
    .call("listSecrets", { ref: projectRef })
    .map(({ name }) => name)
    .sort();

it.each([
  ["a Secret and a set", () => [single("TOKEN"), set("all", { TOKEN: "one" })], "::token (Secret)"],
  ["a set and a Secret", () => [set("all", { TOKEN: "one" }), single("TOKEN")], "::all (SecretSet)"],
  [
    "two sets",
    () => [set("one", { A: "1", TOKEN: "one" }), set("two", { TOKEN: "one" })],
    "::one (SecretSet)",
  ],
])("%s that declare one name are refused by the check", async (_, program, rival) => {
  const [message] = messagesOf(await machine.up(program()));
  expect(message).toContain(`${rival} declares the same function secrets of the project, \`TOKEN\``);
  expect(machine.engine.names).toHaveLength(1);
});

it.each([
  ["an EdgeFunction and a set", () => [edgeFunction, functionSet], "::one (EdgeFunction)"],
  ["a set and an EdgeFunction", () => [functionSet, edgeFunction], "::folder (FunctionSet)"],
])("%s that declare one slug are refused by the check", async (_, program, rival) => {
  const [message] = messagesOf(await machine.up(program()));
  expect(message).toContain(`${rival} declares the same edge functions of the project, \`set-in\``);
  expect(machine.engine.names).toHaveLength(1);
});

it("a set that prunes is refused beside anything else of the project", async () => {
  const [message] = messagesOf(await machine.up([single("TOKEN"), set("all", { A: "1" }, { prune: true })]));
  expect(message).toContain("SecretSet has them as a whole and removes what others add");
});

it("sets and Secrets of other names divide the project between them", async () => {
  const program = [single("TOKEN"), set("one", { A: "1" }), set("two", { B: "2" })];
  expect(messagesOf(await machine.up(program))).toEqual([]);
  expect(onService()).toEqual(["A", "B", "TOKEN"]);
  await machine.up(program.slice(0, 2));
  expect(onService()).toEqual(["A", "TOKEN"]);
  expect((await machine.up(program.slice(0, 2))).steps).toEqual([]);
});

it("a name that goes over from a Secret to a set stays", async () => {
  await machine.up([single("TOKEN"), single("GONE")]);
  const [refusal] = messagesOf(await machine.up([set("all", { TOKEN: "one" })]));
  expect(refusal).toContain("it has `TOKEN`");
  expect(messagesOf(await machine.up([set("all", { TOKEN: "one" }, { adopt: true })]))).toEqual([]);
  expect(onService()).toEqual(["TOKEN"]);
  expect(machine.warnings.join("\n")).toContain("::all (SecretSet) manages them now");
});

it("a name that goes over from a set to a Secret stays, and the set's others go", async () => {
  await machine.up([set("all", { TOKEN: "one", GONE: "two" })]);
  expect(messagesOf(await machine.up([single("TOKEN", "one", { adopt: true })]))).toEqual([]);
  expect(onService()).toEqual(["TOKEN"]);
});

it("a name that a set gives up while a Secret declares it stays", async () => {
  await machine.up([set("all", { TOKEN: "one", A: "1" })]);
  const program = [single("TOKEN", "one", { adopt: true }), set("all", { A: "1" })];
  expect(messagesOf(await machine.up(program))).toEqual([]);
  expect(onService()).toEqual(["A", "TOKEN"]);
});

it("a set goes whole, its file gone before, beside a Secret of another name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "management-env-"));
  const envFile = join(folder, "functions.env");
  writeFileSync(envFile, "A=1\nB=2\n");
  const fromFile: Declared = { name: "all", type: "SecretSet", inputs: () => ({ projectRef, envFile }) };
  await machine.up([fromFile, single("TOKEN")]);
  expect(onService()).toEqual(["A", "B", "TOKEN"]);
  rmSync(folder, { recursive: true });
  expect(messagesOf(await machine.up([single("TOKEN")]))).toEqual([]);
  expect(onService()).toEqual(["TOKEN"]);
});
