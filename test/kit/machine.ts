import { rmSync } from "node:fs";
import type { Processes } from "../../provider/core/process-identity";
import type { Values } from "../../provider/define/values";
import { ModelEngine, type Declared, type Outcome } from "./model-engine";
import { LATE_MS, MortalProcess, type Death, type DeathAt, type ProcessOptions } from "./mortal-process";
import { startScenario, type Scenario } from "./scenario";
import { simulatedProcesses } from "./simulated-processes";
import { temporaryFolder } from "./temporary-folder";

/** How a run goes wrong, and who looks at it; `processes` where another one than the next of the machine runs it. */
export type RunOptions = Pick<ProcessOptions, "death" | "onCall"> & {
  readonly processes?: Processes | undefined;
};

export interface Run {
  readonly process: MortalProcess;
  /** Undefined where the process, or its engine, died. */
  readonly outcome: Outcome | undefined;
}

/** A user's machine: the disk that the processes of its runs share, and those processes, each of which may die. */
export class Machine {
  /** Of the stack that is run where no other one is given. */
  engine = new ModelEngine();
  /** Of all processes so far. */
  readonly warnings: string[] = [];
  /** The user's state folder. */
  readonly folder = temporaryFolder("management-machine-");
  private readonly simulated = simulatedProcesses();
  private readonly begun: MortalProcess[] = [];
  private readonly running = new Set<Processes>();
  /** Requests of dead processes that are still under way. */
  private readonly landings: Promise<unknown>[] = [];
  /** Processes whose engine died, and that go on until they notice. */
  private readonly orphans: Promise<void>[] = [];

  /** `isForgetful`: each run has a new disk, as on the machines of a CI. */
  constructor(
    private readonly scenario: Scenario,
    private readonly isForgetful = false,
  ) {}

  forget(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Begins a provider's process; all before it have ended. */
  begin(processes: Processes = this.simulated.next(), death?: Death | DeathAt): MortalProcess {
    const process = new MortalProcess(this.scenario, { folder: this.folder, processes, death });
    this.begun.push(process);
    return process;
  }

  /** Begins a provider's process while those before it still run. */
  beginBeside(): MortalProcess {
    return this.begin(this.simulated.beside());
  }

  /** Runs `work` in a process of its own, beside those that still run. */
  async play(
    stack: { engine: ModelEngine },
    work: (engine: ModelEngine, process: MortalProcess) => Promise<Outcome>,
    { processes = this.nextProcesses(), ...options }: RunOptions = {},
  ): Promise<Run> {
    if (this.isForgetful) this.forget();
    const process = new MortalProcess(this.scenario, { folder: this.folder, processes, ...options });
    this.running.add(processes);
    const { engine } = stack;
    // Whoever runs next finds what is recorded at the moment of the death.
    process.onDeath = () => {
      stack.engine = engine.successor();
    };
    const lived = await process.live(() => work(engine, process));
    this.warnings.push(...process.warnings);
    this.landings.push(...process.late);
    const end = (): Promise<void> => {
      this.simulated.end(processes);
      this.running.delete(processes);
      return process.close();
    };
    // A dead one keeps what it has open until its requests have arrived.
    if (process.isDead) void end();
    else if (lived === undefined) this.orphans.push(process.ended.then(end));
    else await end();
    return { process, outcome: lived?.result };
  }

  private nextProcesses(): Processes {
    return this.running.size === 0 ? this.simulated.next() : this.simulated.beside();
  }

  /** Requests of dead processes are carried out. */
  async land(): Promise<void> {
    this.scenario.clock.advance(LATE_MS);
    await Promise.all(this.landings.splice(0));
  }

  /** Processes whose engine died end. */
  async endOrphans(): Promise<void> {
    await Promise.all(this.orphans.splice(0));
  }

  up(program: readonly Declared[], processes?: Processes): Promise<Outcome> {
    return this.run((process) => this.engine.up(program, process), processes);
  }

  /** Fails where the process does not reach its death. */
  async upThatDies(program: readonly Declared[], death: DeathAt, processes?: Processes): Promise<void> {
    const { process } = await this.play(this, (engine, own) => engine.up(program, own), { death, processes });
    if (!process.isDead) throw new Error(`the process did not come to "${death.point}"`);
  }

  refresh(): Promise<Outcome> {
    return this.run((process) => this.engine.refresh(process));
  }

  destroy(): Promise<Outcome> {
    return this.run((process) => this.engine.destroy(process));
  }

  /** A process that does what `work` has an engine do, and survives it. */
  async run(work: (process: MortalProcess) => Promise<Outcome>, processes?: Processes): Promise<Outcome> {
    const { outcome } = await this.play(this, (_engine, process) => work(process), { processes });
    if (outcome === undefined) throw new Error("the process died");
    return outcome;
  }

  /** Ends the machine, and the service with it. */
  async close(): Promise<void> {
    await this.leave();
    await this.scenario.close();
  }

  /** Ends what runs on it; the service stays for another machine. */
  async leave(): Promise<void> {
    await Promise.all(this.begun.map((process) => process.close()));
    this.forget();
  }
}

/** A service with a project on it, and a machine that makes things there; closing the machine ends both. */
export async function startMachine(): Promise<{
  scenario: Scenario;
  machine: Machine;
  projectRef: string;
}> {
  const scenario = await startScenario();
  return { scenario, machine: new Machine(scenario), projectRef: scenario.healthyProject() };
}

/** A program with one resource, called `it`. */
export function declaring(type: string, inputs: Values): Declared[] {
  return [{ name: "it", type, inputs: () => inputs }];
}

export function messagesOf({ failures }: Outcome): string[] {
  return failures.map(({ message }) => message);
}
