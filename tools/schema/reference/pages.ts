import type { Example } from "../examples/example";
import { SdkTypes } from "../examples/sdk-types";
import { packageContents, type Surface } from "../package-schema";
import { componentPage } from "./component-page";
import { functionPage } from "./function-page";
import { indexPage } from "./index-page";
import { pageName } from "./markdown";
import type { RecordedCalls } from "./operation-use";
import { resourcePage } from "./resource-page";

/** What the reference is made of. */
export interface ReferenceSource extends Surface {
  readonly examples: Readonly<Record<string, Example>>;
  /** What the sample of a resource or function calls, by type or name. */
  readonly callsOf: (typeOrName: string) => RecordedCalls;
}

/** Every page by its path below the reference's folder. */
export function referencePages(source: ReferenceSource): Record<string, string> {
  const { resources, functions, components = [], examples, callsOf } = source;
  const types = new SdkTypes(packageContents(source));
  const sourceOf = (name: string) => ({ calls: callsOf(name), example: examples[name], types });
  return {
    "README.md": indexPage({ resources, components, functions }),
    ...Object.fromEntries(
      resources.map((one) => [`resources/${pageName(one.type)}.md`, resourcePage(one, sourceOf(one.type))]),
    ),
    ...Object.fromEntries(
      components.map((one) => [
        `components/${pageName(one.type)}.md`,
        componentPage(one, { resources, callsOf, example: examples[one.type], types }),
      ]),
    ),
    ...Object.fromEntries(
      functions.map((one) => [`functions/${pageName(one.name)}.md`, functionPage(one, sourceOf(one.name))]),
    ),
  };
}
