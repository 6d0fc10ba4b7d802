/** A value as a program writes it; a text that is `${name}` or `${name.property}` is a reference, as in Pulumi YAML. */
export type ExampleValue =
  string | number | boolean | readonly ExampleValue[] | { readonly [key: string]: ExampleValue };

export type ExampleValues = Readonly<Record<string, ExampleValue>>;

/** One resource that a program declares, or one function that it calls. */
export type Declaration =
  | { readonly resource: string; readonly properties: ExampleValues }
  | { readonly function: string; readonly arguments: ExampleValues };

/** A small whole program, told once and rendered to every language. */
export interface Example {
  /** What `pulumi config set` must have set, by name. */
  readonly config?: Readonly<Record<string, "text" | "secret">>;
  /** In the order in which they refer to each other, by their names in the program. */
  readonly declares: Readonly<Record<string, Declaration>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

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
