import type { Scenario } from "../lifecycle/scenario";
import { declaring, startMachine, type Machine, messagesOf } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const statuses = (): string[] =>
  [...(scenario.emulator.world.state.projects.get(projectRef)?.signingKeys.values() ?? [])].map(
    ({ algorithm, status }) => `${algorithm} ${status}`,
  );

describe.each([
  ["dies at the answer", { point: "answer createSigningKey" }],
  ["dies before the engine records the key", { point: "return of create" }],
  ["dies while the request is under way", { point: "request createSigningKey", isUnderWay: true }],
] as const)("when the process %s", (_when, death) => {
  it("the next run takes the key up: one key, and one rotation", async () => {
    const program = declaring("SigningKey", { projectRef, algorithm: "ES256", status: "in_use" });
    const [legacy = ""] = statuses();
    expect(legacy).toMatch(/in_use$/);
    await machine.upThatDies(program, death);

    expect(messagesOf(await machine.up(program))).toEqual([]);
    scenario.clock.advance(60_000);
    expect(statuses()).toEqual([legacy.replace("in_use", "previously_used"), "ES256 in_use"]);
    expect(scenario.calls("createSigningKey")).toBe(1);
    expect(scenario.calls("updateSigningKey")).toBe(0);
    expect((await machine.up(program)).steps).toEqual([]);
  });
});
