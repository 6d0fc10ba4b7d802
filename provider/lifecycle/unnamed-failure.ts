import type { CheckFailure } from "../define/resource";

/**
 * A failed check as the engine takes it. The engine prints the value of the property that a failure names, a secret's too,
 * so none is named: the path leads the reason (docs/decisions/0035).
 */
export function unnamed(
  { path, reason }: CheckFailure,
  redact: (text: string) => string,
): { readonly property: string; readonly reason: string } {
  return { property: "", reason: redact(`${path}: ${reason}`) };
}
