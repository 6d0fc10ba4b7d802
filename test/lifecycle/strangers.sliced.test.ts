import { ManagementClient } from "../../provider/client";
import type { SettledResource } from "../../provider/engine/create/create";
import { InitializationError } from "../../provider/engine/step/errors";
import { isOnlyIdentity, isRepeatable } from "../../provider/engine/create/fingerprint";
import { operations, type OperationName } from "../../spec/table";
import { faultKinds, type Fault } from "./fault-kinds";
import { resourceOf, samplesInTier, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

jest.setTimeout(120_000);

/** Longer than the service's clock is inaccurate. */
const APART_MS = 3_000;
/** Real time after which a call that a fault holds is given up. */
const IMPATIENT_MS = 100;
const RUNS = 3;

/** Kinds of faults that leave it open whether the create happened. */
const UNCLEAR = [
  "500 before the work",
  "500 after the work",
  "502 page before the work",
  "502 page after the work",
  "503 before the work",
  "timeout",
  "reset before the work",
  "reset after the work",
  "answer cut off",
  "garbage with 200",
];

/** A call of the client, whose parameters go through unseen. */
type Send = (parameters: unknown, options: unknown) => Promise<unknown>;
type Around = (name: OperationName, parameters: unknown, send: () => Promise<unknown>) => Promise<unknown>;

/** Lets somebody act around each call of the run. */
function intercept(scenario: Scenario, client: ManagementClient, around: Around): void {
  const intercepted = new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (!Object.hasOwn(operations, name)) return member.bind(target) as unknown;
      return (parameters: unknown, options: unknown) =>
        around(name as OperationName, parameters, () => (member as Send)(parameters, options));
    },
  });
  scenario.runtime.client = () => intercepted;
}

/** What of the sample there is, by identifiers; a set consists of the named things that it shows. */
async function idsOf(sample: Sample, scenario: Scenario, ref: string): Promise<string[]> {
  if (sample.objects !== undefined) return sample.objects.ids(scenario, ref);
  return (await sample.onService(scenario, ref)).flatMap((set) =>
    Object.entries(Object(set) as object).map((thing) => JSON.stringify(thing)),
  );
}

async function start(sample: Sample): Promise<{ scenario: Scenario; ref: string }> {
  const scenario = await startScenario({ pace: 0.1 });
  const ref = scenario.healthyProject("bystander");
  sample.prepare?.(scenario, ref);
  return { scenario, ref };
}

/** The operation by which the sample comes to be on the service. */
async function creatingOperation(sample: Sample): Promise<OperationName> {
  const { scenario, ref } = await start(sample);
  try {
    const before = (await idsOf(sample, scenario, ref)).length;
    let creating: OperationName | undefined;
    intercept(scenario, scenario.client, async (name, _parameters, send) => {
      const answer = await send();
      if ((await idsOf(sample, scenario, ref)).length > before) creating ??= name;
      return answer;
    });
    await scenario.manage(resourceOf(sample)).create({ ...sample.inputs(ref), ...sample.secretInputs });
    if (creating === undefined) throw new Error(`Nothing made the ${sample.type}`);
    return creating;
  } finally {
    await scenario.close();
  }
}

type Moment = "just before" | "just after";

/** A stranger makes the very same, by the very same call; what the run has then is removed. */
async function meetStranger(
  sample: Sample,
  create: OperationName,
  fault: Fault,
  when: Moment,
): Promise<void> {
  const { scenario, ref } = await start(sample);
  const { emulator, clock } = scenario;
  const impatient = new ManagementClient({
    baseUrl: emulator.url,
    credentials: { kind: "token", accessToken: () => emulator.accessToken },
    clock,
    requestTimeoutMs: IMPATIENT_MS,
  });
  const client = fault.hold === undefined ? scenario.client : impatient;
  let theirs: string[] | undefined;
  const makeTheirs = async (parameters: unknown): Promise<void> => {
    // The parameters are those of this operation.
    const call = emulator.control.call.bind(emulator.control) as (name: string, given: unknown) => unknown;
    const before = await idsOf(sample, scenario, ref);
    await call(create, parameters);
    theirs = (await idsOf(sample, scenario, ref)).filter((id) => !before.includes(id));
  };
  emulator.control.addFault({ ...fault, operation: create });
  const meet = async (parameters: unknown, send: () => Promise<unknown>): Promise<unknown> => {
    if (when === "just before") {
      await makeTheirs(parameters);
      clock.advance(APART_MS);
      return send();
    }
    try {
      return await send();
    } finally {
      clock.advance(APART_MS);
      await makeTheirs(parameters);
    }
  };
  let meeting: Promise<unknown> | undefined;
  const watch = (): void =>
    intercept(scenario, client, async (name, parameters, send) => {
      if (name !== create) return send();
      if (meeting === undefined) return (meeting = meet(parameters, send));
      // What leaves beside it, as of a set, must not meet the fault.
      await meeting.catch(() => undefined);
      return send();
    });
  const managed = scenario.manage(resourceOf(sample));
  const inputs = { ...sample.inputs(ref), ...sample.secretInputs };
  let made: SettledResource | undefined;
  let failure = "";
  try {
    for (let run = 0; run < RUNS && made === undefined; run += 1) {
      watch();
      try {
        made = await managed.create(inputs);
      } catch (error) {
        failure = String(error);
        if (error instanceof InitializationError) made = { id: error.id, state: error.state };
      }
      scenario.nextRun();
    }
    if (made === undefined && !/outcome of the create at .*adoptId/s.test(failure))
      throw new Error(`the error does not say what there is and how to take it over: ${failure}`);
    if (made !== undefined) await managed.delete(made);
    const left = await idsOf(sample, scenario, ref);
    const lost = theirs?.filter((each) => !left.includes(each)) ?? ["everything"];
    if (lost.length > 0) throw new Error(`theirs is gone: ${lost.join()}`);
    const ofDatabase = sample.isInDatabase === true ? inputs["name"] : ref;
    const [id = ""] = sample.objects === undefined ? [String(ofDatabase)] : (theirs ?? []);
    if (made === undefined && !failure.includes(id)) throw new Error(`${id} is not named: ${failure}`);
  } finally {
    await impatient.close();
    await scenario.close();
  }
}

/** Whether the create that the fault hits is carried out. */
const isCarriedOut = ({ after, hold, drop }: Fault): boolean =>
  after === true || hold === "after" || drop === "after" || drop === "midway";

/** Whether the service itself answers: only then does the answer end the time in which the create can have happened. */
const isAnswered = ({ status }: Fault): boolean => status === 500 || status === 200;

const findable = samplesInTier().filter((sample) => {
  const resource = resourceOf(sample);
  // What is nothing but its identity is the same, whoever has made it, and is taken (docs/decisions/0134).
  return resource.find !== undefined && resource.isAction !== true && !isOnlyIdentity(resource);
});

describe.each(findable.map((sample) => [sample.type, sample] as const))(
  "a %s of a stranger",
  (_type, sample) => {
    let create: OperationName;
    beforeAll(async () => {
      create = await creatingOperation(sample);
    });
    const cases = (["just before", "just after"] as const).flatMap((when) =>
      UNCLEAR.map((kind) => [when, kind] as const),
    );

    it.each(cases)("made %s our create is left to them: %s", async (when, kind) => {
      const isOfName = isRepeatable(resourceOf(sample), sample.inputs("a".repeat(20)));
      // What our own write has changed, it has in common with theirs; without an answer no time tells them apart.
      const faults = (faultKinds[kind]?.(operations[create]) ?? []).filter((fault) =>
        when === "just before"
          ? !(isOfName && isCarriedOut(fault))
          : isAnswered(fault) && !isCarriedOut(fault),
      );
      const failures: string[] = [];
      for (const fault of faults) {
        await meetStranger(sample, create, fault, when).catch((error: unknown) => {
          failures.push(`${JSON.stringify(fault)}: ${String(error)}`);
        });
      }
      expect(failures).toEqual([]);
    });
  },
);
