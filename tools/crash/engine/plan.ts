import fc from "fast-check";

export const KILLS = ["engine alone", "engine and all below", "provider alone"] as const;
export type Kill = (typeof KILLS)[number];
export type Backend = "file" | "slow";

export interface CrashCase {
  /** From 1. */
  readonly number: number;
  readonly kill: Kill;
  readonly backend: Backend;
  /** When the kill comes, as a share of what an undisturbed `up` takes. */
  readonly moment: number;
}

const MOMENTS = 2 ** 32;

/** The kinds of kill in turn, every fourth case on the slow backend, the moments from the seed. */
export function planCases(count: number, seed: number): CrashCase[] {
  const moments = fc.sample(fc.noBias(fc.nat(MOMENTS - 1)), { numRuns: count, seed });
  return moments.map((moment, index) => ({
    number: index + 1,
    kill: KILLS[index % KILLS.length] ?? KILLS[0],
    backend: index % 4 === 3 ? "slow" : "file",
    moment: moment / MOMENTS,
  }));
}
