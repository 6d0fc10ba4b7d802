/** The units of durations as Go writes them, which Terraform and the platform's tool take: `1h30m`. */
export const UNIT_SECONDS: Readonly<Record<string, number>> = {
  h: 3_600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};
