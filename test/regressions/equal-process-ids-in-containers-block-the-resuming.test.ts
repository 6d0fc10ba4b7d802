import type { ProcessMark, Processes } from "../../provider/lifecycle/recovery/journal/process-mark";
import { systemProcesses } from "../../provider/lifecycle/recovery/journal/process-mark";
import { kinds } from "../histories/object-kinds";
import type { Scenario } from "../lifecycle/scenario";
import { sampleOf } from "../lifecycle/samples";
import { declaring, startMachine, type Machine, messagesOf } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

/** A process of the same id as this one. */
function namesake(changes: Partial<ProcessMark>): Processes {
  const system = systemProcesses();
  return {
    own: { ...system.own, token: "the earlier one", ...changes },
    isRunning: (mark) => system.isRunning(mark),
  };
}

const program = (): ReturnType<typeof declaring> =>
  declaring("ApiKey", sampleOf("ApiKey").inputs(projectRef));
const idsOnService = (): string[] => kinds["ApiKey"]?.ids(scenario, projectRef) ?? [];

describe.each([
  ["of an earlier container", { machine: "another container" }],
  ["of an earlier start of this container", { started: "earlier" }],
])("what a process %s with the same id left", (_which, changes) => {
  it.each([
    ["an answer", "answer createApiKey"],
    ["a record", "return of create"],
  ])("without %s is taken up at once", async (_what, point) => {
    const before = idsOnService();
    await machine.upThatDies(program(), { point }, namesake(changes));
    const beganMs = scenario.clock.now();
    expect(messagesOf(await machine.up(program(), systemProcesses()))).toEqual([]);
    expect(scenario.clock.now() - beganMs).toBeLessThan(1_000);
    expect(idsOnService()).toEqual([...before, ...machine.engine.idsOf("ApiKey")]);
    expect(machine.engine.names).toEqual(["it"]);
  });
});

it("what a process still makes that does run is waited for, and not made a second time", async () => {
  const before = idsOnService();
  await machine.upThatDies(program(), { point: "answer createApiKey" }, namesake({}));
  const after = idsOnService();
  const [message] = messagesOf(await machine.up(program(), systemProcesses()));
  expect(message).toContain(`the process ${process.pid} on this machine, which is creating this resource`);
  expect(after).toHaveLength(before.length + 1);
  expect(idsOnService()).toEqual(after);
});
