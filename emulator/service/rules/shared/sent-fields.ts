/** What was sent of a body: an absent field may be there as undefined. */
type SentFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function sentFields<T extends object>(body: T): SentFields<T> {
  // The same fields, fewer of them.
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as SentFields<T>;
}
