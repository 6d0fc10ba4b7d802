import { readMarks } from "../../provider/define/state-marks";
import { isProtected } from "../../provider/define/protection";
import type { Values } from "../../provider/define/values";
import type { Declared, Outcome, UpOptions } from "../kit/model-engine";
import {
  requireExactlyOnce,
  requireNothingLeft,
  requireRefreshShowsNothing,
  requireSecondRunDoesNothing,
  requireSuccess,
} from "../kit/checks";
import { forgetRemoved, type Changes } from "../kit/service-changes";
import type { Stack } from "../kit/stack";
import { World } from "../kit/world";
import { resourceOf, type Sample } from "../kit/samples";
import type { Scenario } from "../kit/scenario";
import type { Machine } from "../kit/machine";

/** A service with a project on it, for one program after another. */
export interface EditedService {
  readonly world: World;
  readonly ref: string;
}

export async function startService(sample: Sample): Promise<EditedService> {
  const world = await World.open({ pace: 0.2 });
  const ref = world.project("bystander");
  sample.prepare?.(world.scenario, ref);
  return { world, ref };
}

/** A stack whose program has the sample, and whatever its author edits. */
export class EditLife {
  readonly stack: Stack;
  /** Another stack, of another program. */
  readonly other: Stack;
  /** Whether the service is as it was before, and another program may use it. */
  hasEnded = false;
  private readonly world: World;
  private readonly scenario: Scenario;
  private readonly ref: string;
  private readonly machine: Machine;
  private readonly identities: readonly string[];
  private readonly before: unknown;

  private constructor(
    { world, ref }: EditedService,
    readonly sample: Sample,
    readonly isForgetful: boolean,
  ) {
    [this.world, this.scenario, this.ref] = [world, world.scenario, ref];
    this.machine = world.machine({ isForgetful });
    this.stack = world.stack("dev", this.machine);
    this.other = world.stack("prod", this.machine);
    this.identities = identitiesIn(this.scenario);
    this.before = snapshotOf(this.scenario, this.identities);
  }

  /** `isForgetful`: each run has a new disk. */
  static async open(service: EditedService, sample: Sample, isForgetful = false): Promise<EditLife> {
    await service.world.rest();
    const life = new EditLife(service, sample, isForgetful);
    await life.up([life.it]);
    // From now on the engine has shown that it knows the object.
    await life.up([life.it]);
    return life;
  }

  close(): Promise<void> {
    return this.world.leave();
  }

  /** The resource as the program has it at first. */
  get it(): Declared {
    return this.declared({});
  }

  declared({
    adoptId,
    ...rest
  }: Partial<Omit<Declared, "inputs" | "type">> & { readonly adoptId?: string }): Declared {
    return { ...this.declaredWith(this.sample.inputs(this.ref), adoptId), ...rest };
  }

  /** The sample changed in place, and adopted where an id is given. */
  changed(adoptId?: string): Declared {
    this.sample.afterCreate?.(this.scenario, this.ref);
    return this.declaredWith(this.sample.changed(this.ref), adoptId);
  }

  /** A run that must succeed. */
  async up(program: readonly Declared[], stack = this.stack, options?: UpOptions): Promise<Outcome> {
    return requireSuccess(await this.tryUp(program, stack, options));
  }

  tryUp(program: readonly Declared[], stack = this.stack, options?: UpOptions): Promise<Outcome> {
    stack.program = program;
    return stack.up(options);
  }

  /** The message of a run that must be refused. */
  async refused(program: readonly Declared[], stack = this.stack): Promise<string> {
    const [failure] = (await this.tryUp(program, stack)).failures;
    if (failure === undefined) throw new Error("the run was not refused");
    return failure.message;
  }

  async destroy(stack = this.stack, options?: UpOptions): Promise<void> {
    requireSuccess(await stack.destroy(options));
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
    stack = this.stack,
    wanted = program.length,
  ): Promise<void> {
    stack.program = program;
    await requireSecondRunDoesNothing(stack, this.scenario.emulator.control);
    await requireRefreshShowsNothing(stack);
    requireExactlyOnce("objects on the service", await this.shown(), wanted);
  }

  /** What was on the service before the first run, and nothing else, is there once everything is destroyed. */
  async end(usual: Changes | undefined, stack = this.stack): Promise<Changes> {
    await this.releaseProtected(stack);
    const isLeft = this.sample.removeAdopted !== undefined && listRecorded(stack).some(isAdopted);
    await this.destroy(stack);
    if (isLeft) {
      requireExactlyOnce("objects after a destroy of what was adopted", await this.shown(), 1);
      await this.sample.removeAdopted(this.scenario, this.ref);
    }
    await this.cleanUp();
    forgetRemoved(this.scenario);
    requireExactlyOnce("objects after a destroy", await this.shown(), 0);
    const now = snapshotOf(this.scenario, this.identities);
    const changes = requireNothingLeft("a destroy", [this.before, now], usual);
    this.hasEnded = true;
    return changes;
  }

  private declaredWith(values: Values, adoptId: string | undefined): Declared {
    const adopted = adoptId === undefined ? {} : { adoptId };
    const inputs = { ...values, ...this.sample.secretInputs, ...adopted };
    return { name: "it", type: this.sample.type, inputs: () => inputs };
  }

  /** Adopting protects: what is to go has to be declared so, by the line that the refusal names. */
  private async releaseProtected(stack: Stack): Promise<void> {
    const resource = resourceOf(this.sample);
    for (const { name, type, state, inputs } of listRecorded(stack)) {
      if (!isProtected(resource, state)) continue;
      const refusal = await this.destroy(stack).then(() => "", String);
      const [, line = ""] = /declare `(\w+): false`, run `pulumi up`, then destroy/.exec(refusal) ?? [];
      if (line === "" || (await this.shown()).length === 0)
        throw new Error(`it is not protected: ${refusal}`);
      await this.up([{ name, type, inputs: () => ({ ...inputs, [line]: false }) }], stack);
    }
  }
}

function listRecorded({ engine }: Stack) {
  return engine.names.flatMap((name) => engine.get(name) ?? []);
}

function isAdopted({ state }: ReturnType<typeof listRecorded>[number]): boolean {
  return readMarks(state).isAdopted;
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
