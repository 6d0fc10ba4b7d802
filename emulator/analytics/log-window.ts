import { Refusal } from "../handler";

const MINUTE_MS = 60_000;
const LONGEST_MS = 24 * 60 * MINUTE_MS;

/** From when to when logs are looked at, both ends included. */
export interface LogWindow {
  readonly from: number;
  readonly to: number;
}

/** Both timestamps or none, at most 24 hours, rounded to the nearest minute (service, Analytics). */
export function readWindow(start: string | undefined, end: string | undefined, now: number): LogWindow {
  // Rounding would hide what the last minute is asked for.
  if (start === undefined && end === undefined) return { from: now - MINUTE_MS, to: now };
  if (start === undefined || end === undefined) {
    throw new Refusal(
      400,
      "iso_timestamp_start: iso_timestamp_start and iso_timestamp_end must be given together",
    );
  }
  const window = { from: roundedToMinute(start), to: roundedToMinute(end) };
  if (window.from > window.to) {
    throw new Refusal(400, "iso_timestamp_start: it must not be after iso_timestamp_end");
  }
  if (window.to - window.from > LONGEST_MS) {
    throw new Refusal(400, "iso_timestamp_end: the range of the timestamps must be at most 24 hours");
  }
  return window;
}

function roundedToMinute(timestamp: string): number {
  return Math.round(Date.parse(timestamp) / MINUTE_MS) * MINUTE_MS;
}

export function isWithin({ from, to }: LogWindow, at: number): boolean {
  return from <= at && at <= to;
}
