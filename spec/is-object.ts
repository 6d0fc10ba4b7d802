/** Whether a value of JSON, or of a body beside it, is an object: no list and no bytes. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
