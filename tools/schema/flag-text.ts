import type { Properties } from "./package-spec";

/**
 * Properties that `pulumi do` makes flags of: the help of a flag takes the first word in backticks for the type of its
 * value, so what is code elsewhere stands in quotes there.
 */
export function asFlags(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, spec]) => [
      name,
      spec.description === undefined
        ? spec
        : { ...spec, description: spec.description.replaceAll(/`([^`]*)`/g, '"$1"') },
    ]),
  );
}
