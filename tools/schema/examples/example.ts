/** A value as a program writes it; a text that is `${name}` or `${name.property}` is a reference, as in Pulumi YAML. */
export type ExampleValue =
  string | number | boolean | readonly ExampleValue[] | { readonly [key: string]: ExampleValue };

export type ExampleValues = Readonly<Record<string, ExampleValue>>;

/** One resource that a program declares, or one function that it calls. */
export type Declaration =
  | {
      readonly resource: string;
      readonly properties: ExampleValues;
      /** Other resources, by their names in the program, that are made before. */
      readonly dependsOn?: readonly string[];
      /** A line above the resource. */
      readonly comment?: string;
    }
  | { readonly function: string; readonly arguments: ExampleValues };

/** A small whole program, written once and rendered to every language. */
export interface Example {
  /** What `pulumi config set` must have set, by name. */
  readonly config?: Readonly<Record<string, "text" | "secret">>;
  /** In the order in which they refer to each other, by their names in the program. */
  readonly declares: Readonly<Record<string, Declaration>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** What a program has of a resource beside the inputs of its fixture. */
export interface ResourceDifference {
  /** In place of inputs or beside them, and after the others; undefined takes an input out. */
  readonly properties?: Readonly<Record<string, ExampleValue | undefined>>;
  readonly dependsOn?: readonly string[];
  readonly comment?: string;
}

/** The example of a resource, without what its fixture says. */
export interface ExampleDifference extends ResourceDifference {
  /** The resource's name in the program. */
  readonly name: string;
  /** Where the program does not take it from its configuration. */
  readonly projectRef?: string;
  /** What the program declares before and after the resource. */
  readonly before?: Example["declares"];
  readonly after?: Example["declares"];
  readonly outputs?: Readonly<Record<string, string>>;
}

/** The examples of an area's reference pages, by the type of the resource or the name of the function. */
export type Examples = Readonly<Record<string, Example>>;
