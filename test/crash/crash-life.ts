import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listSecretTexts } from "../../provider/engine/schema/secrets";
import type { Values } from "../../provider/define/values";
import {
  requireExactlyOnce,
  requireNothingLeft,
  requireRefreshShowsNothing,
  requireSecondRunDoesNothing,
  requireSuccess,
  runUntilSettled,
} from "../kit/checks";
import { asGiven, type Form } from "../kit/forms";
import { forgetRemoved, type Changes } from "../kit/service-changes";
import type { Stack } from "../kit/stack";
import { World } from "../kit/world";
import { countAfterDelete, resourceOf, type Sample } from "../kit/samples";
import type { Run } from "../kit/machine";
import type { MortalProcess, Death, Point } from "../kit/mortal-process";

export const STEPS = ["create", "update", "delete"] as const;
export type Step = (typeof STEPS)[number];

/** How a life goes wrong: the step that dies, where, and where the run after it dies as well. */
export interface Crash {
  readonly step: Step;
  readonly death: Death;
  readonly again?: Death | undefined;
}

/** A service with another's project on it, on which one resource lives, and its provider dies, again and again. */
export class CrashLife {
  /** The points of each step in an undisturbed life. */
  readonly points = new Map<Step, readonly Point[]>();
  private told = 0;
  private readonly usual = new Map<Step, Changes>();
  private before: unknown;
  private stack: Stack;
  private secrets: readonly string[] = [];

  private constructor(
    private readonly sample: Sample,
    private readonly form: Form,
    private readonly world: World,
    private readonly ref: string,
  ) {
    this.stack = world.stack("dev");
  }

  static async open(sample: Sample, form: Form): Promise<CrashLife> {
    const world = await World.open({ pace: 0.2 });
    const ref = world.project("bystander");
    sample.prepare?.(world.scenario, ref);
    const life = new CrashLife(sample, form, world, ref);
    // What the first life leaves on the service, such as a default branch, the later ones find there.
    await life.live();
    await life.live(undefined, true);
    return life;
  }

  /** Whether the step is none: without its name, a sample that is only renamed stays as it is. */
  isUnchanged(step: Step): boolean {
    const { inputs, changed } = this.form;
    const [before, after] = [inputs, changed].map((of) => JSON.stringify(of(this.sample, this.ref)));
    return step === "update" && before === after;
  }

  close(): Promise<void> {
    return this.world.close();
  }

  /**
   * A whole life: made, changed, removed. Throws where it does not converge. Returns how often a run had to be told, with
   * `adopt`, what the service does not tell.
   */
  async live(crash?: Crash, isMeasured = false): Promise<number> {
    const { scenario } = this.world;
    this.told = 0;
    await this.world.rest();
    await this.world.leave();
    this.before = this.world.snapshot();
    this.stack = this.world.stack("dev");
    const [inputs, changed] = [this.form.inputs, this.form.changed].map((of) => of(this.sample, this.ref));
    this.secrets = [inputs, changed].flatMap((values) =>
      listSecretTexts(resourceOf(this.sample), values ?? {}),
    );
    await this.phase("create", inputs, crash, isMeasured);
    this.sample.afterCreate?.(scenario, this.ref);
    await this.phase("update", changed, crash, isMeasured);
    await this.phase("delete", undefined, crash, isMeasured);
    await this.sample.cleanUp?.(scenario, this.ref);
    if (this.entries().length > 0) throw new Error(`the journal keeps ${this.entries().join()}`);
    return this.told;
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
      const { process } = await this.run(inputs, death);
      if (!process.isDead && death === crash?.death) throw new Error("the process did not reach its death");
    }
    const process = await this.converge(inputs);
    if (isMeasured) this.points.set(step, process.points);
    if (crash?.step === step && crash.death.isUnderWay === true) {
      // What was under way at the death is carried out now, and a refresh shows what it changed.
      await this.world.rest();
      await this.stack.refresh();
      await this.converge(inputs);
    }
    if (step === "delete") forgetRemoved(this.world.scenario);
    await requireSecondRunDoesNothing(this.stack, this.world.scenario.emulator.control);
    await requireRefreshShowsNothing(this.stack);
    // An action that is adopted, as the message advises, is recorded as done, whether it was or not.
    const isRecordedOnly = resourceOf(this.sample).isAction === true && this.told > 0;
    if (!isRecordedOnly) await this.requireAsDeclared(step);
    const changes = requireNothingLeft(step, [this.before, this.world.snapshot()], this.usual.get(step));
    if (isMeasured) this.usual.set(step, changes);
  }

  /** `pulumi up`, or `pulumi destroy` where nothing is declared, until it succeeds. */
  private converge(inputs: Values | undefined): Promise<MortalProcess> {
    let declared = inputs;
    return runUntilSettled(
      async () => {
        const { process, outcome } = await this.run(declared);
        if (outcome !== undefined) requireSuccess(outcome);
        return process;
      },
      ([failure]) => {
        const line = /(?:is unknown. Either it|has started is unknown).*`adoptId: "([^"]+)"`/s.exec(
          failure?.message ?? "",
        );
        if (line === null) return;
        this.told += 1;
        declared = { ...declared, adoptId: line[1] };
      },
    );
  }

  private async requireAsDeclared(step: Step): Promise<void> {
    // Without its own name, a sample does not know it again.
    if (this.form !== asGiven) return;
    const there = await this.sample.onService(this.world.scenario, this.ref);
    if (step !== "update") {
      requireExactlyOnce("objects", there, step === "create" ? 1 : countAfterDelete(this.sample));
    } else if (!there.every(this.sample.isChanged)) {
      throw new Error("it is not as declared after the update");
    }
  }

  private async run(inputs: Values | undefined, death?: Death): Promise<Run> {
    // What was adopted on the way is to go at the end all the same.
    const { protection } = resourceOf(this.sample);
    const consent = this.told > 0 && protection !== undefined ? { deletionProtection: false } : {};
    const given = { ...inputs, ...consent };
    const declared = { name: "it", type: this.sample.type, inputs: () => given };
    this.stack.program = inputs === undefined ? [] : [declared];
    const run = await this.stack.run(inputs === undefined ? "destroy" : "up", { death });
    const kept = this.entries().join("\n");
    if (this.secrets.some((secret) => kept.includes(secret))) throw new Error("the journal holds a secret");
    return run;
  }

  private entries(): string[] {
    const { folder } = this.stack.machine;
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, "utf8"));
  }
}
