import type { Declared } from "../crash/model-engine";
import { kinds } from "../histories/objects";
import type { Scenario } from "../lifecycle/scenario";
import { sampleOf } from "../lifecycle/samples";
import { messagesOf, startMachine, type Machine } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const declared = (type: string, rest: Partial<Declared> & { readonly adoptId?: string }): Declared[] => {
  const { adoptId, ...others } = rest;
  const inputs = { ...sampleOf(type).inputs(projectRef), ...(adoptId === undefined ? {} : { adoptId }) };
  return [{ name: "it", type, inputs: () => inputs, ...others }];
};
const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

describe.each(["Project", "EdgeFunction", "ApiKey"])("a %s that exists already", (type) => {
  it("is kept by an alias or replaced old one first before it is taken over", async () => {
    await machine.up(declared(type, {}));
    await machine.up(declared(type, {}));
    const [message = ""] = messagesOf(await machine.up(declared(type, { name: "renamed" })));
    const places = ["aliases: [", "deleteBeforeReplace: true", "adoptId: "].map((line) =>
      message.indexOf(line),
    );
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  it.each([
    ["renamed", { name: "renamed" }],
    ["replaced by force", { isReplaced: true }],
  ])("stays, with a warning, when it was taken over because it is %s", async (_why, edit) => {
    await machine.up(declared(type, {}));
    await machine.up(declared(type, {}));
    const before = idsOf(type);
    const id = machine.engine.get("it")?.id ?? "";
    expect(messagesOf(await machine.up(declared(type, { ...edit, adoptId: id })))).toEqual([]);
    expect(idsOf(type)).toEqual(before);
    expect(machine.warnings).toEqual([expect.stringContaining("stays as it is")]);
    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(idsOf(type)).not.toContain(id);
  });
});

it("says who has what was not removed", async () => {
  await machine.up(declared("ApiKey", {}));
  const adoptId = machine.engine.get("it")?.id ?? "";
  await machine.up(declared("ApiKey", { name: "renamed", adoptId }));
  expect(machine.warnings.join()).toContain(
    "urn:pulumi:dev::shop::management:index:ApiKey::renamed has it now",
  );
});
