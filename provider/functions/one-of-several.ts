import type { z } from "zod";

/** Refuses arguments of which not exactly one is given, by the path of the last one. */
export function exactlyOne(
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
