import type { OperationName } from "../../spec/table";
import { recordedCalls } from "../../tools/generate/recorded-calls";
import type { Objects } from "../../tools/fixtures/fixture";
import { resourceOf, sampleOf, samples } from "../kit/samples";

/** What each type's objects are on the service, past the provider. A configuration has none. */
export const kinds: Readonly<Record<string, Objects>> = Object.fromEntries(
  samples.flatMap(({ type, objects }) => (objects === undefined ? [] : [[type, objects] as const])),
);

/** Operations that random faults hit: those that the samples call. */
export const faultyOperations: readonly OperationName[] = [
  // The keys of a record are operations; a test holds it against the calls.
  ...new Set(samples.flatMap(({ type }) => Object.keys(recordedCalls(type)) as OperationName[])),
];

/** Whether a project cannot have both: one manages the whole of what the other adds to, or the service says so. */
export function areRivals(one: string, other: string): boolean {
  const [left, right] = [sampleOf(one), sampleOf(other)];
  if (left === right) return false;
  const [mine, theirs] = [left, right].map((sample) => resourceOf(sample).manages);
  const isShared = mine !== undefined && mine.collection === theirs?.collection;
  const isWhole = isShared && [mine, theirs].some(({ extent }) => extent === "whole");
  return isWhole || left.excludes?.includes(other) === true || right.excludes?.includes(one) === true;
}
