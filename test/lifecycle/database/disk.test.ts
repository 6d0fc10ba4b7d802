import { halfMadeBy } from "../half-made";
import { checkInputs } from "../../../provider/engine/check";
import type { Values } from "../../../provider/define/values";
import { disk } from "../../../provider/resources/database/disk/disk";
import { parseDisk, toBody } from "../../../provider/resources/database/disk/wire";
import { resourceByType } from "../../../provider/catalog/catalog";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

const HOUR_MS = 3_600_000;

let scenario: Scenario;
let disks: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  disks = scenario.manage(disk);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({ projectRef: ref, sizeGb: 20, ...more });
const onService = () => scenario.emulator.control.call("getDisk", { ref }).attributes;
const editOutside = (change: { size_gb?: number; iops?: number }): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.disk;
    if (record) record.attributes = { ...record.attributes, ...change };
  });

it("keeps what is not declared, and stays as it is when the resource is deleted", async () => {
  const made = await disks.create(declared({ iops: 3500 }));
  expect(made).toMatchObject({ id: ref, state: { currentSizeGb: 20, sizeGb: 20, iops: 3500 } });
  expect(onService()).toEqual({ type: "gp3", size_gb: 20, iops: 3500, throughput_mibps: 125 });

  scenario.clock.advance(5 * HOUR_MS);
  scenario.nextRun();
  const changed = await disks.update(made, declared({ iops: 4000 }));
  expect(onService()).toMatchObject({ size_gb: 20, iops: 4000 });

  editOutside({ iops: 3200 });
  scenario.clock.advance(5 * HOUR_MS);
  scenario.nextRun();
  const drifted = await disks.read(changed);
  expect(drifted?.inputs).toMatchObject({ iops: 3200 });

  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await disks.delete(changed);
  expect(scenario.warnings.join("\n")).toContain("keeps its settings, because a disk cannot shrink");
  expect(scenario.calls()).toBe(0);
  expect(onService()).toMatchObject({ size_gb: 20, iops: 3200 });
});

it("writes nothing where the service has what is declared", async () => {
  await disks.create({ projectRef: ref, type: "gp3", iops: 3000 });
  expect(scenario.calls("updateDisk")).toBe(0);
});

it("leaves what is not declared as it is", async () => {
  editOutside({ iops: 3700 });
  await disks.create(declared());
  expect(onService()).toEqual({ type: "gp3", size_gb: 20, iops: 3700, throughput_mibps: 125 });
});

it("changes the type both ways", async () => {
  const made = await disks.create(declared({ type: "io2" }));
  expect(onService()).toEqual({ type: "io2", size_gb: 20, iops: 3000 });
  scenario.clock.advance(5 * HOUR_MS);
  scenario.nextRun();
  await disks.update(made, declared({ type: "gp3", throughputMibps: 250 }));
  expect(onService()).toEqual({ type: "gp3", size_gb: 20, iops: 3000, throughput_mibps: 250 });
});

it("is not shown as changed when it has grown by itself, and keeps the larger size in a later change", async () => {
  const made = await disks.create(declared());
  scenario.clock.advance(5 * HOUR_MS);
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref)?.disk;
    if (record) record.usedBytes = 19.5 * 2 ** 30;
  });
  scenario.nextRun();
  const read = await disks.read(made);
  expect(read?.state).toMatchObject({ sizeGb: 20, currentSizeGb: 30 });
  expect(disks.diff(read?.state ?? {}, declared()).changes).toBe(false);

  scenario.clock.advance(5 * HOUR_MS);
  scenario.nextRun();
  const more = await disks.update(
    { id: ref, state: read?.state ?? {} },
    declared({ sizeGb: 25, iops: 3300 }),
  );
  expect(onService()).toMatchObject({ size_gb: 30, iops: 3300 });
  expect(more.state).toMatchObject({ sizeGb: 25, currentSizeGb: 30 });
});

it("refuses to shrink in the preview, where the old size is known", () => {
  const refusals = (before: Values, sizeGb: number): unknown[] =>
    checkInputs(resourceByType("Disk"), declared({ sizeGb }), before).failures.map(({ path, reason }) => [
      path,
      reason,
    ]);
  expect(refusals(declared({ sizeGb: 50 }), 30)).toEqual([
    ["sizeGb", expect.stringContaining("it has 50 GB, the program declares 30")],
  ]);
  expect(refusals(declared({ sizeGb: 50 }), 60)).toEqual([]);
  expect(refusals({ ...declared({ sizeGb: 50 }), projectRef: "z".repeat(20) }, 30)).toEqual([]);
});

it("refuses to shrink before anything is sent, where the old size is known only then", async () => {
  editOutside({ size_gb: 50 });
  await expect(disks.create(declared())).rejects.toThrow("it has 50 GB, the program declares 20");
  expect(scenario.calls("updateDisk")).toBe(0);
  const adopted = await disks.create(declared({ adoptId: ref }));
  expect(adopted.state).toMatchObject({ sizeGb: 20, currentSizeGb: 50 });
  expect(scenario.calls("updateDisk")).toBe(0);
});

it("says from when on the service takes another change, and waits for no hours", async () => {
  const made = await disks.create(declared());
  const { last_modified_at: at = "" } = scenario.emulator.control.call("getDisk", { ref });
  const after = (hours: number): string => new Date(Date.parse(at) + hours * HOUR_MS).toISOString();
  const began = scenario.clock.now();
  const early = disks.update(made, declared({ sizeGb: 40 }));
  await expect(early).rejects.toThrow(
    `was at ${at}. The next one is possible between ${after(4)} and ${after(6)}`,
  );
  expect(scenario.clock.now() - began).toBeLessThan(10_000);
  expect(onService()).toMatchObject({ size_gb: 20 });
});

it("is changed once where the answer got lost, though another change would be too early", async () => {
  scenario.emulator.control.addFault({ operation: "updateDisk", drop: "after" });
  const made = await disks.create(declared());
  expect(made.state).toMatchObject({ currentSizeGb: 20 });
  expect(scenario.calls("updateDisk")).toBe(1);
});

it("is a half-made resource where the change does not show in time, and goes on in the next run", async () => {
  const inputs = declared({ timeouts: { create: 5 } });
  const failure = await halfMadeBy(disks.create(inputs));
  expect(failure.message).toContain("it is gp3 with 2 GB, 3000 IOPS and 125 MiB/s");
  scenario.clock.advance(60_000);
  scenario.nextRun();
  const made = await disks.update({ id: failure.id, state: failure.state }, inputs);
  expect(made.state).toMatchObject({ currentSizeGb: 20 });
  expect(scenario.calls("updateDisk")).toBe(1);
});

it("keeps attributes that this version does not know", () => {
  const attributes = { type: "gp3" as const, size_gb: 8, iops: 3000, throughput_mibps: 125, tier: "fast" };
  const present = parseDisk({ attributes });
  if (present === undefined) throw new Error("It tells what the disk is like");
  expect(toBody(present, { sizeGb: 20 })).toEqual({ attributes: { ...attributes, size_gb: 20 } });
});

it("does not take an answer without attributes for a change", async () => {
  const made = await disks.create(declared());
  scenario.nextRun();
  scenario.emulator.control.addFault({
    operation: "getDisk",
    status: 200,
    body: { attributes: { iops: 1 } },
  });
  await expect(disks.read(made)).rejects.toThrow("has no attributes");
});

it("refuses a throughput of a type that has none", () => {
  expect(disks.failures(declared({ type: "io2", throughputMibps: 200 }))).toEqual([
    expect.stringMatching(/^throughputMibps: only disks of the type `gp3`/),
  ]);
});

it("takes no answer without the time of the last change for a change that had no answer", async () => {
  const made = await disks.create(declared());
  scenario.clock.advance(7 * HOUR_MS);
  scenario.nextRun();
  const { control } = scenario.emulator;
  const body = { ...control.call("getDisk", { ref }), last_modified_at: undefined };
  control.addFault({ operation: "updateDisk", drop: "before" });
  control.addFault({ operation: "getDisk", status: 200, body, times: 1, skip: 1 });
  await disks.update(made, declared({ iops: 4000 }));
  expect(onService()).toMatchObject({ iops: 4000 });
});

describe("where the service does not show the throughput", () => {
  const hide = (): void => {
    const { control } = scenario.emulator;
    const shown = control.call("getDisk", { ref });
    const attributes = { ...shown.attributes, throughput_mibps: undefined };
    control.addFault({ operation: "getDisk", status: 200, body: { ...shown, attributes } });
  };

  it("changes nothing that would set the throughput to a value nobody has asked for", async () => {
    hide();
    await expect(disks.create(declared())).rejects.toThrow("every change has to repeat it");
    expect(scenario.calls("updateDisk")).toBe(0);
  });

  it("writes the throughput that the program declares, and shows no drift of it", async () => {
    const inputs = declared({ throughputMibps: 250 });
    hide();
    const made = await disks.create(inputs);
    expect(onService()).toMatchObject({ size_gb: 20, throughput_mibps: 250 });
    scenario.nextRun();
    hide();
    const read = await disks.read(made);
    expect(read?.state).toMatchObject({ throughputMibps: 250 });
    expect(disks.diff(read?.state ?? {}, inputs).changes).toBe(false);
  });

  it("does not wait for a throughput that it cannot see", async () => {
    const { attributes: before } = scenario.emulator.control.call("getDisk", { ref });
    const attributes = { ...before, throughput_mibps: undefined, size_gb: 20 };
    scenario.emulator.control.addFault({
      operation: "getDisk",
      status: 200,
      body: { attributes },
      times: 100,
    });
    await disks.create(declared({ throughputMibps: 250 }));
    // The service takes a while to make a change.
    scenario.clock.advance(60_000);
    expect(onService()).toMatchObject({ throughput_mibps: 250 });
    expect(scenario.calls("updateDisk")).toBe(1);
  });
});
