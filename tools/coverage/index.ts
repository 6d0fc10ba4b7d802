import { parseArgs } from "node:util";
import { findPackageRoot } from "../engine/package-root";
import { coverageOf, findMissing, places } from "./coverage";
import { reportText } from "./report";

/** Prints the report, with `--json` as JSON; fails when a documented operation is missing in any place. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean" } } });
  const rows = await coverageOf(findPackageRoot());
  console.log(values.json === true ? JSON.stringify(rows, null, 2) : reportText(rows));
  if (places.some((place) => findMissing(place, rows).length > 0)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
