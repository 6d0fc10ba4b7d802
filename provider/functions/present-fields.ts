type Absent = null | undefined;

type Present<T> = { [K in keyof T as Absent & T[K] extends never ? K : never]: T[K] } & {
  [K in keyof T as Absent & T[K] extends never ? never : K]?: Exclude<T[K], Absent>;
};

/** The fields that have a value; those that the service omits or returns as null are absent. */
export function presentFields<T extends object>(fields: T): Present<T> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  // Removing the keys whose value is null or undefined gives exactly that type.
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutUndefined(value)])) as Present<T>;
}

/** A null within a value may mean something, as in the claims of a template; undefined never does. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(kept.map(([name, child]) => [name, withoutUndefined(child)]));
}
