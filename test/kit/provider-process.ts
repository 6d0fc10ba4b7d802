import { rmSync } from "node:fs";
import type { dynamic } from "@pulumi/pulumi";
import { resourceByType } from "../../provider/catalog/catalog";
import { createDynamicProvider } from "../../provider/dynamic/dynamic-provider";
import { createProcessRuntime } from "../../provider/process/process-runtime";
import type { StatusLine } from "../../provider/process/status-reporter";
import type { Values } from "../../provider/define/values";
import type { Scenario } from "./scenario";
import { temporaryFolder } from "./temporary-folder";
import { inClear, namesWithSecrets, overTheWire } from "./engine-values";

export interface InState {
  readonly id: string;
  /** As the provider handed them out: secrets wrapped. */
  readonly outs: Values;
}

export interface Found extends InState {
  readonly inputs: Values | undefined;
}

/** What the SDK makes of an error: `id`, `properties` and `reasons` where the resource was made. */
export interface StepFailure {
  readonly message: string;
  readonly id?: string;
  readonly properties?: Values;
  readonly reasons?: readonly string[];
}

/** The SDK's dynamic provider process with one resource type in it, as the engine talks to it. */
export interface ProviderProcess {
  /** `olds` are the inputs that the engine has recorded. */
  check(inputs: Values, olds?: Values): Promise<{ inputs: Values; failures: dynamic.CheckFailure[] }>;
  diff(state: InState, inputs: Values): Promise<dynamic.DiffResult>;
  create(inputs: Values): Promise<InState>;
  /** `inputs` are those that the engine has recorded: it sends them to the plugin. */
  read(state: InState & { readonly inputs?: Values | undefined }): Promise<Found>;
  update(state: InState, inputs: Values): Promise<InState>;
  delete(state: InState): Promise<void>;
  /** Every line shown to the user. */
  readonly lines: string[];
  close(): Promise<void>;
}

export interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The stack's configuration; `undefined` for a process in which a step runs before it is configured. */
  readonly config?: Readonly<Record<string, string>> | undefined;
  /** The type of the component that has made the resource. */
  readonly component?: string;
}

/** The literal that state refers to for ever. */
export function providerSource(type: string): string {
  return `exports.handler = () => require("pulumi-management/dynamic").provider("${type}")`;
}

export function startProviderProcess(
  { emulator, url, clock }: Pick<Scenario, "emulator" | "url" | "clock">,
  type: string,
  options: ProcessOptions = { config: {} },
): ProviderProcess & { readonly shown: readonly StatusLine[] } {
  const folder = temporaryFolder("management-adapter-");
  const shown: StatusLine[] = [];
  const lines: string[] = [];
  const send = (line: StatusLine): Promise<void> => {
    shown.push(line);
    if (line.message !== "") lines.push(line.message);
    return Promise.resolve();
  };
  const env = options.env ?? {
    MANAGEMENT_BASE_URL: url,
    MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
  };
  const runtime = createProcessRuntime({ XDG_STATE_HOME: folder, ...env }, send, { clock });
  // The SDK's interface has `any` for both; the adapter takes and gives property values.
  const provider = createDynamicProvider(resourceByType(type), runtime) as Required<
    dynamic.ResourceProvider<Values, Values>
  >;
  const { config } = options;
  if (config !== undefined) {
    const get = (name: string): string | undefined => config[name];
    // The process's own class cannot be built outside of it; the provider reads settings by `get` alone.
    void provider.configure({ config: { get } as unknown as dynamic.Config });
  }

  const __provider = providerSource(type);
  const owned =
    options.component === undefined
      ? {}
      : { __owner: `acme/shop/dev/management:index:${options.component}$${type.toLowerCase()}` };
  /** As the engine sends them: in clear, with the reference to the provider. */
  const sent = (values: Values): Values => overTheWire(inClear({ ...owned, ...values, __provider }));
  /** As the SDK sends them back: it puts the reference in once more. */
  const answered = (values: Values): Values => overTheWire({ ...values, __provider });

  return {
    shown,
    lines,
    check: async (inputs, olds) => {
      // The classes say what a program made a secret of, as the engine does not.
      const result = await provider.check(olds === undefined ? {} : sent(olds), {
        ...sent(inputs),
        __secrets: namesWithSecrets(inputs),
      });
      return { inputs: answered(result.inputs ?? {}), failures: result.failures ?? [] };
    },
    diff: (state, inputs) => provider.diff(state.id, sent(state.outs), sent(inputs)),
    create: async (inputs) => {
      const { id, outs = {} } = await provider.create(sent(inputs));
      return { id, outs: answered(outs) };
    },
    read: async ({ id, outs }) => {
      const { id: found = "", props = {}, inputs } = await provider.read(id, sent(outs));
      return { id: found, outs: answered(props), inputs: inputs && answered(inputs) };
    },
    update: async (state, inputs) => {
      const { outs = {} } = await provider.update(state.id, sent(state.outs), sent(inputs));
      return { id: state.id, outs: answered(outs) };
    },
    delete: (state) => provider.delete(state.id, sent(state.outs)),
    close: async () => {
      await Promise.resolve()
        .then(() => runtime.runtime().client().close())
        // A process that was never able to connect has nothing to close.
        .catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
