import type { OperationName } from "../../spec/table";
import { recordedCalls } from "../../tools/generate/recorded-calls";
import type { Objects } from "../lifecycle/sample";
import { samples } from "../lifecycle/samples";

/** What each type's objects are on the service, past the provider; a configuration has none. */
export const kinds: Readonly<Record<string, Objects>> = Object.fromEntries(
  samples.flatMap(({ type, objects }) => (objects === undefined ? [] : [[type, objects] as const])),
);

/** Operations that random faults hit: those that the samples call. */
export const faultyOperations: readonly OperationName[] = [
  // The keys of a record are operations; a test holds it against the calls.
  ...new Set(samples.flatMap(({ type }) => Object.keys(recordedCalls(type)) as OperationName[])),
];
