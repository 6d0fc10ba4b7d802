import { rmSync } from "node:fs";
import { simulatedProcesses } from "../lifecycle/simulated-processes";
import type { Scenario } from "../lifecycle/scenario";
import { temporaryFolder } from "../temporary-folder";
import type { ModelEngine, Outcome } from "../crash/model-engine";
import { LATE_MS, MortalProcess, type ProcessOptions } from "../crash/mortal-process";

/** The runs of the stacks of one machine, each in a process that may die. */
export class Runs {
  /** The user's state folder. */
  readonly folder = temporaryFolder("management-history-");
  private readonly processes = simulatedProcesses();
  private readonly landings: Promise<unknown>[] = [];
  private readonly orphans: Promise<void>[] = [];

  constructor(private readonly scenario: Scenario) {}

  /** What a run did; undefined where it, or its engine, died. */
  async run(
    stack: { engine: ModelEngine },
    work: (engine: ModelEngine, process: MortalProcess) => Promise<Outcome>,
    options: Pick<ProcessOptions, "death" | "onCall">,
  ): Promise<Outcome | undefined> {
    const marks = this.processes.beside();
    const process = new MortalProcess(this.scenario, { folder: this.folder, processes: marks, ...options });
    const { engine } = stack;
    // Whoever runs next finds what is recorded at the moment of the death.
    process.onDeath = () => {
      stack.engine = engine.successor();
    };
    const outcome = await process.live(() => work(engine, process));
    this.landings.push(...process.late);
    if (outcome !== undefined || process.isDead) {
      this.processes.end(marks);
      if (outcome !== undefined) await process.close();
      else void process.close();
    } else {
      this.orphans.push(
        process.ended.then(() => {
          this.processes.end(marks);
          return process.close();
        }),
      );
    }
    return outcome?.result;
  }

  /** Requests of dead processes are carried out, as long as they can be. */
  async land(): Promise<void> {
    this.scenario.clock.advance(LATE_MS);
    await Promise.all(this.landings.splice(0));
  }

  /** Providers whose engine died end. */
  async endOrphans(): Promise<void> {
    await Promise.all(this.orphans.splice(0));
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
