import { functionByName } from "../../provider/catalog/catalog";
import { checkArguments, invokeFunction } from "../../provider/engine/invoke";
import { wrapSecrets } from "../../provider/engine/schema/secrets";
import type { Values } from "../../provider/define/values";
import { listed } from "../kit/listed-problems";
import type { Scenario } from "../kit/scenario";

/** Calls a function as an adapter does: its arguments checked first. */
export async function invoke<T = Values>(scenario: Scenario, name: string, given: Values): Promise<T> {
  const definition = functionByName(name);
  const failures = faults(name, given);
  if (failures.length > 0) throw new Error(failures.join("\n"));
  // Each test names the part of the result that it looks at.
  return (await listed(definition, () => invokeFunction(scenario.runtime, definition, given))) as T;
}

/** What is wrong with arguments. */
export function faults(name: string, given: Values): string[] {
  return checkArguments(functionByName(name), given).map(({ path, reason }) => `${path}: ${reason}`);
}

/** The result as it leaves an adapter, every secret in it as `{ secret: value }`. */
export async function invokeWrapped(scenario: Scenario, name: string, given: Values): Promise<Values> {
  return wrapSecrets(functionByName(name), await invoke(scenario, name, given), (secret) => ({ secret }));
}

/** The error with which a function ends. */
export async function errorOf(scenario: Scenario, name: string, given: Values): Promise<Error> {
  try {
    await invoke(scenario, name, given);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error(`${name} did not fail`);
}

/** No project has this reference. */
export const NOBODY = "zzzzzzzzzzzzzzzzzzzz";
