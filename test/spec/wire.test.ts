import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Operation } from "../../spec/operation";
import { openApiDocument } from "../../spec/openapi";
import { operations } from "../../spec/table";
import { differences, factsOf, type Document } from "./operation-facts";
import { deliberateDifferences } from "./wire-differences";

const wirePath = join(__dirname, "..", "..", "..", "shared", "spec", "wire.json");
const isHere = existsSync(wirePath);
const whereItIs = isHere ? describe : describe.skip;

whereItIs(
  `the operation table beside wire.json${isHere ? "" : ` (skipped: there is no ${wirePath})`}`,
  () => {
    let found: string[];

    beforeAll(() => {
      // Both are OpenAPI documents, of which only what `Document` names is read.
      const wire = JSON.parse(readFileSync(wirePath, "utf8")) as Document;
      const table = openApiDocument(operations) as unknown as Document;
      found = differences("", factsOf(wire), withListedErrors(factsOf(table)));
    });

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
  },
);

/** The document lists 429 for every operation; the table only where the specification does. */
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
