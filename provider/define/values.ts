/** Values of a resource by property name. Names that begin with `__` are the engine's own and are never compared. */
export type Values = Record<string, unknown>;

export function isOwnKey(name: string): boolean {
  return name.startsWith("__");
}

export function pick(values: Values, names: Iterable<string>): Values {
  return Object.fromEntries(
    [...names].filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}

/** Without what is undefined or null. */
export function omitUndefined(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The value without the `undefined` within it, which neither the engine nor JSON has; a null may mean something. */
export function omitNestedUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNestedUndefined);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(kept.map(([name, child]) => [name, omitNestedUndefined(child)]));
}
