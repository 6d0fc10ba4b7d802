/** Plain JSON of anything that a state can hold. */
export function toPlain(value: unknown): unknown {
  if (value === null || typeof value !== "object") return typeof value === "bigint" ? String(value) : value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Set) return [...value].map(toPlain);
  if (Array.isArray(value)) return value.map(toPlain);
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  const plain: [string, unknown][] = [];
  for (const [key, child] of entries) if (child !== undefined) plain.push([String(key), toPlain(child)]);
  return Object.fromEntries(plain);
}
