import type { Emulator, EmulatorOptions } from "../../emulator";
import { declare, startEmulatedYaml, type YamlStack } from "../../tools/engine/emulated-yaml";
import type { Engine } from "../../tools/engine/engine";
import type { OperationResult } from "../../tools/engine/workspace";
import type { Declared, Outcome } from "./model-engine";
import type { RunnableStack } from "./checks";

const CHANGES: readonly string[] = ["create", "update", "delete", "replace"];

/** A stack of the real engine with the plugin, beside which an emulator runs in real time: the same programs and checks. */
export class EngineStack implements RunnableStack {
  readonly name = "test";
  program: readonly Declared[] = [];

  private constructor(private readonly stack: YamlStack) {}

  static async open(engine: Engine, options: EmulatorOptions = {}): Promise<EngineStack> {
    return new EngineStack(await startEmulatedYaml({ resources: {} }, { ...options, engine }));
  }

  get emulator(): Emulator {
    return this.stack.emulator;
  }

  async up(): Promise<Outcome> {
    const declared = this.program.map(({ name, type, inputs, deleteBeforeReplace = false }) => {
      const options = deleteBeforeReplace ? { deleteBeforeReplace } : undefined;
      return [name, declare(type, inputs(referenceTo), options)] as const;
    });
    this.stack.rewrite({ resources: Object.fromEntries(declared) });
    return outcomeOf(await this.stack.workspace.up());
  }

  async refresh(): Promise<Outcome> {
    return outcomeOf(await this.stack.workspace.refresh());
  }

  async destroy(): Promise<Outcome> {
    return outcomeOf(await this.stack.workspace.destroy());
  }

  close(): Promise<void> {
    return this.stack.dispose();
  }
}

/** Outputs of a resource, as a program of YAML names them. */
function referenceTo(resource: string): Readonly<Record<string, unknown>> {
  return new Proxy({}, { get: (_target, output) => `\${${resource}.${String(output)}}` });
}

function outcomeOf({ events, exitCode, stdout, stderr }: OperationResult): Outcome {
  const steps = events.flatMap(({ resOutputsEvent }) => {
    const metadata = resOutputsEvent?.metadata;
    if (metadata === undefined || !CHANGES.includes(metadata.op)) return [];
    return metadata.type.includes("management:")
      ? [`${metadata.op} ${metadata.urn.split("::").at(-1) ?? ""}`]
      : [];
  });
  return { steps, failures: exitCode === 0 ? [] : [new Error(`${stdout}${stderr}`)] };
}
