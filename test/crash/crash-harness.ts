import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { markedFields } from "../../provider/define/markers";
import { secretTexts } from "../../provider/lifecycle/schema/secrets";
import type { Values } from "../../provider/lifecycle/state";
import { changesBetween, forgetRemoved, unexpectedIn, type Changes } from "../kit/service-changes";
import { resourceOf, type Sample } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { simulatedProcesses } from "../lifecycle/simulated-processes";
import { temporaryFolder } from "../temporary-folder";
import { ModelEngine, type Declared, type Outcome } from "./model-engine";
import { MortalProcess, type Death, type Point } from "./mortal-process";

export const STEPS = ["create", "update", "delete"] as const;
export type Step = (typeof STEPS)[number];

/** How a life goes wrong: the step that dies, where, and where the run after it dies as well. */
export interface Crash {
  readonly step: Step;
  readonly death: Death;
  readonly again?: Death | undefined;
}

/** A way to declare the sample. */
export interface Form {
  readonly title: string;
  readonly inputs: (sample: Sample, ref: string) => Values;
  readonly changed: (sample: Sample, ref: string) => Values;
}

const asGiven: Form = {
  title: "as the sample declares it",
  inputs: (sample, ref) => ({ ...sample.inputs(ref), ...sample.secretInputs }),
  changed: (sample, ref) => ({ ...sample.changed(ref), ...sample.secretInputs }),
};

/** Each resource as its sample has it and, where the provider can make up its name, without a name. */
export function formsOf(sample: Sample): Form[] {
  const names = markedFields(resourceOf(sample).inputs).flatMap(([name, , { autonamed }]) =>
    autonamed === undefined ? [] : [name],
  );
  if (names.length === 0) return [asGiven];
  const without = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  const madeUp: Form = {
    title: "with a made-up name",
    inputs: (of, ref) => without(asGiven.inputs(of, ref)),
    changed: (of, ref) => without(asGiven.changed(of, ref)),
  };
  return [asGiven, madeUp];
}

/** How many runs may pass until what is declared is there. */
const MOST_RUNS = 3;
/** Longer than any window of the rate limit, and than any request is under way. */
const REST_MS = 61_000;

/** A service with another's project on it, on which one resource lives, and its provider dies, again and again. */
export class CrashHarness {
  /** The points of each step in an undisturbed life. */
  readonly points = new Map<Step, readonly Point[]>();
  private told = 0;
  private readonly usual = new Map<Step, Changes>();
  private before: unknown;
  /** Requests of dead processes that are still under way. */
  private readonly landings: Promise<unknown>[] = [];
  private engine = new ModelEngine();
  private folder = "";
  private processes = simulatedProcesses();
  private secrets: readonly string[] = [];

  private constructor(
    private readonly sample: Sample,
    private readonly form: Form,
    private readonly scenario: Scenario,
    private readonly ref: string,
  ) {}

  static async open(sample: Sample, form: Form): Promise<CrashHarness> {
    const scenario = await startScenario({ pace: 0.2 });
    const ref = scenario.healthyProject("bystander");
    sample.prepare?.(scenario, ref);
    const harness = new CrashHarness(sample, form, scenario, ref);
    // What the first life leaves on the service, such as a default branch, the later ones find there.
    await harness.live();
    await harness.live(undefined, true);
    return harness;
  }

  /** Whether the step is none: without its name, a sample that is only renamed stays as it is. */
  isUnchanged(step: Step): boolean {
    const { inputs, changed } = this.form;
    const [before, after] = [inputs, changed].map((of) => JSON.stringify(of(this.sample, this.ref)));
    return step === "update" && before === after;
  }

  close(): Promise<void> {
    return this.scenario.close();
  }

  /**
   * A whole life: made, changed, removed. Throws where it does not converge. Returns how often a run had to be told, with
   * `adopt`, what the service does not tell.
   */
  async live(crash?: Crash, isMeasured = false): Promise<number> {
    this.told = 0;
    const { control } = this.scenario.emulator;
    this.scenario.clock.advance(REST_MS);
    this.before = control.snapshot();
    this.engine = new ModelEngine();
    this.processes = simulatedProcesses();
    this.folder = temporaryFolder("management-crash-");
    const [inputs, changed] = [this.form.inputs, this.form.changed].map((of) => of(this.sample, this.ref));
    this.secrets = [inputs, changed].flatMap((values) => secretTexts(resourceOf(this.sample), values ?? {}));
    try {
      await this.phase("create", inputs, crash, isMeasured);
      this.sample.afterCreate?.(this.scenario, this.ref);
      await this.phase("update", changed, crash, isMeasured);
      await this.phase("delete", undefined, crash, isMeasured);
      await this.sample.cleanUp?.(this.scenario, this.ref);
      if (this.entries().length > 0) throw new Error(`the journal keeps ${this.entries().join()}`);
      return this.told;
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  private async phase(
    step: Step,
    inputs: Values | undefined,
    crash: Crash | undefined,
    isMeasured: boolean,
  ): Promise<void> {
    const deaths = crash?.step === step ? [crash.death, crash.again] : [];
    for (const death of deaths) {
      if (death === undefined) continue;
      const { isDead } = await this.run(inputs, death);
      if (!isDead && death === crash?.death) throw new Error("the process did not reach its death");
    }
    const process = await this.converge(inputs);
    if (isMeasured) this.points.set(step, process.points);
    if (crash?.step === step && crash.death.isUnderWay === true) await this.letItLand(inputs);
    if (step === "delete") forgetRemoved(this.scenario);
    await this.requireSettled(step, inputs);
    const changes = changesBetween(this.before, this.scenario.emulator.control.snapshot());
    if (isMeasured) this.usual.set(step, changes);
    const usual = this.usual.get(step);
    const unexpected = usual === undefined ? [] : unexpectedIn(changes, usual);
    if (unexpected.length > 0) throw new Error(`after ${step}: ${unexpected.join(", ")}`);
  }

  /** What was under way at the death is carried out now, and a refresh shows what it changed. */
  private async letItLand(inputs: Values | undefined): Promise<void> {
    this.scenario.clock.advance(REST_MS);
    await Promise.all(this.landings.splice(0));
    await this.withProcess((process) => this.engine.refresh(process));
    await this.converge(inputs);
  }

  /** `pulumi up`, or `pulumi destroy` where nothing is declared, until it succeeds. */
  private async converge(inputs: Values | undefined): Promise<MortalProcess> {
    let declared = inputs;
    for (let run = 1; ; run += 1) {
      const { process, outcome } = await this.run(declared);
      const [failure] = outcome?.failures ?? [];
      if (failure === undefined) return process;
      const line = /(?:is unknown. Either it|has started is unknown).*`adoptId: "([^"]+)"`/s.exec(
        failure.message,
      );
      if (line !== null) {
        this.told += 1;
        declared = { ...declared, adoptId: line[1] };
      }
      if (run === MOST_RUNS) throw failure;
    }
  }

  /** A second run does nothing, a refresh shows no change, and what is declared is there. */
  private async requireSettled(step: Step, inputs: Values | undefined): Promise<void> {
    const { control } = this.scenario.emulator;
    control.clearCalls();
    const { outcome } = await this.run(inputs);
    if ((outcome?.steps.length ?? 0) > 0)
      throw new Error(`a second run does: ${outcome?.steps.join() ?? ""}`);
    const made = control.countCalls();
    if (made > 0) throw new Error(`a second run makes ${made} calls`);
    const refreshed = await this.withProcess((process) => this.engine.refresh(process));
    const shown = refreshed.outcome;
    if (shown === undefined || shown.failures[0] !== undefined)
      throw shown?.failures[0] ?? new Error("no refresh");
    const after = await this.run(inputs);
    const does = [...shown.steps, ...(after.outcome?.steps ?? [])];
    if (does.length > 0) throw new Error(`after a refresh a run does: ${does.join()}`);
    const isNamed = this.form === asGiven;
    if (step !== "update" || !isNamed) return;
    const there = await this.sample.onService(this.scenario, this.ref);
    if (!there.every(this.sample.isChanged)) throw new Error("it is not as declared after the update");
  }

  private run(
    inputs: Values | undefined,
    death?: Death,
  ): Promise<{ process: MortalProcess; outcome: Outcome | undefined; isDead: boolean }> {
    // What was adopted on the way is to go at the end all the same.
    const { protectedBy } = resourceOf(this.sample);
    const consent = this.told > 0 && protectedBy !== undefined ? { [protectedBy]: false } : {};
    const program: Declared[] =
      inputs === undefined
        ? []
        : [{ name: "it", type: this.sample.type, inputs: () => ({ ...inputs, ...consent }) }];
    return this.withProcess(
      (process) => (inputs === undefined ? this.engine.destroy(process) : this.engine.up(program, process)),
      death,
    );
  }

  private async withProcess(
    work: (process: MortalProcess) => Promise<Outcome>,
    death?: Death,
  ): Promise<{ process: MortalProcess; outcome: Outcome | undefined; isDead: boolean }> {
    const process = new MortalProcess(this.scenario, {
      folder: this.folder,
      processes: this.processes.next(),
      death,
    });
    const outcome = await process.live(() => work(process));
    this.requireNoSecrets();
    const { isDead } = process;
    // What is still on its way arrives during the next run.
    this.landings.push(...process.late);
    if (isDead) void process.close();
    else await process.close();
    return { process, outcome: outcome?.result, isDead };
  }

  private entries(): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(this.folder, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, "utf8"));
  }

  private requireNoSecrets(): void {
    const kept = this.entries().join("\n");
    const shown = this.secrets.find((secret) => kept.includes(secret));
    if (shown !== undefined) throw new Error("the journal holds a secret");
  }
}
