import { parseArgs } from "node:util";
import { coverageOf, missingIn, places } from "./coverage";
import { reportText } from "./report";

const USAGE = `npm run coverage:api [-- --json]

Lists every operation of the Management API: whether the table, the client, the emulator and the tests have it, and which
resources, functions and actions use it. Fails when a documented operation is missing in any of the four.

  --json   the same as JSON
`;

/** Prints the report on the sources below `root`; the exit code tells whether anything is missing. */
export async function runCoverage(
  root: string,
  args: readonly string[],
  print: (text: string) => void,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) {
    print(USAGE);
    return 0;
  }
  const rows = await coverageOf(root);
  print(values.json === true ? JSON.stringify(rows, null, 2) : reportText(rows));
  return places.some((place) => missingIn(place, rows).length > 0) ? 1 : 0;
}
