import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ledgerRecord } from "../../provider/ledger/ledger-record";
import type { Values } from "../../provider/define/values";
import type { Declared, Outcome } from "../kit/model-engine";
import type { Death } from "../kit/mortal-process";
import {
  requireExactlyOnce,
  requireSecondRunDoesNothing,
  requireSuccess,
  runUntilSettled,
} from "../kit/checks";
import { formsOf } from "../kit/forms";
import { Stack } from "../kit/stack";
import { World } from "../kit/world";
import type { Objects } from "../../tools/fixtures/fixture";
import { resourceOf, sampleOf, samples, type Sample } from "../kit/samples";
import type { Scenario } from "../kit/scenario";
import type { OperationName } from "../../spec/table";
import { STACKS, type Action, type Copy, type Shape, type StackName } from "./actions";
import { areRivals, kinds } from "./object-kinds";
import type { Machine } from "../kit/machine";
import type { History } from "./play";
import { Refusal } from "../../emulator/service/answers/refusal";

/** Longer than the service's clock is inaccurate. */
const APART_MS = 3_000;
/** Longer than any request is under way. */
const REST_MS = 61_000;

/** A stack, and what its history has had in it. */
class ObjectStack extends Stack {
  readonly shapes = new Map<string, Shape>();
  /** What its program, or others, have had in its project. */
  readonly touched = new Set<string>();
  /** What was declared with a change that cannot be taken back. */
  readonly changedForGood = new Set<string>();
  /** Types of which something was adopted: their protection is declared off, as it is to go all the same. */
  readonly adopted = new Set<string>();

  constructor(
    name: StackName,
    machine: Machine,
    /** The project that it makes things in. */
    readonly ref: string,
  ) {
    super(name, machine);
  }
}

/** Two stacks of one user's machine, the service, and the others who work on it. */
export class ObjectHistory implements History<Action> {
  private readonly world: World;
  private readonly machine: Machine;
  private readonly stacks: readonly ObjectStack[];
  private readonly theirs = new Map<string, string>();
  /** Identifiers, by type, of what a stack has had and no delete removes. */
  private readonly everOurs = new Map<string, Set<string>>();
  private madeByOthers = 0;
  /** The parameters of what each stack sent last. */
  private readonly sent = new Map<string, unknown>();
  /** What a stranger will make just before a stack does. */
  private due: Copy | undefined;
  /** What strangers have made that was the same as a stack's. */
  private readonly copies = new Set<string>();

  constructor(private readonly scenario: Scenario) {
    const { control } = scenario.emulator;
    control.reset();
    this.world = new World(scenario);
    this.machine = this.world.machine();
    this.stacks = STACKS.map((name) => {
      const ref = scenario.healthyProject(`of-${name}`);
      for (const { excludes, needsOwnProject, prepare } of samples)
        if (excludes === undefined && needsOwnProject !== true) prepare?.(scenario, ref);
      // Somebody else's setting, which every write must keep.
      control.call("updatePostgresConfig", { ref, body: { max_wal_senders: 7 } });
      return new ObjectStack(name, this.machine, ref);
    });
    scenario.clock.advance(REST_MS);
    this.noteTheirs(true);
    control.clearCalls();
  }

  dispose(): Promise<void> {
    return this.world.leave();
  }

  async act(action: Action): Promise<void> {
    const { emulator, clock } = this.scenario;
    switch (action.kind) {
      case "declare":
        if (!this.hasRival(this.stack(action.stack), action.type))
          this.declare(this.stack(action.stack), action.type, action.shape);
        break;
      case "up":
      case "refresh":
        await this.run(this.stack(action.stack), action.kind, action.death);
        break;
      case "both up":
        await Promise.all(this.stacks.map((stack, index) => this.run(stack, "up", action.deaths[index])));
        break;
      case "fault":
        emulator.control.addFault(action.rule);
        break;
      case "time":
        await this.machine.land();
        clock.advance(action.minutes * 60_000);
        break;
      case "others make":
        if (!this.hasRival(this.stack(action.stack), action.type))
          this.makeByHand(this.stack(action.stack), action.type);
        break;
      case "others edit":
        this.editOutside(this.stack(action.stack), action.type);
        break;
      case "others remove":
        this.removeByHand(this.stack(action.stack), action.type);
        break;
      case "a stranger copies":
        await this.copyOf(action.copy);
    }
  }

  async requireEnd(): Promise<void> {
    await this.requireConvergence();
    await this.requireNothingLeft();
  }

  /** Faults end, and every stack is brought to what it declares. Throws where that fails. */
  private async requireConvergence(): Promise<void> {
    this.scenario.emulator.control.clearFaults();
    await this.world.rest(0);
    this.removeCopies();
    this.declareInterrupted();
    for (const stack of this.stacks) await this.converge(stack);
    for (const stack of this.stacks) await this.requireQuiet(stack);
    this.requireOnlyDeclared();
  }

  /** Everything is destroyed, and the service is as it was before. */
  private async requireNothingLeft(): Promise<void> {
    for (const stack of this.stacks) {
      stack.shapes.clear();
      await this.converge(stack);
    }
    this.requireOnlyDeclared();
    for (const { ref, name } of this.stacks) {
      const config: Values = this.scenario.emulator.control.call("getPostgresConfig", { ref });
      for (const setting of ["max_connections", "statement_timeout"]) {
        if (config[setting] !== undefined) throw new Error(`${name}: ${setting} is still set`);
      }
      if (config["max_wal_senders"] !== 7) throw new Error(`${name}: the setting of others is lost`);
    }
  }

  private declare({ shapes, changedForGood }: ObjectStack, type: string, shape: Shape): void {
    if (shape === "changed" && sampleOf(type).isIrreversible === true) changedForGood.add(type);
    shapes.set(type, shape !== "absent" && changedForGood.has(type) ? "changed" : shape);
  }

  /** Of types that a project cannot have both, a history has the one that comes first. */
  private hasRival(stack: ObjectStack, type: string): boolean {
    const { touched, ref } = stack;
    if ([...touched].some((other) => areRivals(type, other))) return true;
    const sample = sampleOf(type);
    if (sample.excludes !== undefined && !touched.has(type)) {
      // What it needs may be of a type that it excludes, and is nobody's then.
      this.waitOutRestart(ref);
      sample.prepare?.(this.scenario, ref);
      this.noteTheirs(true, sample.excludes, [stack]);
    }
    touched.add(type);
    return false;
  }

  /** Until then the service takes no change. */
  private waitOutRestart(ref: string): void {
    const { emulator, clock } = this.scenario;
    while (emulator.control.call("getProject", { ref }).status === "RESTARTING") clock.advance(10_000);
  }

  private makeByHand({ ref }: ObjectStack, type: string): void {
    this.madeByOthers += 1;
    ignoreRefusals(() => kinds[type]?.make?.(this.scenario, ref, this.madeByOthers));
    this.noteTheirs();
  }

  private async copyOf(copy: Copy): Promise<void> {
    const { before } = copy;
    if (before !== undefined) {
      const of = this.stack(copy.stack);
      if (this.hasRival(of, before)) return;
      if ((of.shapes.get(before) ?? "absent") === "absent") this.declare(of, before, "first");
      this.due = copy;
      await this.run(of, "up");
      this.due = undefined;
      return;
    }
    await this.world.rest(REST_MS);
    const stack = this.stack(copy.stack);
    const parameters = this.sent.get(sentKey(stack, copy.operation));
    if (parameters !== undefined) this.copy(stack, copy.operation, parameters);
  }

  private copy(stack: ObjectStack, operation: OperationName, parameters: unknown): void {
    const { control } = this.scenario.emulator;
    const before = this.idsIn(stack);
    const call = control.call.bind(control) as (name: OperationName, given: unknown) => unknown;
    ignoreRefusals(() => call(operation, parameters));
    for (const key of this.idsIn(stack)) {
      if (before.has(key)) continue;
      this.copies.add(key);
    }
  }

  private idsIn(stack: ObjectStack): Set<string> {
    const keys = this.kindsIn(stack).flatMap(([type, kind]) =>
      kind.ids(this.scenario, stack.ref).map((id) => keyOf(type, stack.ref, id)),
    );
    return new Set(keys);
  }

  /** Strangers take away what they made; until then nobody has touched it, and no stack takes it for its own. */
  private removeCopies(): void {
    for (const key of this.copies) {
      const { type, ref, id } = JSON.parse(key) as { type: string; ref: string; id: string };
      const stack = this.stacks.find((each) => each.ref === ref);
      const kind = kinds[type];
      if (kind?.ids(this.scenario, ref).includes(id) !== true)
        throw new Error(`a stranger's ${type} ${id} is gone`);
      if (stack?.engine.idsOf(type).includes(id) === true)
        throw new Error(`${stack.name} has a stranger's ${type} ${id}`);
      this.waitOutRestart(ref);
      kind.remove?.(this.scenario, ref, id);
    }
    this.copies.clear();
  }

  private editOutside({ engine, ref }: ObjectStack, type: string): void {
    if (engine.get(type) === undefined) return;
    this.scenario.emulator.control.edit((state) =>
      samples.find((sample) => sample.type === type)?.editOutside?.(state, ref),
    );
    this.noteTheirs();
  }

  private removeByHand({ engine, ref }: ObjectStack, type: string): void {
    const id = engine.get(type)?.id;
    const kind = kinds[type];
    if (id !== undefined && kind?.ids(this.scenario, ref).includes(id) === true) {
      ignoreRefusals(() => kind.remove?.(this.scenario, ref, id));
    }
  }

  private stack(name: StackName): ObjectStack {
    const stack = this.stacks.find((each) => each.name === name);
    if (stack === undefined) throw new Error(`There is no stack ${name}`);
    return stack;
  }

  private async run(
    stack: ObjectStack,
    operation: "up" | "refresh" | "destroy",
    death?: Death,
    adopt: ReadonlyMap<string, string> = new Map(),
  ): Promise<Outcome | undefined> {
    const onCall = (called: OperationName, parameters: unknown): void => {
      this.sent.set(sentKey(stack, called), parameters);
      if (this.due?.stack !== stack.name || this.due.operation !== called) return;
      const { fault } = this.due;
      this.due = undefined;
      this.copy(stack, called, parameters);
      if (fault !== undefined) this.scenario.emulator.control.addFault({ ...fault, operation: called });
      this.scenario.clock.advance(APART_MS);
    };
    stack.program = this.programOf(stack, adopt);
    const { outcome } = await stack.run(operation, { death, onCall });
    this.cleanUp();
    return outcome;
  }

  private programOf(stack: ObjectStack, adopt: ReadonlyMap<string, string>): Declared[] {
    return samples.flatMap((sample): Declared[] => {
      const shape = stack.shapes.get(sample.type) ?? "absent";
      if (shape === "absent") return [];
      const adopted = adopt.get(sample.type);
      const { protection } = resourceOf(sample);
      const inputs = {
        ...inputsOf(sample, shape, stack.ref),
        ...(adopted === undefined ? {} : { adoptId: adopted }),
        ...(protection === undefined || !stack.adopted.has(sample.type) ? {} : { deletionProtection: false }),
      };
      const named =
        !sample.needsProject && "name" in inputs ? { name: `${String(inputs["name"])}-${stack.name}` } : {};
      return [{ name: sample.type, type: sample.type, inputs: () => ({ ...inputs, ...named }) }];
    });
  }

  private async converge(stack: ObjectStack): Promise<void> {
    const adopt = new Map<string, string>();
    await runUntilSettled(
      async () => {
        this.doWhatFollowsACreate(stack);
        const refreshed = await this.run(stack, "refresh");
        const outcome = await this.run(stack, "up", undefined, adopt);
        requireSuccess({
          steps: [],
          failures: [...(refreshed?.failures ?? []), ...(outcome?.failures ?? [])],
        });
      },
      (failures) => {
        for (const { message } of failures) {
          const told = /outcome of the create at .* created the (\w+) .*`adoptId: "([^"]+)"`/s.exec(message);
          if (told?.[1] === undefined || told[2] === undefined) continue;
          adopt.set(told[1], told[2]);
          stack.adopted.add(told[1]);
        }
      },
    );
  }

  private async requireQuiet(stack: ObjectStack): Promise<void> {
    stack.program = this.programOf(stack, new Map());
    await requireSecondRunDoesNothing(stack, this.scenario.emulator.control);
    const declared = [...stack.shapes].flatMap(([type, shape]) => (shape === "absent" ? [] : [type]));
    requireExactlyOnce(`${stack.name}: recorded`, stack.engine.names, declared);
  }

  /**
   * The engine asks nothing about a resource that is no longer declared and was never recorded: what an interrupted create
   * made of it stays, until it is declared again.
   */
  private declareInterrupted(): void {
    const names = readdirSync(this.machine.folder, { recursive: true, encoding: "utf8" }).filter((each) =>
      each.startsWith("creates"),
    );
    for (const name of names.filter((each) => each.endsWith(".json"))) {
      const { owner, type, step } = ledgerRecord.parse(
        JSON.parse(readFileSync(join(this.machine.folder, name), "utf8")),
      );
      const stack = this.stacks.find((each) => owner.includes(`urn:pulumi:${each.name}::`));
      const isDeclared = (stack?.shapes.get(type) ?? "absent") !== "absent";
      const isRecorded = stack?.engine.get(type) !== undefined;
      if (stack !== undefined && step === "create" && !isDeclared && !isRecorded)
        this.declare(stack, type, "first");
    }
  }

  /** Every object is either recorded in a stack, once, or somebody else's, and that one as they left it. */
  private requireOnlyDeclared(): void {
    for (const stack of this.stacks) {
      for (const [type, kind] of this.kindsIn(stack)) {
        const there = kind.ids(this.scenario, stack.ref);
        const theirs = there.filter((id) => this.theirs.has(keyOf(type, stack.ref, id)));
        const wanted = new Set([...this.ourIds(type, stack), ...theirs]);
        requireExactlyOnce(`${stack.name}: each ${type}`, there, [...wanted]);
      }
    }
    for (const [key, was] of this.theirs) {
      const { type, ref, id } = JSON.parse(key) as { type: string; ref: string; id: string };
      const is = this.shown(type, ref, id);
      if (is !== was) throw new Error(`somebody else's ${type} ${id} was ${was} and is ${is}`);
    }
  }

  /** What excludes other types may be a state of their objects, and is a type of its own only where it came first. */
  private kindsIn({ touched }: ObjectStack): [string, Objects][] {
    return Object.entries(kinds).filter(
      ([type]) => sampleOf(type).excludes === undefined || touched.has(type),
    );
  }

  /** What belongs to no project is beside one another, whichever stack made it. */
  private ourIds(type: string, stack: ObjectStack): string[] {
    const stacks = sampleOf(type).needsProject ? [stack] : this.stacks;
    return stacks.flatMap(({ engine }) => engine.idsOf(type));
  }

  /** What was there at first, and what bears a name of others' choice, as it is now. */
  private noteTheirs(
    isAtFirst = false,
    types: readonly string[] = Object.keys(kinds),
    stacks = this.stacks,
  ): void {
    for (const { ref } of stacks) {
      for (const [type, kind] of Object.entries(kinds).filter(([name]) => types.includes(name))) {
        for (const id of kind.ids(this.scenario, ref)) {
          const [key, shown] = [keyOf(type, ref, id), this.shown(type, ref, id)];
          if (isAtFirst || this.theirs.has(key) || isNamedByOthers(shown)) this.theirs.set(key, shown);
        }
      }
    }
  }

  private shown(type: string, ref: string, id: string): string {
    return JSON.stringify({ shown: kinds[type]?.show(this.scenario, ref, id) });
  }

  /** What no delete removes is removed by hand once no stack has it any more. */
  private cleanUp(): void {
    for (const { type, cleanUp, objects } of samples) {
      if (cleanUp === undefined || objects === undefined) continue;
      const ours = this.stacks.flatMap(({ engine }) => engine.idsOf(type));
      const ever = this.everOurs.get(type) ?? new Set();
      this.everOurs.set(type, new Set([...ever, ...ours]));
      for (const id of ever) {
        if (!ours.includes(id)) objects.remove?.(this.scenario, "", id);
      }
    }
  }

  private doWhatFollowsACreate({ ref }: ObjectStack): void {
    for (const { afterCreate, objects } of samples) {
      if (objects === undefined || objects.ids(this.scenario, ref).length === 1)
        afterCreate?.(this.scenario, ref);
    }
  }
}

function inputsOf(sample: Sample, shape: Shape, ref: string): Values {
  const secrets = sample.secretInputs ?? {};
  if (shape === "made-up") return formsOf(sample).at(-1)?.inputs(sample, ref) ?? {};
  // A new key cannot be revoked, which is what its sample changes: here its state is just no longer managed.
  if (shape === "changed" && sample.type === "SigningKey") {
    return Object.fromEntries(
      Object.entries({ ...sample.inputs(ref), ...secrets }).filter(([name]) => name !== "status"),
    );
  }
  return { ...(shape === "changed" ? sample.changed(ref) : sample.inputs(ref)), ...secrets };
}

/** A project that restarts takes nothing from others either. */
function ignoreRefusals(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function isNamedByOthers(shown: string): boolean {
  return /others[-_]\d|OTHERS_\d|idp-\d+\.example\.net|198\.18\.[1-9]/.test(shown);
}

function sentKey({ name }: ObjectStack, operation: OperationName): string {
  return `${name} ${operation}`;
}

function keyOf(type: string, ref: string, id: string): string {
  return JSON.stringify({ type, ref, id });
}
