/** Seconds since the epoch reach this in the year 5138: what is greater was meant in milliseconds. */
const GREATEST_SECONDS = 1e11;

/** A time in ISO 8601, of seconds or of milliseconds since the epoch. */
export function isoTimeOf(sinceEpoch: number): string {
  return new Date(sinceEpoch > GREATEST_SECONDS ? sinceEpoch : sinceEpoch * 1_000).toISOString();
}
