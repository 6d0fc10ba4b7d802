import type { Example } from "../../../provider/define/example";
import { SdkTypes } from "../examples/sdk-types";
import { packageContents, type Surface } from "../package-schema";
import type { CodeFacts } from "./code-facts";
import { functionPage } from "./function-page";
import { indexPage } from "./index-page";
import { pageName } from "./markdown";
import { resourcePage } from "./resource-page";

/** What the reference is made of. */
export interface ReferenceSource extends Surface {
  readonly examples: Readonly<Record<string, Example>>;
  /** What the source of a resource or function says, by type or name. */
  readonly factsOf: (typeOrName: string) => CodeFacts;
}

/** Every page by its path below the reference's folder. */
export function referencePages(source: ReferenceSource): Record<string, string> {
  const { resources, functions, examples, factsOf } = source;
  const types = new SdkTypes(packageContents(source));
  const sourceOf = (name: string) => ({ facts: factsOf(name), example: examples[name], types });
  return {
    "README.md": indexPage(resources, functions),
    ...Object.fromEntries(
      resources.map((one) => [`resources/${pageName(one.type)}.md`, resourcePage(one, sourceOf(one.type))]),
    ),
    ...Object.fromEntries(
      functions.map((one) => [`functions/${pageName(one.name)}.md`, functionPage(one, sourceOf(one.name))]),
    ),
  };
}
