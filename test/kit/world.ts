import { startScenario, type Scenario, type ScenarioOptions } from "./scenario";
import { Machine } from "./machine";
import { createBranchRef } from "./branch-ref";
import { Stack } from "./stack";

/** Longer than any window of the rate limit, and than any request is under way. */
const REST_MS = 61_000;

/** A service on which users run their stacks, each on a machine, while others work on the same things. */
export class World {
  private readonly machines: Machine[] = [];

  constructor(readonly scenario: Scenario) {}

  static async open(options?: ScenarioOptions): Promise<World> {
    return new World(await startScenario(options));
  }

  /** A healthy project of somebody; its ref. */
  project(name?: string): string {
    return this.scenario.healthyProject(name);
  }

  /** A branch of a project, with a database of its own; its ref. */
  branch(projectRef: string): string {
    return createBranchRef(this.scenario, projectRef);
  }

  /** One more user's machine; `isForgetful`: each run has a new disk. */
  machine({ isForgetful = false }: { readonly isForgetful?: boolean } = {}): Machine {
    const machine = new Machine(this.scenario, isForgetful);
    this.machines.push(machine);
    return machine;
  }

  /** A stack, on a machine of its own unless another stack's is given. */
  stack(name: string, machine: Machine = this.machine()): Stack {
    return new Stack(name, machine);
  }

  /** Nothing is under way any more, and a new window of the rate limit begins. */
  async rest(ms = REST_MS): Promise<void> {
    for (const machine of this.machines) {
      await machine.land();
      await machine.endOrphans();
    }
    this.scenario.clock.advance(ms);
  }

  /** What the service stores now. */
  snapshot(): unknown {
    return this.scenario.emulator.control.snapshot();
  }

  /** The machines end; the service stays for others. */
  async leave(): Promise<void> {
    await Promise.all(this.machines.splice(0).map((machine) => machine.leave()));
  }

  async close(): Promise<void> {
    await this.leave();
    await this.scenario.close();
  }
}
