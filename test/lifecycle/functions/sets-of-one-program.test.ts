import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resourceByType } from "../../../provider/catalog/catalog";
import type { AnyResource } from "../../../provider/define/resource";
import { checkInputs } from "../../../provider/engine/check";
import { createResource } from "../../../provider/engine/create/create";
import { checkAgainstProgram } from "../../../provider/engine/program-conflicts";
import { updateResource } from "../../../provider/engine/update";
import { diffResource } from "../../../provider/engine/diff";
import { ModelEngine, type Declared, type Outcome } from "../../kit/model-engine";
import type { Values } from "../../../provider/define/values";
import { sampleOf } from "../../kit/samples";
import type { Scenario } from "../../kit/scenario";
import { messagesOf, startMachine, type Machine } from "../../kit/machine";

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
  expect(message).toContain("SecretSet manages all of them, so no other resource of the program can");
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
  expect(messagesOf(await machine.up([set("all", { TOKEN: "one" })]))).toEqual([]);
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

describe("a secret that goes over within one program", () => {
  const valueOf = (name: string): string | undefined =>
    scenario.emulator.world.state.projects.get(projectRef)?.secrets.get(name)?.value;

  interface Move {
    readonly before: readonly Declared[];
    readonly after: readonly Declared[];
    /** The resources that have it, when all is done. */
    readonly then: readonly Declared[];
  }
  const moved = (value: string): Declared[] => [set("one", { A: "1" }), set("two", { B: "2", TOKEN: value })];
  const moves: readonly (readonly [string, () => Move])[] = [
    [
      "is moved between two sets",
      () => ({
        before: [set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })],
        after: moved("one"),
        then: moved("one"),
      }),
    ],
    [
      "is split off into a new set",
      () => ({ before: [set("one", { A: "1", TOKEN: "one" })], after: moved("one"), then: moved("one") }),
    ],
    [
      "comes with all of a set that is merged into another",
      () => {
        const after = [set("two", { A: "1", B: "2", TOKEN: "one" })];
        return { before: [set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })], after, then: after };
      },
    ],
    [
      "goes from a Secret to a set",
      () => ({
        before: [single("TOKEN"), set("two", { B: "2" })],
        after: [set("two", { B: "2", TOKEN: "one" })],
        then: [set("two", { B: "2", TOKEN: "one" })],
      }),
    ],
    [
      "goes from a set to a Secret",
      () => {
        const after = [set("one", { A: "1" }), single("TOKEN")];
        return { before: [set("one", { A: "1", TOKEN: "one" })], after, then: after };
      },
    ],
  ];

  it.each(
    moves.flatMap(([title, move]) => [
      [title, "as declared", move, false] as const,
      [title, "the other one first", move, true] as const,
    ]),
  )(
    "%s, in the order %s: it stays all the time, and has one owner afterwards",
    async (_, _order, move, isReversed) => {
      const { before, after, then } = move();
      expect(messagesOf(await machine.up(before))).toEqual([]);
      scenario.emulator.control.clearCalls();
      const program = isReversed ? [...after].reverse() : after;
      expect(messagesOf(await machine.up(program))).toEqual([]);
      // Where this engine has not come to the taker yet, the giver removes it, and the taker makes it again.
      const takerIsFirst = isReversed || after.length === 1;
      expect(scenario.calls("deleteSecrets")).toBe(takerIsFirst ? 0 : 1);
      expect(valueOf("TOKEN")).toBe("one");
      expect((await machine.up(program)).steps).toEqual([]);
      // What has it no longer leaves it, what has it takes it along.
      const owner = then.filter(({ inputs }) => JSON.stringify(inputs(() => ({}))).includes("TOKEN"));
      await machine.up(owner);
      expect(valueOf("TOKEN")).toBe("one");
      await machine.up([]);
      expect(onService()).toEqual([]);
    },
  );

  it("may change its value at once", async () => {
    await machine.up([set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })]);
    expect(messagesOf(await machine.up(moved("another")))).toEqual([]);
    expect(valueOf("TOKEN")).toBe("another");
    expect(onService()).toEqual(["A", "B", "TOKEN"]);
  });

  it("goes over on a machine that forgets its disk where both are in the program", async () => {
    await machine.up([set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })]);
    machine.forget();
    expect(messagesOf(await machine.up(moved("another")))).toEqual([]);
    expect(valueOf("TOKEN")).toBe("another");
  });

  it("is still the other's to take where that failed in the run in which the one left it", async () => {
    await machine.up([set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })]);
    const program = moved("another").reverse();
    // This engine comes to the giver after the taker: nothing but the record of an earlier run tells of another value.
    expect(messagesOf(await machine.up(program))).toHaveLength(1);
    expect(valueOf("TOKEN")).toBe("one");
    expect(messagesOf(await machine.up(program))).toEqual([]);
    expect(valueOf("TOKEN")).toBe("another");
    expect((await machine.up(program)).steps).toEqual([]);
    await machine.up([set("one", { A: "1" })]);
    expect(onService()).toEqual(["A"]);
  });

  it("leaves two sets that one run changes each their own names", async () => {
    await machine.up([set("one", { A: "1" }), set("two", { B: "2" })]);
    const program = [set("one", { A: "1", C: "3" }), set("two", { B: "2", D: "4" })];
    expect(messagesOf(await machine.up(program))).toEqual([]);
    scenario.emulator.control.clearCalls();
    expect((await machine.up(program)).steps).toEqual([]);
    expect(scenario.calls("deleteSecrets")).toBe(0);
    expect(onService()).toEqual(["A", "B", "C", "D"]);
  });

  it("of a new set that died is that one's, whatever the engine shows of the other set before", async () => {
    const one = set("one", { A: "1" });
    await machine.up([one]);
    const program = [one, set("two", { B: "2" })];
    await machine.upThatDies(program, { point: "answer createSecrets" });
    expect(onService()).toEqual(["A", "B"]);
    expect(messagesOf(await machine.up(program))).toEqual([]);
    await machine.up([one]);
    expect(onService()).toEqual(["A"]);
  });

  it("is not somebody else's, who made one of the name since: that one is refused", async () => {
    await machine.up([set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })]);
    scenario.emulator.control.call("createSecrets", {
      ref: projectRef,
      body: [{ name: "TOKEN", value: "theirs" }],
    });
    // The set that had it goes out of the program: only what an earlier run left on record tells of it.
    const [refusal] = messagesOf(await machine.up([set("two", { B: "2", TOKEN: "one" })]));
    expect(refusal).toContain("already has `TOKEN`. Nothing was changed.");
    expect(valueOf("TOKEN")).toBe("theirs");
  });

  it("of a set that goes out of the program is taken over by the line of the refusal, on a machine that forgets its disk", async () => {
    await machine.up([set("one", { A: "1", TOKEN: "one" }), set("two", { B: "2" })]);
    machine.forget();
    const merged = { A: "1", B: "2", TOKEN: "one" };
    const [refusal] = messagesOf(await machine.up([set("two", merged)]));
    expect(refusal).toContain(
      "or only a resource that you remove from this program, take them over with `adopt: true`",
    );
    machine.forget();
    expect(messagesOf(await machine.up([set("two", merged, { adopt: true })]))).toEqual([]);
    expect(onService()).toEqual(["A", "B", "TOKEN"]);
    expect((await machine.up([set("two", merged)])).steps).toEqual([]);
  });
});

describe("a secret that another program has", () => {
  const other = new ModelEngine("prod");
  const upThere = (program: readonly Declared[]): Promise<Outcome> =>
    machine.run((process) => other.up(program, process));

  it.each([
    ["a set that is there", () => [set("two", { B: "2" })], () => [set("two", { B: "2", TOKEN: "two" })]],
    ["a new set", () => [], () => [set("two", { TOKEN: "two" })]],
    ["a Secret", () => [], () => [single("TOKEN", "two")]],
  ])("is refused to %s, with advice that works when it is followed literally", async (_, before, after) => {
    await upThere([set("one", { A: "1", TOKEN: "one" })]);
    await machine.up(before());
    const [refusal] = messagesOf(await machine.up(after()));
    expect(refusal).toMatch(
      /If another program has (?:it|them), remove (?:it|them) from (?:that program|it) and run `pulumi up` there(?: first)?, then here/,
    );
    expect(refusal).toMatch(/adopt: true|adoptId/);
    expect(messagesOf(await upThere([set("one", { A: "1" })]))).toEqual([]);
    expect(messagesOf(await machine.up(after()))).toEqual([]);
    expect(onService()).toEqual(["A", ...(before().length > 0 ? ["B"] : []), "TOKEN"]);
    expect((await upThere([set("one", { A: "1" })])).steps).toEqual([]);
    // Neither program removes what is the other's.
    expect(messagesOf(await upThere([]))).toEqual([]);
    expect(onService()).toContain("TOKEN");
    expect(messagesOf(await machine.up([]))).toEqual([]);
    expect(onService()).toEqual([]);
  });
});

describe("a name that one step gives up while another takes it", () => {
  /** Inputs or a state of a resource of one program. */
  const of = (name: string, values: Values): Values => ({
    projectRef,
    ...values,
    __owner: `urn:pulumi:dev::shop::management:index:Any::${name}`,
  });

  interface Crossing {
    readonly gives: string;
    readonly before: Values;
    readonly after: Values;
    readonly takes: string;
    readonly declared: Values;
  }

  /** The engine comes to the taker when the giver's step has begun, and knew nothing of the taker. */
  async function cross({ gives, before, after, takes, declared }: Crossing): Promise<void> {
    const { runtime } = machine.begin();
    const [giver, taker] = [resourceByType(gives), resourceByType(takes)];
    const checked = (resource: AnyResource, name: string, values: Values): Values => {
      const { inputs, failures } = checkInputs(resource, of(name, values));
      expect(checkAgainstProgram(runtime.program, resource, inputs, failures)).toEqual([]);
      return inputs;
    };
    const made = await createResource(runtime, giver, checked(giver, "giver", before));
    const edited = checked(giver, "giver", after);
    diffResource(runtime, giver, made.id, of("giver", made.state), edited);
    const giving = updateResource(runtime, giver, made.id, of("giver", made.state), edited);
    await Promise.all([giving, createResource(runtime, taker, checked(taker, "taker", declared))]);
  }

  it.each([
    ["a set", "SecretSet", { secrets: { TOKEN: "one" } }],
    ["a Secret", "Secret", { name: "TOKEN", value: "one" }],
  ])("is there afterwards: a secret that %s takes", async (_, takes, declared) => {
    const [before, after] = [{ secrets: { A: "1", TOKEN: "one" } }, { secrets: { A: "1" } }];
    await cross({ gives: "SecretSet", before, after, takes, declared });
    expect(onService()).toEqual(["A", "TOKEN"]);
  });

  it("is there afterwards: a function that an EdgeFunction takes", async () => {
    const sample = sampleOf("FunctionSet");
    const { functions, sourceDir } = sample.changed(projectRef);
    const smaller = { functions, sourceDir: sample.inputs(projectRef)["sourceDir"] };
    const declared = { slug: "set-new", files: { "index.ts": "export {};" } };
    await cross({
      ...{ gives: "FunctionSet", before: { functions, sourceDir }, after: smaller },
      ...{ takes: "EdgeFunction", declared },
    });
    const slugs = scenario.emulator.control
      .call("listFunctions", { ref: projectRef })
      .map(({ slug }) => slug);
    expect(slugs.sort()).toEqual(["set-in", "set-new", "set-out"]);
  });
});
