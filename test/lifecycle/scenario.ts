import { rmSync } from "node:fs";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { ManagementClient } from "../../provider/client";
import type { AnyResource } from "../../provider/define/resource";
import type { Runtime } from "../../provider/lifecycle/runtime";
import type { OperationName } from "../../spec/table";
import { manageResource, runtimeOfRun, type Managed } from "../../tools/managed-resource";
import { testedService } from "../../tools/repeat/tested-service";
import { VirtualClock } from "../../tools/virtual-clock";
import { temporaryFolder } from "../temporary-folder";
import { withKnownCalls } from "./known-calls";
import { listed, requireListed } from "./listed-problems";
import { simulatedProcesses } from "./simulated-processes";

export type { Managed };

/** The owner of what another program makes. */
export const SOMEBODY = "acme/other/dev/its-own";

/** An emulator and a provider on one virtual clock, over real HTTP. */
export interface Scenario {
  readonly emulator: Emulator;
  readonly clock: VirtualClock;
  readonly client: ManagementClient;
  readonly runtime: Runtime;
  /** Lines told to the user. */
  readonly progress: string[];
  readonly infos: string[];
  readonly warnings: string[];
  manage(resource: AnyResource): Managed;
  /** As the next `pulumi` command does: shared reads begin anew; the journal stays. */
  nextRun(): void;
  /** An ACTIVE_HEALTHY project with all services healthy, made past the API's log and limits; its ref. */
  healthyProject(name?: string): string;
  /** Calls to the API since the last `clear`. */
  calls(operation?: OperationName): number;
  close(): Promise<void>;
}

export async function startScenario(options: EmulatorOptions = {}): Promise<Scenario> {
  const clock = new VirtualClock();
  const emulator = await startEmulator({ clock, ...testedService, ...options });
  const folder = temporaryFolder("management-scenario-");
  const client = new ManagementClient({
    baseUrl: emulator.url,
    credentials: { kind: "token", accessToken: () => emulator.accessToken },
    clock,
    names: options.names,
  });
  const progress: string[] = [];
  const infos: string[] = [];
  const warnings: string[] = [];
  const processes = simulatedProcesses();
  const machine = {
    client,
    baseUrl: emulator.url,
    clock,
    folder,
    progress: (line: string) => void progress.push(line),
    info: (line: string) => void infos.push(line),
    warn: (line: string) => void warnings.push(line),
  };
  const newRuntime = (): Runtime => runtimeOfRun(machine, processes.next());
  let runtime = newRuntime();
  return {
    emulator,
    clock,
    client,
    get runtime() {
      return runtime;
    },
    progress,
    infos,
    warnings,
    manage: (resource) => managed(resource, () => runtime),
    nextRun: () => {
      runtime = newRuntime();
    },
    healthyProject: (name = "app") => {
      const project = emulator.control.call("createProject", {
        body: {
          name,
          organization_slug: "acme",
          db_pass: "initial-password",
          region_selection: { type: "specific", code: "eu-central-1" },
        },
      });
      clock.advance(10 * 60_000);
      return project.ref;
    },
    calls: (operation) => emulator.control.countCalls(operation === undefined ? {} : { operation }),
    close: async () => {
      await client.close();
      await emulator.close();
      clock.close();
      rmSync(folder, { recursive: true, force: true });
      if (emulator.control.internalErrors.length > 0) {
        throw new Error(`The emulator failed: ${JSON.stringify(emulator.control.internalErrors)}`);
      }
    },
  };
}

/** The harness, which fails where a step meets a problem or makes a call that its resource does not list. */
function managed(resource: AnyResource, runtime: () => Runtime): Managed {
  return manageResource(resource, runtime, {
    refused: (reason) => requireListed(resource, reason),
    during: (step, run, work) => listed(resource, () => withKnownCalls(resource, step, run, work)),
  });
}
