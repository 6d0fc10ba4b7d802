import { UNKNOWN } from "../../provider/define/unknown";
import type { Values } from "../../provider/define/values";
import { PRIVATE_JWK } from "../../tools/fixtures/auth/signing-key";
import { resourceOf, samples, secretsIn, secretsInState, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { AdapterLife, adapters, checked, type Adapter } from "../kit/adapter-life";
import { inClear, inSight, wrappedPaths, wrappedTexts } from "../kit/engine-values";
import { withoutIdentities } from "./without-identities";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

describe.each(
  samples.flatMap((sample) =>
    adapters.map((adapter) => [sample.type, adapter.name, sample, adapter] as const),
  ),
)("%s through the %s adapter", (_type, _adapter, sample, adapter) => {
  let life: AdapterLife;
  beforeEach(() => {
    life = new AdapterLife(scenario, sample, adapter);
  });
  afterEach(() => life.close());

  const declaredSecrets = (): string[] => secretsIn(sample, life.declared());

  it("goes through its life with the values that the engine passes", async () => {
    await life.goThrough();
  });

  it("hands out every secret wrapped, and none in clear", async () => {
    const provider = await life.nextProcess();
    const { inputs } = await provider.check(life.declared());
    const made = await provider.create(inputs);
    const read = await provider.read(made);
    life.followCreate();
    const updated = await provider.update(read, (await provider.check(life.changed())).inputs);

    // A check may compute secrets beside those that are declared.
    expect(wrappedPaths(inputs)).toEqual(secretsIn(sample, inputs));
    expect(wrappedPaths(read.inputs ?? {})).toEqual(secretsIn(sample, read.inputs ?? {}));
    expect(wrappedPaths(inputs)).toEqual(expect.arrayContaining(declaredSecrets()));
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
    const provider = await life.nextProcess();
    const inputs = await checked(provider, life.declared());
    const made = await provider.create(inputs);
    life.followCreate();
    const changed = await checked(provider, life.changed(), inputs);
    const updated = await (await life.nextProcess()).update(made, changed);
    const read = await (await life.nextProcess()).read(updated);
    expect(inClear(updated.outs)).toEqual(inClear(read.outs));
    expect(Object.keys(updated.outs)).toEqual(expect.arrayContaining(Object.keys(made.outs)));
  });

  it("neither judges nor equates in a preview what is known only later", async () => {
    const provider = await life.nextProcess();
    const declared = await checked(provider, life.declared());
    const made = await provider.create(declared);
    const calls = scenario.calls();
    for (const name of Object.keys(life.declared())) {
      const inputs = await checked(provider, { ...life.declared(), [name]: UNKNOWN }, declared);
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
  actions.flatMap((sample) =>
    adapters.map((adapter) => [sample.type, adapter.name, sample, adapter] as const),
  ),
)("%s, an action, through the %s adapter", (_type, _adapter, sample, adapter) => {
  it("is done again for another trigger, and a delete makes no call and undoes nothing", async () => {
    const life = new AdapterLife(scenario, sample, adapter);
    const provider = await life.nextProcess();
    const inputs = await checked(provider, sample.inputs(life.ref));
    const made = await provider.create(inputs);
    const again = await checked(provider, { ...sample.inputs(life.ref), triggers: ["again"] }, inputs);
    expect(await provider.diff(made, again)).toMatchObject({ changes: true, replaces: ["triggers"] });

    const shown = await life.shown();
    const calls = scenario.calls();
    await provider.delete(made);
    await provider.delete(made);
    expect(scenario.calls()).toBe(calls);
    expect(await life.shown()).toEqual(shown);
    await life.close();
  });
});

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (_type, sample) => {
  it("ends in the same state on the service, with the same outputs, through either adapter", async () => {
    const [dynamic, plugin] = await Promise.all(adapters.map((adapter) => lifeThrough(adapter, sample)));
    expect(withoutIdentities(plugin)).toEqual(withoutIdentities(dynamic));
  });
});

function withoutBookkeeping(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}

/** What a user and the service have to show after a create and after an update. */
async function lifeThrough(adapter: Adapter, sample: Sample): Promise<unknown[]> {
  const own = await startScenario();
  const life = new AdapterLife(own, sample, adapter);
  try {
    const provider = await life.nextProcess();
    const inputs = await checked(provider, sample.inputs(life.ref));
    const made = await provider.create(inputs);
    const afterCreate = await life.shown();
    life.followCreate();
    const updated = await provider.update(made, await checked(provider, sample.changed(life.ref), inputs));
    return [
      made.id,
      withoutBookkeeping(made.outs),
      afterCreate,
      withoutBookkeeping(updated.outs),
      await life.shown(),
    ];
  } finally {
    await life.close();
    await own.close();
  }
}
