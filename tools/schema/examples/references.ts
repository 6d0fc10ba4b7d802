import type { Declaration, Example, ExampleValue, ExampleValues } from "../../../provider/define/example";

/** What a reference points to: a name of the program and, of a declaration, one of its properties. */
export interface Reference {
  readonly name: string;
  readonly property: string | undefined;
}

/** The reference that a value is; undefined for every other value. */
export function referenceIn(value: ExampleValue): Reference | undefined {
  const parts = typeof value === "string" ? /^\$\{(\w+)(?:\.(\w+))?\}$/.exec(value) : null;
  return parts?.[1] === undefined ? undefined : { name: parts[1], property: parts[2] };
}

/** Whether another declaration or an output refers to this one. */
export function isReferredTo(example: Example, name: string): boolean {
  const refers = (value: ExampleValue): boolean => {
    if (typeof value === "object") return Object.values(value).some(refers);
    return referenceIn(value)?.name === name;
  };
  return [...Object.values(example.declares).map(valuesOf), example.outputs ?? {}].some(refers);
}

export function valuesOf(declaration: Declaration): ExampleValues {
  return "resource" in declaration ? declaration.properties : declaration.arguments;
}
