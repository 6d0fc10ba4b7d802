import { ModelEngine, type Declared, type Outcome, type UpOptions } from "./model-engine";
import type { MortalProcess } from "./mortal-process";
import type { Machine, RunOptions } from "./machine";
import { requireSuccess, type RunnableStack } from "./checks";

/** A stack of the model engine on a user's machine, with the program that is run on it. */
export class Stack implements RunnableStack {
  engine: ModelEngine;
  program: readonly Declared[] = [];

  constructor(
    readonly name: string,
    readonly machine: Machine,
  ) {
    this.engine = new ModelEngine(name);
  }

  up(options?: UpOptions): Promise<Outcome> {
    return this.survive((engine, process) => engine.up(this.program, process, options));
  }

  refresh(): Promise<Outcome> {
    return this.survive((engine, process) => engine.refresh(process));
  }

  destroy(options?: UpOptions): Promise<Outcome> {
    return this.survive((engine, process) => engine.destroy(process, options));
  }

  /** Puts another program in place of the present one, and brings it into force. */
  async bring(program: readonly Declared[], options?: UpOptions): Promise<Outcome> {
    this.program = program;
    return requireSuccess(await this.up(options));
  }

  /** A run in a process that may die. */
  run(operation: "up" | "refresh" | "destroy", options: RunOptions = {}): ReturnType<Machine["play"]> {
    const { program } = this;
    return this.machine.play(
      this,
      (engine, process) => (operation === "up" ? engine.up(program, process) : engine[operation](process)),
      options,
    );
  }

  private async survive(
    work: (engine: ModelEngine, process: MortalProcess) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { outcome } = await this.machine.play(this, work);
    if (outcome === undefined) throw new Error(`the run of ${this.name} died`);
    return outcome;
  }
}
