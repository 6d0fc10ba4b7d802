import { functions, resources } from "../../provider/catalog";
import { examples } from "../../provider/schema/examples";
import { referencePages } from "../../provider/schema/reference/pages";
import { readFacts } from "./reference-facts";

// Padding every cell to the longest description would change whole tables with one word.
const format = { printWidth: 110, proseWrap: "never" };

/** Everything in `docs/reference` by its path below that folder. */
export function referenceFiles(root: string): Record<string, string> {
  return {
    ".prettierrc.json": JSON.stringify(format),
    ...referencePages({ resources, functions, examples, factsOf: readFacts(root) }),
  };
}
