import type { AnyFunction } from "../../provider/define/function";
import { asFlags } from "./flag-text";
import type { NamedTypes } from "./named-types";
import { type FunctionSpec, type ObjectTypeSpec } from "./package-spec";
import { placeOf, type Place } from "./place";
import { propertiesOf, requiredOf } from "./type-spec";

/** A function: its arguments and its answer. */
export function functionSpec(definition: AnyFunction, types: NamedTypes): FunctionSpec {
  const { name, description } = definition;
  const part = (side: Place["side"]): ObjectTypeSpec => {
    const properties = propertiesOf(definition[side], placeOf(name, side), types);
    return {
      type: "object",
      properties: side === "inputs" ? asFlags(properties) : properties,
      ...requiredOf(definition[side]),
    };
  };
  const hasArguments = Object.keys(definition.inputs.shape).length > 0;
  return { description, ...(hasArguments ? { inputs: part("inputs") } : {}), outputs: part("outputs") };
}
