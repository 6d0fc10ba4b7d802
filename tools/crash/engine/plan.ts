import { seededRandom } from "./seeded-random";

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

/** The kinds of kill in turn, every fourth case on the slow backend, the moments from the seed. */
export function planCases(count: number, seed: number): CrashCase[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    kill: KILLS[index % KILLS.length] ?? KILLS[0],
    backend: index % 4 === 3 ? "slow" : "file",
    moment: random(),
  }));
}
