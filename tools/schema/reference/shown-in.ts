import type { Example, ExampleValues } from "../examples/example";

/** What the example sets of a resource or function, by its type or name. */
export function shownIn(example: Example | undefined, typeOrName: string): ExampleValues {
  const declared = Object.values(example?.declares ?? {}).flatMap((one): ExampleValues[] => {
    if ("resource" in one) return one.resource === typeOrName ? [one.properties] : [];
    return one.function === typeOrName ? [one.arguments] : [];
  });
  return Object.assign({}, ...declared) as ExampleValues;
}
