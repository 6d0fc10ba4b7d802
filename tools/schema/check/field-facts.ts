import type { Limit } from "../limits";

/** What is known of a field, either from the catalog or from the schema. */
export interface FieldFacts {
  /** `string`, `number`, `boolean`, `any`, `object`, `array`, `map`, `union`, or the values of an enum or constant. */
  readonly kind: string;
  readonly secret: boolean;
  readonly required: boolean;
  /** Whether SDKs ask the engine to replace the resource when the property changes. */
  readonly replaceOnChanges: boolean;
  /** Whether the docs say that the provider replaces it. */
  readonly willReplaceOnChanges: boolean;
  readonly default: unknown;
}

export interface DeclaredField extends FieldFacts {
  /** What the description must tell. */
  readonly limits: readonly Limit[];
}

export interface ToldField extends FieldFacts {
  readonly description: string;
}

/** Fields by their path, as `Project.inputs.regionSelection.code`. */
export type FieldMap<T extends FieldFacts> = Map<string, T>;

export const plain: Omit<FieldFacts, "kind"> = {
  secret: false,
  required: false,
  replaceOnChanges: false,
  willReplaceOnChanges: false,
  default: undefined,
};

/** Values as both sides write them, in any order. */
export function valuesKind(values: readonly unknown[]): string {
  return values
    .map((value) => JSON.stringify(value))
    .sort()
    .join(" | ");
}
