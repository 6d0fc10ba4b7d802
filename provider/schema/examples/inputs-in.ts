import type { AnyFunction } from "../../define/function";
import type { AnyResource } from "../../define/resource";
import type { InputsOf } from "./render-python";

/** The inputs of whatever an example may use. */
export function inputsIn(resources: readonly AnyResource[], functions: readonly AnyFunction[]): InputsOf {
  const byName = new Map([
    ...resources.map(({ type, inputs }) => [type, inputs] as const),
    ...functions.map(({ name, inputs }) => [name, inputs] as const),
  ]);
  return (typeOrName) => {
    const inputs = byName.get(typeOrName);
    if (inputs === undefined) throw new Error(`There is neither a resource nor a function ${typeOrName}.`);
    return inputs;
  };
}
