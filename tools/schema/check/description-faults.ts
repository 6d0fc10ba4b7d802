import type { PackageSpec } from "../package-spec";
import { fault, type Fault } from "./fault";
import { everyProperty } from "./property-sets";

/** Whatever a reader of the docs would find without a word. */
export function descriptionFaults(schema: PackageSpec): Fault[] {
  const described = [
    { path: "#", description: schema.description, what: "package.json" },
    { path: "#/provider", description: schema.provider.description, what: "its spec" },
    ...Object.entries(schema.resources).map(([token, { description }]) => ({
      path: `#/resources/${token}`,
      // How it is imported is there by itself.
      description: description.split("## Import")[0],
      what: "its definition",
    })),
    ...Object.entries(schema.functions).map(([token, { description }]) => ({
      path: `#/functions/${token}`,
      description,
      what: "its definition",
    })),
    ...Object.entries(schema.types).map(([token, { description }]) => ({
      path: `#/types/${token}`,
      description,
      what: "its zod schema by `.describe()` or `.meta({ id, description })`",
    })),
    ...everyProperty(schema).map(({ path, spec: { description } }) => ({
      path,
      description,
      what: "its zod schema by `.describe()`",
    })),
  ];
  return described
    .filter(({ description }) => description === undefined || description.trim() === "")
    .map(({ path, what }) => fault(path, `has no description: give one in ${what}`));
}
