/** The service counts milliseconds here; everywhere else, and in programs, times are ISO 8601. */
export function isoTime(ms: number | null | undefined): string | undefined {
  return ms === null || ms === undefined ? undefined : new Date(ms).toISOString();
}
