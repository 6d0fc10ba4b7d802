import type { Values } from "../../provider/define/values";
import { inClear } from "./engine-values";
import { startPluginProcess } from "./plugin-process";
import { startProviderProcess, type InState, type ProviderProcess } from "./provider-process";
import { countAfterDelete, isAsChanged, isConfiguration, resourceOf, type Sample } from "./samples";
import type { Scenario } from "./scenario";

/** One of the ways in which the engine talks to the handlers. */
export interface Adapter {
  readonly name: string;
  readonly start: (scenario: Scenario, type: string) => ProviderProcess | Promise<ProviderProcess>;
}

export const adapters: readonly Adapter[] = [
  { name: "dynamic", start: startProviderProcess },
  { name: "plugin", start: startPluginProcess },
];

/** The life of one resource, each step in a provider process of its own, as of one `pulumi` command after another. */
export class AdapterLife {
  readonly ref: string;
  private readonly processes: ProviderProcess[] = [];

  constructor(
    private readonly scenario: Scenario,
    readonly sample: Sample,
    private readonly adapter: Adapter,
  ) {
    this.ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, this.ref);
  }

  async nextProcess(): Promise<ProviderProcess> {
    const started = await this.adapter.start(this.scenario, this.sample.type);
    this.processes.push(started);
    return started;
  }

  declared(): Values {
    return { ...this.sample.inputs(this.ref), ...this.sample.secretInputs };
  }

  changed(): Values {
    return { ...this.sample.changed(this.ref), ...this.sample.secretInputs };
  }

  /** What the user does elsewhere once the resource is made. */
  followCreate(): void {
    this.sample.afterCreate?.(this.scenario, this.ref);
  }

  async shown(): Promise<unknown[]> {
    return this.sample.onService(this.scenario, this.ref);
  }

  async close(): Promise<void> {
    for (const each of this.processes.splice(0)) await each.close();
  }

  /** Made, read, changed, edited by somebody else, repaired, deleted, and deleted once more. */
  async goThrough(): Promise<void> {
    const { sample } = this;
    const first = await this.nextProcess();
    const inputs = await checked(first, this.declared());
    const made = await first.create(inputs);
    expect(await this.shown()).toHaveLength(1);
    // What a project has once bears the project's reference.
    if (resourceOf(sample).importId.format === "<projectRef>") expect(made.id).toBe(this.ref);

    const second = await this.nextProcess();
    const same = await second.read(made);
    expect(same.id).toBe(made.id);
    expect(inClear(same.outs)).toEqual(inClear(made.outs));
    for (const outs of [same.outs, ...ofOtherVersions(same.outs)])
      expect(await second.diff({ ...same, outs }, inputs)).toMatchObject({ changes: false, replaces: [] });

    this.followCreate();
    const third = await this.nextProcess();
    const changedInputs = await checked(third, this.changed(), inputs);
    const isChanged = sample.replacedBy === undefined;
    expect(await third.diff(same, changedInputs)).toMatchObject({ changes: isChanged, replaces: [] });
    const updated = isChanged ? await third.update(same, changedInputs) : same;
    expect(isAsChanged(sample, await this.shown())).toBe(true);
    expect(await third.diff(updated, changedInputs)).toMatchObject({ changes: false });

    const repaired = await this.repair(updated, changedInputs);
    expect(isAsChanged(sample, await this.shown())).toBe(true);

    await (await this.nextProcess()).delete(repaired);
    expect(await this.shown()).toHaveLength(countAfterDelete(sample));
    await sample.cleanUp?.(this.scenario, this.ref);
    expect(await this.shown()).toEqual([]);
    const gone = (await this.nextProcess()).read(repaired).then(({ id }) => id);
    if (sample.isNeverProvenGone === true) await expect(gone).rejects.toBeDefined();
    // A configuration is always there: deleting it restores what it was.
    else expect(await gone).toBe(isConfiguration(sample) ? made.id : "");
    await (await this.nextProcess()).delete(repaired);
    expect(await this.shown()).toEqual([]);
  }

  /** Somebody else edits the changed resource; a read shows it, and the next run puts it back. */
  private async repair(updated: InState, inputs: Values): Promise<InState> {
    const { editOutside, replacedBy } = this.sample;
    const isChanged = replacedBy === undefined;
    if (editOutside !== undefined)
      this.scenario.emulator.control.edit((state) => editOutside(state, this.ref));
    const next = await this.nextProcess();
    const drifted = await next.read(updated);
    const replaces = replacedBy ?? [];
    const isThere = drifted.id !== "";
    const isReplaced = isThere && replaces.length > 0;
    if (isThere) {
      const changes = editOutside !== undefined && (isChanged || isReplaced);
      expect(await next.diff(drifted, inputs)).toMatchObject({ changes, replaces });
    }
    expect(drifted.inputs).not.toEqual(updated.outs);
    if (isReplaced) await (await this.nextProcess()).delete(drifted);
    const last = await this.nextProcess();
    if (isChanged) return last.update(drifted, inputs);
    return isReplaced || !isThere ? last.create(inputs) : drifted;
  }
}

/** The inputs after a check that refuses nothing; `before` are those of the last run. */
export async function checked(provider: ProviderProcess, inputs: Values, before?: Values): Promise<Values> {
  const result = await provider.check(inputs, before);
  expect(result.failures).toEqual([]);
  return result.inputs;
}

/** The state as other versions may have written it: an upgrade of the package is no update of every resource. */
function ofOtherVersions({ __declared: declared, ...others }: Values): Values[] {
  const withMore = { ...others, laterOutput: { depth: [1, { name: "later" }] }, __laterProperty: "anything" };
  return [{ ...withMore, __declared: declared }, others];
}
