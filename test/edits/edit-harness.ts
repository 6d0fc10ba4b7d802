import { isProtected } from "../../provider/lifecycle/operations/protection";
import type { Values } from "../../provider/lifecycle/state";
import { ModelEngine, type Declared, type Outcome, type UpOptions } from "../crash/model-engine";
import { changesBetween, forgetRemoved, unexpectedIn, type Changes } from "../kit/service-changes";
import { resourceOf, type Sample } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { Machine, messagesOf } from "../regressions/machine";

/** Longer than any window of the rate limit. */
const NEW_WINDOW_MS = 61_000;

/** A service with a project on it, for one program after another. */
export interface EditedService {
  readonly scenario: Scenario;
  readonly ref: string;
}

export async function startService(sample: Sample): Promise<EditedService> {
  const scenario = await startScenario({ pace: 0.2 });
  const ref = scenario.healthyProject("bystander");
  sample.prepare?.(scenario, ref);
  return { scenario, ref };
}

/** A stack whose program has the sample, and whatever its author edits. */
export class EditHarness {
  readonly engine = new ModelEngine("dev");
  /** Another stack, of another program. */
  readonly other = new ModelEngine("prod");
  /** Whether the service is as it was before, and another program may use it. */
  hasEnded = false;
  private readonly scenario: Scenario;
  private readonly ref: string;
  private readonly machine: Machine;
  private readonly identities: readonly string[];
  private readonly before: unknown;

  private constructor(
    { scenario, ref }: EditedService,
    readonly sample: Sample,
    readonly isForgetful: boolean,
  ) {
    [this.scenario, this.ref] = [scenario, ref];
    this.machine = new Machine(scenario);
    this.identities = identitiesIn(scenario);
    this.before = snapshotOf(scenario, this.identities);
  }

  /** `isForgetful`: each run has a new disk. */
  static async open(service: EditedService, sample: Sample, isForgetful = false): Promise<EditHarness> {
    service.scenario.clock.advance(NEW_WINDOW_MS);
    const harness = new EditHarness(service, sample, isForgetful);
    await harness.up([harness.it]);
    // From now on the engine has shown that it knows the object.
    await harness.up([harness.it]);
    return harness;
  }

  close(): Promise<void> {
    return this.machine.leave();
  }

  /** The resource as the program has it at first. */
  get it(): Declared {
    return this.declared({});
  }

  declared({
    adoptId,
    ...rest
  }: Partial<Omit<Declared, "inputs" | "type">> & { readonly adoptId?: string }): Declared {
    const inputs: Values = { ...this.sample.inputs(this.ref), ...this.sample.secretInputs };
    const given = adoptId === undefined ? inputs : { ...inputs, adoptId };
    return { name: "it", type: this.sample.type, inputs: () => given, ...rest };
  }

  /** The sample changed in place, and adopted where an id is given. */
  changed(adoptId?: string): Declared {
    this.sample.afterCreate?.(this.scenario, this.ref);
    const inputs: Values = { ...this.sample.changed(this.ref), ...this.sample.secretInputs };
    const given = adoptId === undefined ? inputs : { ...inputs, adoptId };
    return { name: "it", type: this.sample.type, inputs: () => given };
  }

  /** A run that must succeed. */
  async up(program: readonly Declared[], engine = this.engine, options?: UpOptions): Promise<Outcome> {
    const outcome = await this.tryUp(program, engine, options);
    if (outcome.failures[0] !== undefined) throw outcome.failures[0];
    return outcome;
  }

  tryUp(program: readonly Declared[], engine = this.engine, options?: UpOptions): Promise<Outcome> {
    if (this.isForgetful) this.machine.forget();
    return this.machine.run((process) => engine.up(program, process, options));
  }

  /** The message of a run that must be refused. */
  async refused(program: readonly Declared[], engine = this.engine): Promise<string> {
    const [message] = messagesOf(await this.tryUp(program, engine));
    if (message === undefined) throw new Error("the run was not refused");
    return message;
  }

  async destroy(engine = this.engine, options?: UpOptions): Promise<void> {
    if (this.isForgetful) this.machine.forget();
    const outcome = await this.machine.run((process) => engine.destroy(process, options));
    if (outcome.failures[0] !== undefined) throw outcome.failures[0];
  }

  /** What no delete removes is removed by hand. */
  async cleanUp(): Promise<void> {
    await this.sample.cleanUp?.(this.scenario, this.ref);
  }

  /** The URN under which the stack has the resource. */
  get urn(): string {
    return `urn:pulumi:dev::shop::management:index:${this.sample.type}::it`;
  }

  get warnings(): readonly string[] {
    return this.machine.warnings;
  }

  /** What of the sample is on the service. */
  async shown(): Promise<readonly unknown[]> {
    return this.sample.onService(this.scenario, this.ref);
  }

  /** The same as text, without what another deploy of the same source counts up. */
  async object(): Promise<string> {
    const isCount = (key: string): boolean => key === "version" || key === "updated_at";
    return JSON.stringify(await this.shown(), (key, value: unknown) => (isCount(key) ? undefined : value));
  }

  /** The program is in force: nothing to do, with and without a refresh, and one object where one is declared. */
  async requireInForce(
    program: readonly Declared[],
    engine = this.engine,
    wanted = program.length,
  ): Promise<void> {
    const { control } = this.scenario.emulator;
    const calls = control.countCalls();
    const again = await this.up(program, engine);
    if (again.steps.length > 0) throw new Error(`the next run does: ${again.steps.join()}`);
    if (control.countCalls() > calls) throw new Error("the next run makes calls");
    const refreshed = await this.machine.run((process) => engine.refresh(process));
    const after = await this.up(program, engine);
    const steps = [...refreshed.steps, ...after.steps];
    if (steps.length > 0) throw new Error(`after a refresh a run does: ${steps.join()}`);
    const count = (await this.shown()).length;
    if (count !== wanted) throw new Error(`${count} objects are on the service`);
  }

  /** Adopting protects: what is to go has to be declared so, by the line that the refusal names. */
  private async releaseProtected(engine: ModelEngine): Promise<void> {
    const resource = resourceOf(this.sample);
    const recorded = engine.names.flatMap((name) => engine.get(name) ?? []);
    for (const { name, type, state, inputs } of recorded) {
      if (!isProtected(resource, state)) continue;
      const refusal = await this.destroy(engine).then(
        () => "",
        (error: unknown) => String(error),
      );
      const [, line = ""] = /declare `(\w+): false`, run `pulumi up`, then destroy/.exec(refusal) ?? [];
      if (line === "" || (await this.shown()).length === 0)
        throw new Error(`it is not protected: ${refusal}`);
      await this.up([{ name, type, inputs: () => ({ ...inputs, [line]: false }) }], engine);
    }
  }

  /** What was on the service before the first run, and nothing else, is there once everything is destroyed. */
  async end(usual: Changes | undefined, engine = this.engine): Promise<Changes> {
    await this.releaseProtected(engine);
    await this.destroy(engine);
    await this.cleanUp();
    forgetRemoved(this.scenario);
    if ((await this.shown()).length > 0) throw new Error("a destroy leaves the object");
    const changes = changesBetween(this.before, snapshotOf(this.scenario, this.identities));
    const unexpected = usual === undefined ? [] : unexpectedIn(changes, usual);
    if (unexpected.length > 0) throw new Error(`after a destroy: ${unexpected.join(", ")}`);
    this.hasEnded = true;
    return changes;
  }
}

/** All that the service knows but its history and the DNS. */
function textOf({ emulator }: Scenario): string {
  const isBeside = (key: string): boolean => ["deletedApiKeys", "bundles", "dnsTxt", "before"].includes(key);
  return JSON.stringify(emulator.control.snapshot(), (key, value: unknown) =>
    isBeside(key) ? undefined : value,
  );
}

/** The references and identifiers of what is there before the first run: other ones in each scenario. */
function identitiesIn(scenario: Scenario): readonly string[] {
  return [...new Set(textOf(scenario).match(/\b[a-z]{20}\b|[\da-f]{8}(?:-[\da-f]{4,12}){4}/g) ?? [])];
}

/** The state of the service, in which those identities read the same in every scenario. */
function snapshotOf(scenario: Scenario, identities: readonly string[]): unknown {
  return JSON.parse(
    identities.reduce((text, id, index) => text.replaceAll(id, `<${index}>`), textOf(scenario)),
  );
}
