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
