/** One row of the closing table. */
export interface Row {
  readonly step: string;
  /** What became of the resources: "10 created". */
  readonly resources: string;
  /** Undefined against a real account, which keeps no log of calls for us. */
  readonly apiCalls: number | undefined;
  readonly seconds: number;
  readonly faults: readonly string[];
}

export function heading(text: string): string {
  return `\n━━ ${text} ${"━".repeat(Math.max(4, 90 - text.length))}`;
}

/** Prints what happened; whether every step did what it must. */
export function conclude(rows: readonly Row[], say: (line: string) => void): boolean {
  say(heading("what happened"));
  say(tableText(rows));
  const isRight = rows.every(({ faults }) => faults.length === 0);
  say(isRight ? "\nEvery step did what it must." : "\nA step did not do what it must: see above.");
  return isRight;
}

/** The rows as a table for a terminal. */
function tableText(rows: readonly Row[]): string {
  const cells = [
    ["step", "resources", "API calls", "seconds", ""],
    ...rows.map((row) => [
      row.step,
      row.resources,
      row.apiCalls === undefined ? "-" : String(row.apiCalls),
      row.seconds.toFixed(1),
      row.faults.length === 0 ? "as it must be" : "NOT as it must be",
    ]),
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const isNumber = (column: number): boolean => column === 2 || column === 3;
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)].join("\n");
}
