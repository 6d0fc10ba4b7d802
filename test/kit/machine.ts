import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Processes } from "../../provider/lifecycle/recovery/journal/process-mark";
import type { Values } from "../../provider/lifecycle/state";
import { ModelEngine, type Declared, type Outcome } from "../crash/model-engine";
import { MortalProcess, type Death } from "../crash/mortal-process";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { simulatedProcesses } from "../lifecycle/simulated-processes";

/** Where a process dies: at the first point of this name, as `answer createProject`. */
export interface DeathAt {
  readonly point: string;
  /** The request that is about to leave has left, and is carried out later. */
  readonly isUnderWay?: boolean;
}

/** A user's machine with one stack on it, whose provider can die wherever control leaves it. */
export class Machine {
  readonly engine = new ModelEngine();
  /** Of all processes so far. */
  readonly warnings: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), "management-machine-"));
  private readonly simulated = simulatedProcesses();
  private readonly begun: MortalProcess[] = [];

  constructor(private readonly scenario: Scenario) {}

  /** As the machine of a CI does, whose disk is a new one in each run. */
  forget(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Begins a provider's process; all before it have ended. */
  begin(processes: Processes = this.simulated.next(), death?: Death): MortalProcess {
    const process = new MortalProcess(this.scenario, {
      folder: this.folder,
      processes,
      death,
    });
    this.begun.push(process);
    return process;
  }

  /** Begins a provider's process while those before it still run. */
  beginBeside(): MortalProcess {
    return this.begin(this.simulated.beside());
  }

  async up(program: readonly Declared[], processes?: Processes): Promise<Outcome> {
    return this.run((process) => this.engine.up(program, process), processes);
  }

  /** Fails where the process does not reach its death. */
  async upThatDies(
    program: readonly Declared[],
    { point, ...death }: DeathAt,
    processes?: Processes,
  ): Promise<void> {
    const process: MortalProcess = this.begin(processes, {
      ...death,
      get at() {
        return process.points.findIndex(({ what }) => what === point);
      },
    });
    await process.live(() => this.engine.up(program, process));
    this.warnings.push(...process.warnings);
    if (!process.isDead) throw new Error(`the process did not come to "${point}"`);
  }

  async refresh(): Promise<Outcome> {
    return this.run((process) => this.engine.refresh(process));
  }

  async destroy(): Promise<Outcome> {
    return this.run((process) => this.engine.destroy(process));
  }

  async close(): Promise<void> {
    await this.leave();
    await this.scenario.close();
  }

  /** Ends what runs on it; the service stays for another machine. */
  async leave(): Promise<void> {
    await Promise.all(this.begun.map((process) => process.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A process that does what `work` has an engine do. */
  async run(work: (process: MortalProcess) => Promise<Outcome>, processes?: Processes): Promise<Outcome> {
    const process = this.begin(processes);
    const outcome = await work(process);
    this.warnings.push(...process.warnings);
    return outcome;
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
