import { aligned } from "../../previews/aligned";
import { type Covered, findMissing, type Place, places } from "./coverage";

const labels: Readonly<Record<Place, string>> = {
  spec: "are in the table",
  client: "in the client",
  emulator: "in the emulator",
  tested: "tested",
};

/** The report for a terminal: one line per endpoint, then the sums, then what is missing. */
export function reportText(rows: readonly Covered[]): string {
  const documented = rows.filter((row) => row.documented);
  const count = (isOne: (row: Covered) => boolean): number => documented.filter(isOne).length;
  const isPlanned = (start: string) => (row: Covered) =>
    row.usedBy.length === 0 && row.plan?.startsWith(start) === true;
  const inPlaces = places.map((place) => `${count((row) => row[place])} ${labels[place]}`);
  return [
    ...aligned([["operation", "endpoint", ...places, "used by"], ...rows.map(cellsOf)]),
    "",
    `Of ${documented.length} documented operations ${inPlaces.join(", ")}.`,
    `Used by a resource, function or action: ${count(({ usedBy }) => usedBy.length > 0)}; ` +
      `later: ${count(isPlanned("later"))}; client only: ${count(isPlanned("client only"))}.`,
    ...places.flatMap((place) =>
      findMissing(place, rows).map(
        ({ operation, endpoint }) => `Not ${labels[place].replace("are ", "")}: ${operation ?? endpoint}`,
      ),
    ),
  ].join("\n");
}

function cellsOf(row: Covered): string[] {
  const marks = places.map((place) => (row[place] ? "yes" : "NO"));
  const users = row.usedBy.length > 0 ? row.usedBy.join(", ") : (row.plan ?? "NOTHING, without a reason");
  return [row.operation ?? "?", row.endpoint, ...marks, row.documented ? users : `${users} (not documented)`];
}
