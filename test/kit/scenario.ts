import { rmSync } from "node:fs";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { ManagementClient } from "../../provider/client";
import type { AnyResource } from "../../provider/define/resource";
import type { Runtime } from "../../provider/engine/step/runtime";
import type { OperationName } from "../../spec/table";
import { manageResource, runtimeOfRun, type Managed } from "../../tools/managed-resource";
import { testedService } from "../../tools/repeat/tested-service";
import { startAnswerProxy, type AnswerProxy } from "./answer-proxy";
import { VirtualClock } from "../../tools/virtual-clock";
import { temporaryFolder } from "./temporary-folder";
import { withKnownCalls } from "./known-calls";
import { listed, requireListed } from "./listed-problems";
import { simulatedProcesses } from "./simulated-processes";

export type { Managed };

/** The owner of what another program makes. */
export const SOMEBODY = "acme/other/dev/its-own";

/** An emulator and a provider on one virtual clock, over real HTTP. */
export interface Scenario {
  readonly emulator: Emulator;
  /** Where the provider finds the service: at the proxy, where there is one. */
  readonly url: string;
  /** Throws where the scenario was started without it. */
  readonly proxy: AnswerProxy;
  readonly clock: VirtualClock;
  readonly client: ManagementClient;
  readonly runtime: Runtime;
  /** Lines told to the user. */
  readonly progress: string[];
  readonly infos: string[];
  readonly warnings: string[];
  manage(resource: AnyResource): Managed;
  /** As the next `pulumi` command does: shared reads begin anew; the ledger stays. `account` tells credentials apart. */
  nextRun(account?: string): void;
  /** An ACTIVE_HEALTHY project with all services healthy, made past the API's log and limits; its ref. */
  healthyProject(name?: string): string;
  /** Calls to the API since the last `clear`. */
  calls(operation?: OperationName): number;
  close(): Promise<void>;
}

export interface ScenarioOptions extends EmulatorOptions {
  /** The provider reaches the service through a proxy, which may change its answers. */
  readonly isProxied?: boolean;
  /** The provider has no names file, though the service has names of its own. */
  readonly lacksNamesFile?: boolean;
}

export async function startScenario({
  isProxied = false,
  lacksNamesFile = false,
  ...options
}: ScenarioOptions = {}): Promise<Scenario> {
  const clock = new VirtualClock();
  const emulator = await startEmulator({ clock, ...testedService, ...options });
  const folder = temporaryFolder("management-scenario-");
  const proxy = isProxied ? await startAnswerProxy(emulator.url) : undefined;
  const url = proxy?.url ?? emulator.url;
  const client = new ManagementClient({
    baseUrl: url,
    credentials: { kind: "token", accessToken: () => emulator.accessToken },
    clock,
    names: lacksNamesFile ? undefined : options.names,
  });
  const progress: string[] = [];
  const infos: string[] = [];
  const warnings: string[] = [];
  const processes = simulatedProcesses();
  const machine = {
    client,
    baseUrl: url,
    clock,
    folder,
    progress: (line: string) => void progress.push(line),
    info: (line: string) => void infos.push(line),
    warn: (line: string) => void warnings.push(line),
  };
  const newRuntime = (account = "account"): Runtime =>
    runtimeOfRun({ ...machine, account }, processes.next());
  let runtime = newRuntime();
  return {
    emulator,
    url,
    get proxy() {
      if (proxy === undefined) throw new Error("the scenario was started without `isProxied`");
      return proxy;
    },
    clock,
    client,
    get runtime() {
      return runtime;
    },
    progress,
    infos,
    warnings,
    manage: (resource) => managed(resource, () => runtime),
    nextRun: (account) => {
      runtime = newRuntime(account);
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
      await proxy?.close();
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
