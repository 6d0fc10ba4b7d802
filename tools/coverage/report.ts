import { type Covered, missingIn, type Place, places } from "./coverage";

const HEAD = ["operation", "endpoint", "spec", "client", "emulator", "tested", "used by"];

/** The report for a terminal: one line per endpoint, then the sums, then what is missing. */
export function reportText(rows: readonly Covered[]): string {
  const documented = rows.filter((row) => row.documented);
  const beyond = rows.filter((row) => !row.documented);
  const cells = [HEAD, ...[...documented, ...beyond].map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const [head = "", ...lines] = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  const missing = places.flatMap((place) => missingText(place, missingIn(place, rows)));
  return [
    head,
    rule,
    ...lines.slice(0, documented.length),
    ...(beyond.length === 0 ? [] : ["", "On the running service, not in the documents:"]),
    ...lines.slice(documented.length),
    "",
    ...sums(documented),
    ...(missing.length === 0 ? [] : ["", ...missing]),
  ].join("\n");
}

function cellsOf(row: Covered): string[] {
  const endpoint = `${row.method.padEnd(6)} ${row.path}`;
  const marks = places.map((place) => (row[place] ? "yes" : "NO"));
  return [row.operation ?? "?", endpoint, ...marks, usedByText(row)];
}

function usedByText({ usedBy, plan, operation }: Covered): string {
  if (usedBy.length > 0) return usedBy.join(", ");
  return plan ?? (operation === undefined ? "" : "NOTHING, without a reason");
}

function sums(rows: readonly Covered[]): string[] {
  const count = (isOne: (row: Covered) => boolean): number => rows.filter(isOne).length;
  const inPlaces = places.map((place) => `${count((row) => row[place])} ${labels[place]}`);
  const isUsed = ({ usedBy }: Covered): boolean => usedBy.length > 0;
  const isPlanned = (start: string) => (row: Covered) => !isUsed(row) && row.plan?.startsWith(start) === true;
  return [
    `Of ${rows.length} documented operations ${inPlaces.join(", ")}.`,
    `Used by a resource, function or action: ${count(isUsed)}; later: ${count(isPlanned("later"))}; ` +
      `client only: ${count(isPlanned("client only"))}.`,
  ];
}

const labels: Readonly<Record<Place, string>> = {
  spec: "are in the table",
  client: "in the client",
  emulator: "in the emulator",
  tested: "tested",
};

const wheres: Readonly<Record<Place, string>> = {
  spec: "the table (spec/operations)",
  client: "the client (provider/client)",
  emulator: "the emulator (emulator/rules)",
  tested: "the tests (test/emulator/operations/samples)",
};

function missingText(place: Place, rows: readonly Covered[]): string[] {
  if (rows.length === 0) return [];
  return [
    `Missing in ${wheres[place]}:`,
    ...rows.map(({ operation, method, path }) => `  ${operation ?? `${method} ${path}`}`),
  ];
}
