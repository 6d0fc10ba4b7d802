/** The value without the `undefined` within it, which neither the engine nor JSON has; a null may mean something. */
export function omitNestedUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNestedUndefined);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== undefined);
  return Object.fromEntries(kept.map(([name, child]) => [name, omitNestedUndefined(child)]));
}
