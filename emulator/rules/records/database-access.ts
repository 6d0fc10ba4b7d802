export interface ReadonlyRecord {
  /** What the service does when the disk is full. */
  enabled: boolean;
  /** Until when writes are let through all the same; null for never. */
  overrideUntil: number | null;
}

export function newReadonly(): ReadonlyRecord {
  return { enabled: false, overrideUntil: null };
}
