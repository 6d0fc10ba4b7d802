import { UNKNOWN } from "../../provider/define/unknown";
import type { Values } from "../../provider/lifecycle/state";
import { PRIVATE_JWK } from "../../tools/fixtures/private-jwk";
import {
  countAfterDelete,
  isAsChanged,
  isConfiguration,
  resourceOf,
  samples,
  secretsIn,
  secretsInState,
  type Sample,
} from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { inClear, inSight, wrappedPaths, wrappedTexts } from "./engine-values";
import { startPluginProcess } from "./plugin-process";
import { startProviderProcess, type InState, type ProviderProcess } from "./provider-process";
import { withoutIdentities } from "./without-identities";

type Start = (scenario: Scenario, type: string) => ProviderProcess | Promise<ProviderProcess>;

/** The two ways in which the engine talks to the same handlers. */
const adapters: readonly { readonly name: string; readonly start: Start }[] = [
  { name: "dynamic", start: startProviderProcess },
  { name: "plugin", start: startPluginProcess },
];

let scenario: Scenario;
const processes: ProviderProcess[] = [];

beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  for (const each of processes.splice(0)) await each.close();
  await scenario.close();
});

async function checked(provider: ProviderProcess, inputs: Values): Promise<Values> {
  const result = await provider.check(inputs);
  expect(result.failures).toEqual([]);
  return result.inputs;
}

describe.each(
  samples.flatMap((sample) =>
    adapters.map((adapter) => [sample.type, adapter.name, sample, adapter.start] as const),
  ),
)("%s through the %s adapter", (type, _adapter, sample, start) => {
  /** The provider process of the next `pulumi` command. */
  const nextProcess = async (): Promise<ProviderProcess> => {
    const started = await start(scenario, type);
    processes.push(started);
    return started;
  };

  let ref: string;
  beforeEach(() => {
    ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
  });

  const declared = (): Values => ({ ...sample.inputs(ref), ...sample.secretInputs });
  const changed = (): Values => ({ ...sample.changed(ref), ...sample.secretInputs });
  const shown = async (): Promise<unknown[]> => sample.onService(scenario, ref);
  const declaredSecrets = secretsIn(sample, declared());
  const { importId } = resourceOf(sample);

  it("goes through its life with the values that the engine passes", async () => {
    const first = await nextProcess();
    const inputs = await checked(first, declared());
    const made = await first.create(inputs);
    expect(await shown()).toHaveLength(1);
    // What a project has once bears the project's reference.
    if (importId.format === "<projectRef>") expect(made.id).toBe(ref);

    const second = await nextProcess();
    const same = await second.read(made);
    expect(same.id).toBe(made.id);
    expect(inClear(same.outs)).toEqual(inClear(made.outs));
    expect(await second.diff(same, inputs)).toMatchObject({ changes: false, replaces: [] });
    for (const outs of ofOtherVersions(same.outs)) {
      expect(await second.diff({ ...same, outs }, inputs)).toMatchObject({ changes: false, replaces: [] });
    }

    sample.afterCreate?.(scenario, ref);
    const third = await nextProcess();
    const changedInputs = await checked(third, changed());
    const isChanged = sample.replacedBy === undefined;
    expect(await third.diff(same, changedInputs)).toMatchObject({ changes: isChanged, replaces: [] });
    const updated = isChanged ? await third.update(same, changedInputs) : same;
    expect(isAsChanged(sample, await shown())).toBe(true);
    expect(await third.diff(updated, changedInputs)).toMatchObject({ changes: false });

    const { editOutside } = sample;
    if (editOutside !== undefined) scenario.emulator.control.edit((state) => editOutside(state, ref));
    const fourth = await nextProcess();
    const drifted = await fourth.read(updated);
    const { replacedBy: replaces = [] } = sample;
    const isThere = drifted.id !== "";
    const isReplaced = isThere && replaces.length > 0;
    if (isThere) {
      const changes = editOutside !== undefined && (isChanged || isReplaced);
      expect(await fourth.diff(drifted, changedInputs)).toMatchObject({ changes, replaces });
    }
    expect(drifted.inputs).not.toEqual(updated.outs);
    if (isReplaced) await (await nextProcess()).delete(drifted);
    const last = await nextProcess();
    let repaired: InState = drifted;
    if (isChanged) repaired = await last.update(drifted, changedInputs);
    else if (isReplaced || !isThere) repaired = await last.create(changedInputs);
    expect(isAsChanged(sample, await shown())).toBe(true);

    await (await nextProcess()).delete(repaired);
    expect(await shown()).toHaveLength(countAfterDelete(sample));
    await sample.cleanUp?.(scenario, ref);
    expect(await shown()).toEqual([]);
    const gone = await (await nextProcess()).read(repaired);
    // A configuration is always there: deleting it restores what it was.
    expect(gone.id).toBe(isConfiguration(sample) ? made.id : "");
    await (await nextProcess()).delete(repaired);
    expect(await shown()).toEqual([]);
  });

  it("hands out every secret wrapped, and none in clear", async () => {
    const provider = await nextProcess();
    const { inputs } = await provider.check(declared());
    const made = await provider.create(inputs);
    const read = await provider.read(made);
    sample.afterCreate?.(scenario, ref);
    const updated = await provider.update(read, (await provider.check(changed())).inputs);

    // A check may compute secrets beside those that are declared.
    expect(wrappedPaths(inputs)).toEqual(secretsIn(sample, inputs));
    expect(wrappedPaths(read.inputs ?? {})).toEqual(secretsIn(sample, read.inputs ?? {}));
    expect(wrappedPaths(inputs)).toEqual(expect.arrayContaining(declaredSecrets));
    for (const { outs } of [made, read, updated]) {
      expect(wrappedPaths(outs)).toEqual(secretsInState(sample, outs));
    }

    // What a configuration found before is secret as a whole, names of settings included.
    const secrets = [inputs, made.outs, read.outs, updated.outs]
      .map(withoutBookkeeping)
      .flatMap(wrappedTexts);
    const inPlainSight = JSON.stringify(
      [inputs, made.outs, read.outs, read.inputs, updated.outs].map((one) => inSight(one ?? {})),
    );
    // A key's kind, curve and point stand in its public half as well.
    const { kty, crv, x, y } = PRIVATE_JWK;
    const open = [kty, crv, x, y];
    for (const secret of secrets.filter((text) => !open.includes(text))) {
      expect({ secret, isShown: inPlainSight.includes(secret) }).toEqual({ secret, isShown: false });
    }
  });

  it("answers an update with everything that a read answers", async () => {
    const provider = await nextProcess();
    const made = await provider.create(await checked(provider, declared()));
    sample.afterCreate?.(scenario, ref);
    const updated = await (await nextProcess()).update(made, await checked(provider, changed()));
    const read = await (await nextProcess()).read(updated);
    expect(inClear(updated.outs)).toEqual(inClear(read.outs));
    expect(Object.keys(updated.outs)).toEqual(expect.arrayContaining(Object.keys(made.outs)));
  });

  it("neither judges nor equates in a preview what is known only later", async () => {
    const provider = await nextProcess();
    const made = await provider.create(await checked(provider, declared()));
    const calls = scenario.calls();
    for (const name of Object.keys(declared())) {
      const inputs = await checked(provider, { ...declared(), [name]: UNKNOWN });
      expect(inClear(inputs)).toMatchObject({ [name]: UNKNOWN });
      const { changes } = await provider.diff(made, inputs);
      expect({ name, changes }).toEqual({ name, changes: true });
    }
    expect(scenario.calls()).toBe(calls);
  });
});

/** Some run a script of their own when they are deleted, which is tried above. */
const actions = samples.filter(
  (sample) => resourceOf(sample).isAction === true && !("onDelete" in sample.inputs("")),
);

describe.each(
  actions.flatMap((sample) => adapters.map(({ name, start }) => [sample.type, name, sample, start] as const)),
)("%s, an action, through the %s adapter", (type, _adapter, sample, start) => {
  it("is done again for another trigger, and a delete makes no call and undoes nothing", async () => {
    const ref = scenario.healthyProject();
    sample.prepare?.(scenario, ref);
    const provider = await start(scenario, type);
    processes.push(provider);
    const inputs = await checked(provider, sample.inputs(ref));
    const made = await provider.create(inputs);
    const again = await checked(provider, { ...sample.inputs(ref), triggers: ["again"] });
    expect(await provider.diff(made, again)).toMatchObject({ changes: true, replaces: ["triggers"] });

    const shown = await sample.onService(scenario, ref);
    const calls = scenario.calls();
    await provider.delete(made);
    await provider.delete(made);
    expect(scenario.calls()).toBe(calls);
    expect(await sample.onService(scenario, ref)).toEqual(shown);
  });
});

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (_type, sample) => {
  it("ends in the same state on the service, with the same outputs, through either adapter", async () => {
    const [dynamic, plugin] = await Promise.all(adapters.map(({ start }) => lifeThrough(start, sample)));
    expect(withoutIdentities(plugin)).toEqual(withoutIdentities(dynamic));
  });
});

/** The state as other versions may have written it: an upgrade of the package is no update of every resource. */
function ofOtherVersions({ __declared: declared, ...others }: Values): Values[] {
  const withMore = { ...others, laterOutput: { depth: [1, { name: "later" }] }, __laterProperty: "anything" };
  return [{ ...withMore, __declared: declared }, others];
}

function withoutBookkeeping(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}

/** What a user and the service have to show after a create and after an update. */
async function lifeThrough(start: Start, sample: Sample): Promise<unknown[]> {
  const own = await startScenario();
  const ref = sample.needsProject ? own.healthyProject() : "";
  sample.prepare?.(own, ref);
  const provider = await start(own, sample.type);
  try {
    const made = await provider.create(await checked(provider, sample.inputs(ref)));
    const afterCreate = await sample.onService(own, ref);
    sample.afterCreate?.(own, ref);
    const updated = await provider.update(made, await checked(provider, sample.changed(ref)));
    return [
      made.id,
      withoutBookkeeping(made.outs),
      afterCreate,
      withoutBookkeeping(updated.outs),
      await sample.onService(own, ref),
    ];
  } finally {
    await provider.close();
    await own.close();
  }
}
