import { rmSync } from "node:fs";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { ManagementClient } from "../../provider/client";
import type { Step } from "../../provider/define/conditional-call";
import type { AnyResource } from "../../provider/define/resource";
import { checkInputs } from "../../provider/lifecycle/operations/check";
import { createResource, type Made } from "../../provider/lifecycle/operations/create";
import { diffAt, type DifferencesNow } from "../../provider/lifecycle/operations/diff";
import { createObjectOwners } from "../../provider/lifecycle/ownership/object-owners";
import { Journal } from "../../provider/lifecycle/recovery/journal/journal";
import { ProgramNames } from "../../provider/lifecycle/ownership/program-names";
import type { Runtime } from "../../provider/lifecycle/runtime";
import { createSharedCalls } from "../../provider/batching/shared-calls";
import type { Values } from "../../provider/lifecycle/state";
import { deleteResource } from "../../provider/lifecycle/operations/delete";
import { readResource, type Read } from "../../provider/lifecycle/operations/read";
import { updateResource } from "../../provider/lifecycle/operations/update";
import type { OperationName } from "../../spec/table";
import { testedService } from "../emulator-options";
import { VirtualClock } from "../virtual-clock";
import { temporaryFolder } from "../temporary-folder";
import { withKnownCalls } from "./known-calls";
import { listed, requireListed } from "./listed-problems";
import { simulatedProcesses } from "./simulated-processes";

/** One resource type as a program's run would drive it. */
export interface Managed {
  /** The inputs after check; throws with every failure when check refuses them. */
  checked(inputs: Values): Values;
  /** What check refuses; `before` are the inputs of a resource that is there. */
  failures(inputs: Values, before?: Values): string[];
  diff(state: Values, inputs: Values): DifferencesNow;
  create(inputs: Values): Promise<Made>;
  read(made: Made): Promise<Read | undefined>;
  update(made: Made, inputs: Values): Promise<Made>;
  delete(made: Made): Promise<void>;
}

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
  const newRuntime = (): Runtime => ({
    client: () => client,
    baseUrl: () => emulator.url,
    clock,
    shared: createSharedCalls(clock),
    account: () => "account",
    owners: createObjectOwners(folder),
    names: new ProgramNames(),
    redact: (text) => text,
    journal: new Journal({
      folder,
      backend: "",
      clock,
      processes: processes.next(),
      warn: (message) => warnings.push(message),
    }),
    signal: new AbortController().signal,
    progress: (message, subject) => progress.push(`${subject}: ${message}`),
    info: (message, subject) => infos.push(`${subject}: ${message}`),
    warn: (message, subject) => warnings.push(`${subject}: ${message}`),
  });
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

function managed(resource: AnyResource, runtime: () => Runtime): Managed {
  const owner = `acme/shop/dev/${resource.type}`;
  const failures = (inputs: Values, before?: Values): string[] =>
    checkInputs(resource, inputs, before).failures.map(({ path, reason }) => {
      requireListed(resource, reason);
      return `${path}: ${reason}`;
    });
  const checked = (inputs: Values): Values => {
    const found = failures(inputs);
    if (found.length > 0) throw new Error(found.join("\n"));
    return checkInputs(resource, { __owner: owner, ...inputs }).inputs;
  };
  const during = <T>(step: Step, work: (run: Runtime) => Promise<T>): Promise<T> =>
    listed(resource, () => withKnownCalls(resource, step, runtime(), work));
  return {
    checked,
    failures,
    diff: (state, inputs) => diffAt(resource, state, checked(inputs), runtime().clock.now()),
    create: (inputs) => during("create", async (run) => createResource(run, resource, checked(inputs))),
    read: ({ id, state }) =>
      during("read", (run) => readResource(run, resource, id, { __owner: owner, ...state })),
    update: ({ id, state }, inputs) =>
      during("update", async (run) => updateResource(run, resource, id, state, checked(inputs))),
    delete: ({ id, state }) =>
      during("delete", (run) => deleteResource(run, resource, id, { __owner: owner, ...state })),
  };
}
