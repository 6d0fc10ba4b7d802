import type { ManagementClient } from "../provider/client";
import type { Clock } from "../provider/client/clock";
import type { Step } from "./fixtures/conditional-calls";
import type { AnyResource } from "../provider/define/resource";
import { createSharedCalls } from "../provider/batching/shared-calls";
import { checkInputs } from "../provider/engine/check";
import { createResource, type SettledResource } from "../provider/engine/create/create";
import { deleteResource } from "../provider/engine/delete";
import { diffAt, type TimedDifferences } from "../provider/engine/diff";
import { readResource, type ReadResult } from "../provider/engine/read";
import { updateResource } from "../provider/engine/update";
import { ProgramIndex } from "../provider/ledger/program-index";
import { Ledger } from "../provider/ledger/ledger";
import type { Processes } from "../provider/core/process-identity";
import type { Runtime } from "../provider/engine/step/runtime";
import type { Values } from "../provider/define/values";

/** One resource type as a program's run would drive it. */
export interface Managed {
  /** The inputs after check; throws with every failure when check refuses them. */
  checked(inputs: Values): Values;
  /** What check refuses; `before` are the inputs of a resource that is there. */
  failures(inputs: Values, before?: Values): string[];
  diff(state: Values, inputs: Values): TimedDifferences;
  create(inputs: Values): Promise<SettledResource>;
  read(made: SettledResource): Promise<ReadResult | undefined>;
  update(made: SettledResource, inputs: Values): Promise<SettledResource>;
  delete(made: SettledResource): Promise<void>;
}

/** What looks at each step from outside. */
interface Watching {
  /** A reason for which check refused the inputs. */
  refused(reason: string): void;
  during<T>(step: Step, runtime: Runtime, work: (runtime: Runtime) => Promise<T>): Promise<T>;
}

const nobody: Watching = { refused: () => undefined, during: (_step, runtime, work) => work(runtime) };

/** Drives a resource of a program `shop`; `runtime` is that of the present run. */
export function manageResource(
  resource: AnyResource,
  runtime: () => Runtime,
  watching: Watching = nobody,
): Managed {
  const owner = `acme/shop/dev/${resource.type}`;
  const failures = (inputs: Values, before?: Values): string[] =>
    checkInputs(resource, inputs, before).failures.map(({ path, reason }) => {
      watching.refused(reason);
      return `${path}: ${reason}`;
    });
  /** What was declared by the latest create or update. */
  let latest: Values | undefined;
  /** The engine tells a check what was declared before; here only what a new resource may not declare is judged by it. */
  const checked = (inputs: Values, declared?: Values): Values => {
    const before = failures(inputs).length === 0 ? undefined : declared;
    const found = failures(inputs, before);
    if (found.length > 0) throw new Error(found.join("\n"));
    return checkInputs(resource, { __owner: owner, ...inputs }, before).inputs;
  };
  const declaring = (inputs: Values, declared?: Values): Values => {
    const all = checked(inputs, declared);
    latest = inputs;
    return all;
  };
  const during = <T>(step: Step, work: (run: Runtime) => Promise<T>): Promise<T> =>
    watching.during(step, runtime(), work);
  return {
    checked,
    failures,
    diff: (state, inputs) => diffAt(resource, state, checked(inputs, latest), runtime().clock.now()),
    create: (inputs) => during("create", async (run) => createResource(run, resource, declaring(inputs))),
    read: ({ id, state }) =>
      during("read", (run) => readResource(run, resource, id, { __owner: owner, ...state })),
    update: ({ id, state }, inputs) =>
      during("update", async (run) => updateResource(run, resource, id, state, declaring(inputs, latest))),
    delete: ({ id, state }) =>
      during("delete", (run) => deleteResource(run, resource, id, { __owner: owner, ...state })),
  };
}

/** What runs of one program on one machine have in common. */
interface Machine {
  readonly client: ManagementClient;
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Distinguishes the credentials of the client from others. */
  readonly account?: string;
  /** Where the ledger is kept. */
  readonly folder: string;
  /** Lines told to the user. */
  progress(line: string): void;
  info(line: string): void;
  warn(line: string): void;
}

/** The runtime of one `pulumi` command: shared reads begin anew with each; the ledger stays. */
export function runtimeOfRun(
  machine: Machine,
  processes: Processes,
  signal: AbortSignal = new AbortController().signal,
): Runtime {
  const { client, baseUrl, account = "account", clock, folder } = machine;
  return {
    client: () => client,
    baseUrl: () => baseUrl,
    baseUrlAliases: () => [],
    installation: () => ({ reservedPrefix: client.reservedPrefix() }),
    clock,
    shared: createSharedCalls(clock),
    program: new ProgramIndex(),
    redact: (text) => text,
    ledger: new Ledger({
      ...{ folder, backend: "", clock, processes },
      service: () => ({ baseUrl, account }),
      warn: (line) => machine.warn(line),
    }),
    signal,
    progress: (message, subject) => machine.progress(`${subject}: ${message}`),
    info: (message, subject) => machine.info(`${subject}: ${message}`),
    warn: (message, subject) => machine.warn(`${subject}: ${message}`),
  };
}
