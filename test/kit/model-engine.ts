import { resourceByType } from "../../provider/catalog/catalog";
import type { AnyResource } from "../../provider/define/resource";
import { addAutonames } from "../../provider/engine/schema/autoname";
import { checkInputs } from "../../provider/engine/check";
import { createResource, type SettledResource } from "../../provider/engine/create/create";
import { InitializationError } from "../../provider/engine/step/errors";
import { readInterruptedNames } from "../../provider/engine/create/resume";
import { OWNER } from "../../provider/ledger/owner";
import { checkAgainstProgram } from "../../provider/engine/program-conflicts";
import type { Runtime } from "../../provider/engine/step/runtime";
import type { Values } from "../../provider/define/values";
import { deleteResource } from "../../provider/engine/delete";
import { readResource } from "../../provider/engine/read";
import { updateResource } from "../../provider/engine/update";
import { diffResource } from "../../provider/engine/diff";

/** A resource of a program; `inputs` may refer to what stands before it. */
export interface Declared {
  readonly name: string;
  readonly type: string;
  readonly inputs: (outputs: (name: string) => Values) => Values;
  /** Types of the components above it, as in a URN: `shop:index:Backend$`. */
  readonly below?: string;
  /** Its own type in the URN, where it is not the plugin's: `pulumi-nodejs:dynamic/management:ApiKey`. */
  readonly leaf?: string;
  /** The URN under which the stack has it until now. */
  readonly alias?: string;
  readonly deleteBeforeReplace?: boolean;
  /** `pulumi up --replace` names it. */
  readonly isReplaced?: boolean;
}

/** Options of the command line. */
export interface UpOptions {
  /** What `--target` names; everything where it is not given. */
  readonly targets?: readonly string[];
  /** `--continue-on-error`: what is not declared any more goes, whatever failed before. */
  readonly continuesOnError?: boolean;
}

interface Recorded extends SettledResource {
  /** With what stands before it in the URN: the types of components, a type of its own. */
  readonly name: string;
  readonly type: string;
  readonly inputs: Values;
}

/** As much of a provider's process as the engine has to do with. */
export interface EngineProcess {
  readonly runtime: Runtime;
  /** The provider's answer is on its way to the engine, or the engine has recorded it. */
  passes(what: string): Promise<void>;
}

/** What an operation did, and what failed in it. */
export interface Outcome {
  /** As `create app`. */
  readonly steps: readonly string[];
  readonly failures: readonly Error[];
}

/** Pulumi's engine with one stack, as far as a provider can tell: what it calls, in which order, and what it records when. */
export class ModelEngine {
  readonly #stack: string;
  #recorded: Recorded[] = [];
  /** Replaced ones that are still to be deleted. */
  #superseded: Recorded[] = [];
  #seeds = 0;
  #steps: string[] = [];
  #failures: Error[] = [];

  constructor(stack = "dev") {
    this.#stack = stack;
  }

  /** The stack as it is recorded now, for another engine: this one has died, though its provider may not know it yet. */
  successor(): ModelEngine {
    const next = new ModelEngine(this.#stack);
    next.#recorded = [...this.#recorded];
    next.#superseded = [...this.#superseded];
    next.#seeds = this.#seeds;
    return next;
  }

  /** Inputs and state as recorded; undefined where nothing is. */
  get(name: string): Recorded | undefined {
    return this.#recorded.find((each) => each.name === name);
  }

  /** Of everything recorded, what is still to be deleted included. */
  idsOf(type: string): string[] {
    return [...this.#recorded, ...this.#superseded].flatMap((each) => (each.type === type ? [each.id] : []));
  }

  get names(): string[] {
    return [...this.#recorded, ...this.#superseded].map(({ name }) => name);
  }

  /** `pulumi up` with the option to go on with other resources after a failure. */
  async up(
    program: readonly Declared[],
    process: EngineProcess,
    { targets, continuesOnError = false }: UpOptions = {},
  ): Promise<Outcome> {
    const isTarget = (name: string): boolean => targets?.includes(name) !== false;
    return this.#operate(async () => {
      const failed = new Set<string>();
      for (const declared of program.filter(({ name }) => isTarget(name))) {
        const inputs = this.#inputsOf(declared, failed);
        if (inputs === undefined) {
          failed.add(declared.name);
          continue;
        }
        await this.#orFailure(() => this.#bring(declared, inputs, process)).then((isDone) => {
          if (!isDone) failed.add(declared.name);
        });
      }
      if (failed.size > 0 && !continuesOnError) return;
      const kept = new Set(program.map(keyOf));
      for (const old of this.#recorded.toReversed()) {
        if (!kept.has(old.name) && isTarget(old.name))
          await this.#orFailure(() => this.#remove(old, process));
      }
      for (const old of this.#superseded.toReversed())
        await this.#orFailure(() => this.#remove(old, process));
    });
  }

  async refresh(process: EngineProcess): Promise<Outcome> {
    return this.#operate(async () => {
      for (const old of [...this.#recorded]) {
        await this.#orFailure(async () => {
          const resource = resourceByType(old.type);
          const read = await readResource(process.runtime, resource, old.id, this.#owned(old));
          await process.passes("return of read");
          if (read === undefined) {
            this.#steps.push(`gone ${old.name}`);
            this.#recorded = this.#recorded.filter((each) => each !== old);
          } else {
            const inputs = { ...old.inputs, ...read.inputs };
            const seen = { ...old, state: read.state };
            // Without a check before it, and a failure of it is one of the refresh.
            diffResource(
              process.runtime,
              resource,
              old.id,
              this.#owned(seen),
              this.#owned({ ...old, state: old.inputs }),
            );
            this.#put({ ...seen, inputs }, old);
          }
        });
      }
    });
  }

  async destroy(process: EngineProcess, { targets }: UpOptions = {}): Promise<Outcome> {
    return this.#operate(async () => {
      for (const old of [...this.#superseded, ...this.#recorded].toReversed()) {
        if (targets?.includes(old.name) === false) continue;
        await this.#orFailure(() => this.#remove(old, process));
      }
    });
  }

  /** `pulumi state delete`. */
  stateDelete(name: string): void {
    this.#recorded = this.#recorded.filter((each) => each.name !== name);
  }

  /** `pulumi state move` to another stack. */
  stateMove(name: string, to: ModelEngine): void {
    to.#recorded.push(...this.#recorded.filter((each) => each.name === name));
    this.stateDelete(name);
  }

  async #operate(work: () => Promise<void>): Promise<Outcome> {
    this.#steps = [];
    this.#failures = [];
    await work();
    return { steps: this.#steps, failures: this.#failures };
  }

  async #orFailure(step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      this.#failures.push(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** Undefined where something that it refers to is not there. */
  #inputsOf(declared: Declared, failed: ReadonlySet<string>): Values | undefined {
    const missing = new Set<string>();
    const inputs = declared.inputs((name) => {
      const found = this.get(name);
      if (found === undefined || failed.has(name)) missing.add(name);
      return found?.state ?? {};
    });
    return missing.size === 0 ? inputs : undefined;
  }

  async #bring(declared: Declared, given: Values, process: EngineProcess): Promise<void> {
    const { type, deleteBeforeReplace = false, isReplaced = false } = declared;
    const resource = resourceByType(type);
    const name = keyOf(declared);
    const old = this.get(name) ?? this.#aliased(declared, name);
    if (isReplaced && old !== undefined) {
      // The provider is not asked: neither for a difference, nor with what was there before.
      return this.#replace(resource, old, given, process, deleteBeforeReplace);
    }
    const inputs = this.#check(resource, name, given, old, process);
    if (old === undefined) return this.#create(resource, name, inputs, process);
    const found = diffResource(
      process.runtime,
      resource,
      old.id,
      this.#owned(old),
      this.#owned({ ...old, state: inputs }),
    );
    if (!found.changes) {
      this.#put({ ...old, inputs }, old);
      return;
    }
    if (found.replaces.length === 0) return this.#update(resource, old, inputs, process);
    return this.#replace(resource, old, given, process, deleteBeforeReplace || found.deleteBeforeReplace);
  }

  async #replace(
    resource: AnyResource,
    old: Recorded,
    given: Values,
    process: EngineProcess,
    deletesFirst: boolean,
  ): Promise<void> {
    const { name } = old;
    const anew = this.#check(resource, name, given, undefined, process);
    if (!deletesFirst) return this.#create(resource, name, anew, process, old);
    await this.#remove(old, process);
    return this.#create(resource, name, anew, process);
  }

  /** The resource under its old URN, which is the declared one from now on. */
  #aliased({ alias }: Declared, name: string): Recorded | undefined {
    const old = this.#recorded.find((each) => this.#urn(each.type, each.name) === alias);
    if (old === undefined) return undefined;
    const renamed = { ...old, name };
    this.#put(renamed, old);
    return renamed;
  }

  #check(
    resource: AnyResource,
    name: string,
    given: Values,
    old: Recorded | undefined,
    { runtime }: EngineProcess,
  ): Values {
    this.#seeds += 1;
    const urn = this.#urn(resource.type, name);
    const owner = { [OWNER]: urn };
    const before = old?.inputs ?? readInterruptedNames(runtime, resource, owner);
    const naming = {
      name,
      randomSeed: Buffer.from(String(this.#seeds)),
      mode: "default" as const,
      proposedName: "",
    };
    const named = addAutonames(resource, given, before, naming);
    const { program } = runtime;
    const { inputs, failures } = checkInputs(resource, named, old?.inputs, undefined, {
      owner: urn,
      isReplaceable: (parent) => program.isReplaceable(parent),
      installation: runtime.installation(),
    });
    if (failures.length === 0) program.recordCheck(resource.type, urn, inputs, old?.inputs);
    const [failure] = [
      ...failures,
      ...checkAgainstProgram(program, resource, { ...inputs, ...owner }, failures),
    ];
    if (failure !== undefined) throw new Error(`${name}: ${failure.path}: ${failure.reason}`);
    return inputs;
  }

  async #create(
    resource: AnyResource,
    name: string,
    inputs: Values,
    process: EngineProcess,
    replaced?: Recorded,
  ): Promise<void> {
    const { type } = resource;
    this.#steps.push(`create ${name}`);
    const record = ({ id, state }: SettledResource): void => {
      if (replaced !== undefined) {
        this.#recorded = this.#recorded.filter((each) => each !== replaced);
        this.#superseded.push(replaced);
      }
      this.#put({ name, type, id, state, inputs });
    };
    await this.#recording(process, "create", record, () =>
      createResource(process.runtime, resource, { ...inputs, [OWNER]: this.#urn(type, name) }),
    );
  }

  async #update(resource: AnyResource, old: Recorded, inputs: Values, process: EngineProcess): Promise<void> {
    this.#steps.push(`update ${old.name}`);
    const record = ({ id, state }: SettledResource): void => this.#put({ ...old, id, state, inputs }, old);
    await this.#recording(process, "update", record, () =>
      updateResource(
        process.runtime,
        resource,
        old.id,
        this.#owned(old),
        this.#owned({ ...old, state: inputs }),
      ),
    );
  }

  /** What the provider answers, a half-made resource included, is recorded only once it has arrived. */
  async #recording(
    process: EngineProcess,
    step: string,
    record: (made: SettledResource) => void,
    work: () => Promise<SettledResource>,
  ): Promise<void> {
    try {
      const made = await work();
      await process.passes(`return of ${step}`);
      record(made);
    } catch (error) {
      if (!(error instanceof InitializationError)) throw error;
      await process.passes(`return of the half-made`);
      record({ id: error.id, state: error.state });
      await process.passes(`record of the half-made`);
      throw error;
    }
    await process.passes(`record of ${step}`);
  }

  async #remove(old: Recorded, process: EngineProcess): Promise<void> {
    this.#steps.push(`delete ${old.name}`);
    await deleteResource(process.runtime, resourceByType(old.type), old.id, this.#owned(old));
    await process.passes("return of delete");
    this.#recorded = this.#recorded.filter((each) => each !== old);
    this.#superseded = this.#superseded.filter((each) => each !== old);
    await process.passes("record of delete");
  }

  #put(recorded: Recorded, old?: Recorded): void {
    if (old === undefined) this.#recorded.push(recorded);
    else this.#recorded = this.#recorded.map((each) => (each === old ? recorded : each));
  }

  #owned({ type, name, state }: Pick<Recorded, "type" | "name" | "state">): Values {
    return { ...state, [OWNER]: this.#urn(type, name) };
  }

  #urn(type: string, key: string): string {
    const below = key.slice(0, key.lastIndexOf("$") + 1);
    const rest = key.slice(below.length);
    const leafAndName = rest.includes("::") ? rest : `management:index:${type}::${rest}`;
    return `urn:pulumi:${this.#stack}::shop::${below}${leafAndName}`;
  }
}

function keyOf({ below = "", leaf, name }: Pick<Declared, "below" | "leaf" | "name">): string {
  return leaf === undefined ? `${below}${name}` : `${below}${leaf}::${name}`;
}
