import type { Declaration, Example, ExampleValue, ExampleValues } from "./example";

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
  const declared = Object.values(example.declares);
  return (
    declared.some((one) => dependenciesOf(one).includes(name)) ||
    [...declared.map(valuesOf), example.outputs ?? {}].some(refers)
  );
}

/** The resources that are made before this one though no value of it refers to them. */
export function dependenciesOf(declaration: Declaration): readonly string[] {
  return "resource" in declaration ? (declaration.dependsOn ?? []) : [];
}

/** What stands above a declaration, as comments of a language. */
export function formatComment(declaration: Declaration, mark: "//" | "#"): string[] {
  const comment = "resource" in declaration ? declaration.comment : undefined;
  return comment === undefined ? [] : [`${mark} ${comment}`];
}

export function valuesOf(declaration: Declaration): ExampleValues {
  return "resource" in declaration ? declaration.properties : declaration.arguments;
}
