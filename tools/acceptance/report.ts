import type { Difference } from "./compare";
import { NEVER_TRIED } from "./subjects";
import type { Outcome } from "./trial";

/** What became of each type, as a table in Markdown. */
export function outcomesTable(outcomes: readonly Outcome[]): string {
  return table(
    ["resource", "steps", "result"],
    [
      ...outcomes.map((outcome) => [outcome.type, String(outcome.done.length), resultOf(outcome)]),
      ...Object.entries(NEVER_TRIED).map(([type, why]) => [type, "0", `left out: ${why}`]),
    ],
  );
}

function resultOf({ faults, leftOut, unedited }: Outcome): string {
  if (leftOut !== undefined) return `left out: ${leftOut}`;
  if (faults.length > 0) return faults.join("; ");
  return unedited === undefined ? "passed" : `passed; nothing was edited outside Pulumi: ${unedited}`;
}

/** In what the service and the emulator differ, as a table in Markdown. */
export function differencesTable(differences: readonly Difference[]): string {
  if (differences.length === 0) return "The service and the emulator answered alike.";
  return table(
    ["operation", "difference", "path", "service", "emulator", "where"],
    differences.map(({ operation, kind, path, service, emulator, places }) => [
      operation,
      kind,
      path,
      service,
      emulator,
      formatPlaces(places),
    ]),
  );
}

/** `Secret (look, create), SecretSet (look)` of the places `Secret: look`, `Secret: create` and `SecretSet: look`. */
function formatPlaces(places: readonly string[]): string {
  const steps = new Map<string, string[]>();
  for (const place of places) {
    const [type = "", step = ""] = place.split(": ");
    steps.set(type, [...(steps.get(type) ?? []), step]);
  }
  return [...steps].map(([type, names]) => `${type} (${names.join(", ")})`).join(", ");
}

/** A longer cell than this does not widen its column. */
const WIDEST = 60;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")),
  );
  const widths = head.map((_, column) =>
    Math.max(3, ...cells.map((row) => Math.min(row[column]?.length ?? 0, WIDEST))),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...others.map(line)].join("\n");
}
