import { alignColumns } from "../../previews/aligned";
import { type Covered, findMissing, operationSets, type OperationSet, type Place, places } from "./coverage";

const labels: Readonly<Record<Place, string>> = {
  spec: "are in the table",
  client: "in the client",
  emulator: "in the emulator",
  tested: "tested",
};

/** The report for a terminal: one line per endpoint, then the sums, then what is missing. */
export function reportText(rows: readonly Covered[]): string {
  return [
    ...alignColumns([["operation", "endpoint", ...places, "used by"], ...rows.map(cellsOf)]),
    "",
    ...operationSets.flatMap((set) =>
      sumsOf(
        set,
        rows.filter((row) => row.set === set),
      ),
    ),
    ...places.flatMap((place) =>
      findMissing(place, rows).map(
        ({ operation, endpoint }) => `Not ${labels[place].replace("are ", "")}: ${operation ?? endpoint}`,
      ),
    ),
  ].join("\n");
}

function sumsOf(set: OperationSet, rows: readonly Covered[]): string[] {
  const count = (isOne: (row: Covered) => boolean): number => rows.filter(isOne).length;
  const isPlanned = (start: string) => (row: Covered) =>
    row.usedBy.length === 0 && row.plan?.startsWith(start) === true;
  const inPlaces = places.map((place) => `${count((row) => row[place])} ${labels[place]}`);
  return [
    `Of ${rows.length} ${set} operations ${inPlaces.join(", ")}.`,
    `Used by a resource, function or action: ${count(({ usedBy }) => usedBy.length > 0)}; ` +
      `later: ${count(isPlanned("later"))}; client only: ${count(isPlanned("client only"))}.`,
  ];
}

function cellsOf(row: Covered): string[] {
  const marks = places.map((place) => (row[place] ? "yes" : "NO"));
  const users = row.usedBy.length > 0 ? row.usedBy.join(", ") : (row.plan ?? "NOTHING, without a reason");
  return [
    row.operation ?? "?",
    row.endpoint,
    ...marks,
    row.set === "documented" ? users : `${users} (newer)`,
  ];
}
