import { examples } from "../schema/examples/examples.generated";
import { surface } from "../schema/package-schema";
import { referencePages } from "../schema/reference/pages";
import { recordedCalls } from "./recorded-calls";

// Padding every cell to the longest description would change whole tables with one word.
const format = { printWidth: 110, proseWrap: "never" };

/** Everything in `docs/reference` by its path below that folder. */
export function referenceFiles(): Record<string, string> {
  return {
    ".prettierrc.json": JSON.stringify(format),
    ...referencePages({ ...surface, examples, callsOf: recordedCalls }),
  };
}
