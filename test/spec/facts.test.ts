import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createOpenApiDocument } from "../../spec/openapi";
import type { Operation } from "../../spec/operation";
import { currentOperations, documentedOperations, newerOperations, operations } from "../../spec/table";
import { deliberateDifferences } from "./facts-differences";
import { differences, factsOf, type Document } from "./operation-facts";

describe("the operation table beside the documented facts", () => {
  // An OpenAPI document, of which only what `Document` names is read.
  const table = factsOf(createOpenApiDocument(operations) as unknown as Document);
  const documented = {
    ...readFacts("facts.json"),
    ...readFacts("facts-newer.json"),
    ...readFacts("facts-current.json"),
  };
  const found = differences("", documented, withListedErrors(table));

  it("says the same of every operation, but for the deliberate differences", () => {
    const unexplained = found.filter(
      (difference) => !deliberateDifferences.some(({ pattern }) => pattern.test(difference)),
    );
    expect(unexplained).toEqual([]);
  });

  it.each(deliberateDifferences.map(({ pattern, reason }) => [reason, pattern] as const))(
    "still differs because %s (%s)",
    (_reason, pattern) => {
      expect(found.filter((difference) => pattern.test(difference))).not.toEqual([]);
    },
  );
});

test.each([
  ["facts.json", documentedOperations],
  ["facts-newer.json", newerOperations],
  ["facts-current.json", currentOperations],
])("%s has the operations of its own set", (file, set) => {
  const places = Object.values<Operation>(set).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(readFacts(file)).toSorted()).toEqual(places.toSorted());
});

function readFacts(file: string): object {
  return JSON.parse(readFileSync(join(__dirname, "..", "..", "spec", file), "utf8")) as object;
}

/** The documents list 429 for every operation; the table only where the specification does. */
function withListedErrors(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const byPlace = new Map<string, Operation>(
    Object.values(operations).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return Object.fromEntries(
    Object.entries(facts).map(([place, fact]) => [
      place,
      { ...(fact as object), errors: (byPlace.get(place)?.errors ?? []).map(String).toSorted() },
    ]),
  );
}
