import type { FaultRule } from "../../emulator";
import type { Made } from "../../provider/lifecycle/create";
import { InitializationError } from "../../provider/lifecycle/initialization-error";
import { resourceOf, samples, type Sample } from "./samples";
import { startScenario, type Managed, type Scenario } from "./scenario";

const faults: Readonly<Record<string, Omit<FaultRule, "operation">>> = {
  "a 429": { status: 429 },
  "a 500": { status: 500 },
  "a 500 after the work": { status: 500, after: true },
  "a connection closed before the work": { drop: "before" },
  "a connection closed after the work": { drop: "after" },
};

interface Stage {
  readonly scenario: Scenario;
  readonly managed: Managed;
  readonly ref: string;
}

async function stageFor(sample: Sample): Promise<Stage> {
  const scenario = await startScenario();
  const ref = sample.needsProject ? scenario.healthyProject() : "";
  sample.prepare?.(scenario, ref);
  return { scenario, managed: scenario.manage(resourceOf(sample)), ref };
}

/** As `pulumi up` does until it succeeds: a step that failed is taken up again by the next run. */
async function upUntilDone(first: () => Promise<Made>, resume: (made: Made) => Promise<Made>): Promise<Made> {
  try {
    return await first();
  } catch (error) {
    if (!(error instanceof InitializationError)) return first();
    return resume({ id: error.id, state: error.state });
  }
}

function publishDnsRecords({ scenario }: Stage, made: Made): void {
  const ownership: unknown = made.state["ownershipVerification"];
  const records: unknown = made.state["validationRecords"];
  const publish = (name: unknown, value: unknown): void => {
    if (typeof name !== "string" || typeof value !== "string") return;
    scenario.emulator.control.edit((state) => void state.dnsTxt.set(name, [value]));
  };
  if (typeof ownership === "object" && ownership !== null) {
    publish(Reflect.get(ownership, "name"), Reflect.get(ownership, "value"));
  }
  for (const record of Array.isArray(records) ? (records as object[]) : []) {
    publish(Reflect.get(record, "txtName"), Reflect.get(record, "txtValue"));
  }
}

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (_type, sample) => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await stageFor(sample);
  });
  afterEach(() => stage.scenario.close());

  const inject = (step: keyof Sample["operations"], fault: Omit<FaultRule, "operation">): void => {
    stage.scenario.emulator.control.addFault({ ...fault, operation: sample.operations[step] });
  };
  const expectFaultHappened = (): void => {
    expect(stage.scenario.emulator.control.pendingFaults()).toEqual([]);
  };
  const shown = (): unknown[] => sample.onService(stage.scenario, stage.ref);

  it.each(Object.entries(faults))("is there once after %s in its create", async (_name, fault) => {
    const inputs = sample.inputs(stage.ref);
    inject("create", fault);
    const made = await upUntilDone(
      () => stage.managed.create(inputs),
      (half) => stage.managed.update(half, inputs),
    );
    expectFaultHappened();
    expect(shown()).toHaveLength(1);
    stage.scenario.nextRun();
    const read = await stage.managed.read(made);
    expect(read).toBeDefined();
    expect(stage.managed.diff(read?.state ?? {}, inputs)).toMatchObject({ changes: false });
  });

  it.each(Object.entries(faults))("is read as it is after %s in its read", async (_name, fault) => {
    const inputs = sample.inputs(stage.ref);
    const made = await stage.managed.create(inputs);
    stage.scenario.nextRun();
    inject("read", fault);
    const read = await stage.managed.read(made);
    expectFaultHappened();
    expect(stage.managed.diff(read?.state ?? {}, inputs)).toMatchObject({ changes: false });
    expect(shown()).toHaveLength(1);
  });

  it.each(Object.entries(faults))("is as declared after %s in its update", async (_name, fault) => {
    const made = await stage.managed.create(sample.inputs(stage.ref));
    publishDnsRecords(stage, made);
    stage.scenario.nextRun();
    inject("update", fault);
    const inputs = sample.changed(stage.ref);
    const updated = await upUntilDone(
      () => stage.managed.update(made, inputs),
      (half) => stage.managed.update(half, inputs),
    );
    expectFaultHappened();
    expect(shown().map(sample.isChanged)).toEqual([true]);
    stage.scenario.nextRun();
    const read = await stage.managed.read(updated);
    expect(stage.managed.diff(read?.state ?? {}, inputs)).toMatchObject({ changes: false });
  });

  it.each(Object.entries(faults))("is gone after %s in its delete", async (_name, fault) => {
    const made = await stage.managed.create(sample.inputs(stage.ref));
    stage.scenario.nextRun();
    inject("delete", fault);
    await stage.managed.delete(made);
    expectFaultHappened();
    expect(shown()).toEqual([]);
    await stage.managed.delete(made);
  });
});
