import type { z } from "zod";

/** Refuses arguments of which not exactly one is given, by the path of the last one. */
export function requireExactlyOne(
  given: Readonly<Record<string, unknown>>,
  names: readonly [string, string, ...string[]],
  check: z.RefinementCtx,
): void {
  const present = names.filter((name) => given[name] !== undefined);
  if (present.length === 1) return;
  const quoted = names.map((name) => `\`${name}\``);
  const all = `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1) ?? ""}`;
  const message =
    present.length === 0 ? `give one of ${all}` : `give one of ${all}, not ${present.join(" and ")}`;
  check.addIssue({ code: "custom", path: [present.at(-1) ?? names[0]], message });
}

/** What a function was asked for, in a message: `name backend and the type secret`. */
export function formatIdentity(identity: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(identity)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join(" and the ");
}

/** What there is, in a message. */
export function formatNames<T>(present: readonly T[], labelOf: (one: T) => string, separator = ", "): string {
  return present.length === 0 ? "none" : present.map(labelOf).join(separator);
}

/** The only one that was found, never a guess. */
export function requireOnly<T>(found: readonly T[], none: () => Error, several: () => Error): T {
  const [only, ...others] = found;
  if (only === undefined) throw none();
  if (others.length > 0) throw several();
  return only;
}
