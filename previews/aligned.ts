import { escapeHidden } from "../spec/shown-text";

/** Rows of cells as lines of a table, each column as wide as its widest cell; no cell begins a line of its own. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map((cell) => escapeHidden(cell)));
  const widths: number[] = [];
  for (const row of shown)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
