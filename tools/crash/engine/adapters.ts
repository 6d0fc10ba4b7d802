import type { Engine } from "../../engine/engine";
import { startEmulatedProgram, type Stack } from "../../engine/emulated-program";
import { startEmulatedYaml } from "../../engine/emulated-yaml";
import { CLASSES, YAML } from "./programs";

/** A project and its branches then take about two seconds each. */
export const KILL_PACE = 0.05;

export interface StackOptions {
  readonly engine: Engine;
  readonly backendUrl?: string;
}

const starts = {
  dynamic: (options: StackOptions) => startEmulatedProgram(CLASSES, { pace: KILL_PACE, ...options }),
  plugin: (options: StackOptions) => startEmulatedYaml(YAML, { pace: KILL_PACE, ...options }),
} as const;

export type AdapterName = keyof typeof starts;

export function isAdapterName(name: string): name is AdapterName {
  return Object.hasOwn(starts, name);
}

export function startStackOf(adapter: AdapterName, options: StackOptions): Promise<Stack> {
  return starts[adapter](options);
}
