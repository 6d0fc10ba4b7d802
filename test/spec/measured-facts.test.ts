import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(__dirname, "..", "..");

/** What a fact rests on: measured so many times, documented, read in the service's own console, reported or inferred. */
const grade = z.string().regex(/^(?:m\d+|[dcri])(?: \([\w, ]+\))?(?:, (?:m\d+|[dcri])(?: \([\w, ]+\))?)*$/);

const measuredFact = z
  .strictObject({
    sure: grade,
    fact: z.string().regex(/^\S.+[.`]$/s),
    /** `<file>: <title>` of each test that holds it. */
    tests: z
      .array(z.string().regex(/^test\/\S+\.ts(?:: .+)?$/))
      .min(1)
      .optional(),
    /** Why nothing imitates it, or nothing needs to. */
    reason: z.string().min(10).optional(),
  })
  .refine(({ tests, reason }) => tests !== undefined || reason !== undefined, "a test or a reason");

const facts = Object.entries(
  z
    .record(z.string().regex(/^\d+\.\d+$/), measuredFact)
    .parse(JSON.parse(readFileSync(join(root, "spec", "facts-measured.json"), "utf8"))),
);

it("the facts stand in the order of their numbers, each section without a gap", () => {
  const numbers = facts.map(([number]) => number.split(".").map(Number));
  for (const [index, [section, number]] of numbers.entries()) {
    const [before, last] = numbers[index - 1] ?? [0, 0];
    const isNext =
      section === before ? number === (last ?? 0) + 1 : number === 1 && (section ?? 0) > (before ?? 0);
    expect({ section, number, isNext }).toEqual({ section, number, isNext: true });
  }
});

it.each(facts.flatMap(([number, { tests = [] }]) => tests.map((test) => [number, test] as const)))(
  "%s is held by %s",
  (_number, test) => {
    const [, file = "", title = ""] = /^(\S+?\.ts): (.+)$/.exec(test) ?? [];
    expect(test).toMatch(/^\S+?\.ts: ./);
    expect(existsSync(join(root, file))).toBe(true);
    expect(readFileSync(join(root, file), "utf8")).toContain(title);
  },
);
