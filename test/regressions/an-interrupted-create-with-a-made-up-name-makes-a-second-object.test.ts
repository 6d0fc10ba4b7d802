import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { OperationName } from "../../spec/table";
import { startPluginProcess, type PluginProcess } from "../adapters/plugin-process";
import { formsOf } from "../kit/forms";
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

const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

/** A declaration without the name that the provider can make up. */
function unnamed(type: string): ReturnType<typeof declaring> {
  const sample = sampleOf(type);
  return declaring(type, formsOf(sample).at(-1)?.inputs(sample, projectRef) ?? {});
}

const cases: [type: string, create: OperationName, list: OperationName][] = [
  ["Project", "createProject", "listOrganizationProjects"],
  ["ApiKey", "createApiKey", "listApiKeys"],
  ["EdgeFunction", "deployFunction", "listFunctions"],
  ["Branch", "createBranch", "listBranches"],
];

describe.each(cases)("%s", (type, create, list) => {
  it("is found by the next run when the process dies at the answer", async () => {
    const before = idsOf(type);
    await machine.upThatDies(unnamed(type), { point: `answer ${create}` });
    const made = idsOf(type).filter((id) => !before.includes(id));
    expect(made).toHaveLength(1);

    expect(messagesOf(await machine.up(unnamed(type)))).toEqual([]);
    expect(machine.engine.idsOf(type)).toEqual(made);
    expect(idsOf(type)).toEqual([...before, ...made]);
  });

  it("is found by the next run when its request lands after the death", async () => {
    const before = idsOf(type);
    await machine.upThatDies(unnamed(type), { point: `request ${create}`, isUnderWay: true });
    expect(idsOf(type)).toEqual(before);

    expect(messagesOf(await machine.up(unnamed(type)))).toEqual([]);
    scenario.clock.advance(60_000);
    expect(idsOf(type)).toEqual([...before, ...machine.engine.idsOf(type)]);
    expect(machine.engine.idsOf(type)).toHaveLength(1);
  });

  it("is found by the next run after a 502 whose look-ups answer 503", async () => {
    const { control } = scenario.emulator;
    const before = idsOf(type);
    control.addFault({ operation: create, status: 502, after: true });
    control.addFault({ operation: list, status: 503, skip: 1, times: 1_000 });
    expect(messagesOf(await machine.up(unnamed(type)))).toHaveLength(1);
    control.clearFaults();
    const made = idsOf(type).filter((id) => !before.includes(id));
    expect(made).toHaveLength(1);

    expect(messagesOf(await machine.up(unnamed(type)))).toEqual([]);
    expect(machine.engine.idsOf(type)).toEqual(made);
    expect(idsOf(type)).toEqual([...before, ...made]);
  });

  it("is called the same in the next preview", async () => {
    const folder = mkdtempSync(join(tmpdir(), "management-names-"));
    const begin = (): Promise<PluginProcess> =>
      startPluginProcess(scenario, type, {
        config: {},
        env: {
          MANAGEMENT_BASE_URL: scenario.emulator.url,
          MANAGEMENT_ACCESS_TOKEN: scenario.emulator.accessToken,
          XDG_STATE_HOME: folder,
        },
      });
    const [declared] = unnamed(type);
    const inputs = declared?.inputs(() => ({})) ?? {};
    const first = await begin();
    const { inputs: named } = await first.check(inputs, {}, proposing("made_up_first"));
    scenario.emulator.control.addFault({ operation: create, status: 502, after: true });
    scenario.emulator.control.addFault({ operation: list, status: 503, skip: 1, times: 1_000 });
    await expect(first.create(named)).rejects.toThrow();
    await first.close();

    const second = await begin();
    const { inputs: again } = await second.check(inputs, {}, proposing("made_up_second"));
    await second.close();
    rmSync(folder, { recursive: true });
    expect(Object.values(named)).toContain("made_up_first");
    expect(again).toEqual(named);
  });
});

/** The engine proposes another name in each run. */
function proposing(name: string): proto.CheckRequest.AutonamingOptions {
  const options = new proto.CheckRequest.AutonamingOptions();
  options.setMode(proto.CheckRequest.AutonamingOptions.Mode.PROPOSE);
  options.setProposedName(name);
  return options;
}
