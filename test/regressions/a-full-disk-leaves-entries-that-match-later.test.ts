import fs from "node:fs";
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
afterEach(async () => {
  jest.restoreAllMocks();
  await machine.close();
});

const idsOf = (type: string): string[] => kinds[type]?.ids(scenario, projectRef) ?? [];

/** From the journal's `count`th write on, the disk is full. */
function fillDisk(count: number): void {
  const write = fs.writeFileSync;
  let writes = 0;
  jest.spyOn(fs, "writeFileSync").mockImplementation((file, ...rest) => {
    if (!String(file).includes("creates")) return write(file, ...rest);
    writes += 1;
    if (writes < count) return write(file, ...rest);
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
}

function makeTheirs(type: string): void {
  const { control } = scenario.emulator;
  if (type === "ApiKey") {
    control.call("createApiKey", { ref: projectRef, body: { type: "secret", name: "backend" } });
  } else {
    control.call("initializeCustomHostname", {
      ref: projectRef,
      body: { custom_hostname: "db.example.com" },
    });
  }
}

function removeByHand(type: string): void {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(projectRef);
    if (project === undefined) return;
    if (type === "ApiKey") project.apiKeys.clear();
    else project.customHostname = null;
  });
}

describe.each([
  ["before the create", 1],
  ["between the create and its answer", 2],
])("a disk that is full %s", (_when, writes) => {
  it.each(["ApiKey", "CustomHostname"])("leaves nothing that a later %s matches", async (type) => {
    sampleOf(type).prepare?.(scenario, projectRef);
    const program = declaring(type, sampleOf(type).inputs(projectRef));
    removeByHand(type);
    fillDisk(writes);
    expect(messagesOf(await machine.up(program))).toEqual([]);
    expect(machine.engine.idsOf(type)).toEqual(idsOf(type));
    expect(machine.warnings).toHaveLength(1);
    expect(machine.warnings[0]).toContain("no space left on device");
    jest.restoreAllMocks();

    removeByHand(type);
    expect((await machine.refresh()).steps).toEqual(["gone it"]);
    makeTheirs(type);
    const theirs = idsOf(type);
    const messages = messagesOf(await machine.up(program));
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(`\`adoptId: "${theirs[0] ?? ""}"\``);
    expect(machine.engine.names).toEqual([]);
    await machine.destroy();
    expect(idsOf(type)).toEqual(theirs);
  });
});

it("does not stop a run of many creates, and is told once", async () => {
  fillDisk(1);
  const program = ["one", "two", "three"].map((name) => ({
    name,
    type: "ApiKey",
    inputs: () => ({ projectRef, type: "secret", name: `key_${name}` }),
  }));
  expect(messagesOf(await machine.up(program))).toEqual([]);
  expect(machine.engine.idsOf("ApiKey").every((id) => idsOf("ApiKey").includes(id))).toBe(true);
  expect(machine.engine.names).toHaveLength(3);
  expect(machine.warnings).toHaveLength(1);
});
