const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type Interval = "15min" | "30min" | "1hr" | "3hr" | "1day" | "3day" | "7day";

/** How long each interval reaches back, and into what it is divided, which is unknown: here some dozens of parts. */
const intervals: Readonly<Record<Interval, { readonly spanMs: number; readonly bucketMs: number }>> = {
  "15min": { spanMs: 15 * MINUTE_MS, bucketMs: MINUTE_MS },
  "30min": { spanMs: 30 * MINUTE_MS, bucketMs: MINUTE_MS },
  "1hr": { spanMs: HOUR_MS, bucketMs: MINUTE_MS },
  "3hr": { spanMs: 3 * HOUR_MS, bucketMs: 5 * MINUTE_MS },
  "1day": { spanMs: DAY_MS, bucketMs: HOUR_MS },
  "3day": { spanMs: 3 * DAY_MS, bucketMs: HOUR_MS },
  "7day": { spanMs: 7 * DAY_MS, bucketMs: 6 * HOUR_MS },
};

export interface Bucket<T> {
  /** When it begins. */
  readonly timestamp: string;
  readonly items: readonly T[];
}

/** What happened, divided by time; the last bucket is the one that `now` is in, empty ones are among them. */
export function bucketsOf<T extends { readonly at: number }>(
  items: readonly T[],
  interval: Interval,
  now: number,
): Bucket<T>[] {
  const { spanMs, bucketMs } = intervals[interval];
  const last = Math.floor(now / bucketMs);
  const byNumber = Map.groupBy(items, ({ at }) => Math.floor(at / bucketMs));
  return Array.from({ length: spanMs / bucketMs }, (_, index) => last - spanMs / bucketMs + 1 + index).map(
    (number) => ({
      timestamp: new Date(number * bucketMs).toISOString(),
      items: byNumber.get(number) ?? [],
    }),
  );
}
