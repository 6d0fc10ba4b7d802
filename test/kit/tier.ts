/**
 * Which part of the tests runs: `quick` is `npm test`, `rest` what only `npm run test:all` has beyond it, `all` both.
 * `jest.config.js` reads the same variable: a file named `*.full.test.ts` is not in the quick tier, and one named
 * `*.sliced.test.ts` has a part in each.
 */
const TIERS = ["quick", "rest", "all"] as const;

type Tier = (typeof TIERS)[number];

function tierOf(name: string | undefined): Tier {
  const tier = TIERS.find((each) => each === (name ?? "quick"));
  if (tier === undefined)
    throw new Error(`TEST_TIER is "${name ?? ""}", and must be one of ${TIERS.join(", ")}.`);
  return tier;
}

/** Those cases of a sliced test file that this run's tier has. */
export function inTier<T>(cases: readonly T[], isQuick: (each: T) => boolean): T[] {
  const tier = tierOf(process.env["TEST_TIER"]);
  return cases.filter((each) => tier === "all" || isQuick(each) === (tier === "quick"));
}
