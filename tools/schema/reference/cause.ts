/** Where an error can come up. */
export type Occurrence =
  /** Wherever the code that says it is reached. */
  | "where it is said"
  /** At every resource. */
  | "resource"
  /** At every resource that looks for what exists already. */
  | "findable resource"
  /** At every call; told once, in the index. */
  | "every call";

/** Something that goes wrong, by words of the message that the provider gives. */
export interface Cause {
  /** A part of the message, word for word. */
  readonly says: string;
  /** The source that says it. */
  readonly source: string;
  readonly at: Occurrence;
  /** The only types and names at which it can, where the code that says it is reached from others as well. */
  readonly only?: readonly string[] | undefined;
  readonly means: string;
  readonly remedy: string;
}

type Told = readonly [says: string, source: string, means: string, remedy: string, only?: readonly string[]];

/** Causes of one occurrence. */
export function causes(at: Occurrence, told: readonly Told[]): Cause[] {
  return told.map(([says, source, means, remedy, only]) => ({ at, says, source, means, remedy, only }));
}
