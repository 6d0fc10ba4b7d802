/** The unit in which Postgres counts a setting whose value has no unit of its own. */
export type BaseUnit = keyof typeof MEMORY | keyof typeof TIME;

const MEMORY = { B: 1, kB: 2 ** 10, "8kB": 2 ** 13, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 } as const;
/** In microseconds. */
const TIME = { us: 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9, d: 8.64e10 } as const;

/** A number with an optional unit, as Postgres reads memory. */
export const MEMORY_PATTERN = /^-?\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB)?$/;
/** A number with an optional unit, as the specification has it for times. */
export const TIME_PATTERN = /^-?\d+(?:\.\d+)?(?:us|ms|s|min|h|d)?$/;

/**
 * One spelling for equal values: the whole number of base units, to which Postgres rounds. What is no number with a
 * unit stays as it is.
 */
export function inBaseUnits(value: unknown, base: BaseUnit): unknown {
  if (typeof value === "number") return value;
  const parts = typeof value === "string" ? /^\s*(-?\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(value) : null;
  if (parts === null) return value;
  const factors: Readonly<Record<string, number>> = base in TIME ? TIME : MEMORY;
  const unit = parts[2] === "" ? base : (parts[2] ?? base);
  const factor = factors[unit];
  const baseFactor = factors[base];
  if (factor === undefined || baseFactor === undefined) return value;
  return Math.round((Number(parts[1]) * factor) / baseFactor);
}
