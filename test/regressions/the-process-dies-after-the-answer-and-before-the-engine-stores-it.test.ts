import { kinds } from "../histories/object-kinds";
import type { Scenario } from "../lifecycle/scenario";
import { sampleOf } from "../lifecycle/samples";
import { declaring, startMachine, type Machine, messagesOf } from "./machine";

const UNRECORDED = { point: "return of create" };

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

describe.each(["Project", "ApiKey", "SigningKey", "SsoProvider"])("%s", (type) => {
  const program = (): ReturnType<typeof declaring> => declaring(type, sampleOf(type).inputs(projectRef));

  it("is taken up by the next run, and destroy leaves nothing", async () => {
    const before = idsOf(type);
    await machine.upThatDies(program(), UNRECORDED);
    const made = idsOf(type).filter((id) => !before.includes(id));
    expect(made).toHaveLength(1);
    expect(machine.engine.names).toEqual([]);

    expect(messagesOf(await machine.up(program()))).toEqual([]);
    expect(machine.engine.idsOf(type)).toEqual(made);
    expect(idsOf(type)).toEqual([...before, ...made]);

    expect(messagesOf(await machine.destroy())).toEqual([]);
    expect(idsOf(type)).toEqual(before);
  });

  it("is taken up by the third run when the second one ends in the same way", async () => {
    const before = idsOf(type);
    await machine.upThatDies(program(), UNRECORDED);
    const after = idsOf(type);
    await machine.upThatDies(program(), UNRECORDED);
    expect(machine.engine.names).toEqual([]);

    expect(messagesOf(await machine.up(program()))).toEqual([]);
    expect(idsOf(type)).toEqual(after);
    expect([...before, ...machine.engine.idsOf(type)]).toEqual(after);
  });

  it("is taken up a week later", async () => {
    await machine.upThatDies(program(), UNRECORDED);
    const after = idsOf(type);
    scenario.clock.advance(7 * 24 * 60 * 60_000);
    expect(messagesOf(await machine.up(program()))).toEqual([]);
    expect(idsOf(type)).toEqual(after);
  });

  it("is made anew when it was removed by hand meanwhile", async () => {
    const before = idsOf(type);
    await machine.upThatDies(program(), UNRECORDED);
    scenario.emulator.control.edit(({ projects }) => {
      const [first, ...others] = projects.values();
      for (const { ref } of others) projects.delete(ref);
      first?.apiKeys.clear();
      first?.ssoProviders.clear();
      for (const { id, legacy } of first?.signingKeys.values() ?? []) {
        if (!legacy) first?.signingKeys.delete(id);
      }
    });
    expect(messagesOf(await machine.up(program()))).toEqual([]);
    expect(idsOf(type).filter((id) => !before.includes(id))).toEqual(machine.engine.idsOf(type));
    expect(machine.engine.idsOf(type)).toHaveLength(1);
  });
});
