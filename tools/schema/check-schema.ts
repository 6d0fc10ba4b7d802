import { fault, type Fault } from "./check/fault";
import { nameFaults } from "./check/name-faults";
import { everyProperty } from "./check/property-sets";
import { surfaceFaults } from "./check/surface-faults";
import { environmentVariable } from "./config-spec";
import { packageSchema, surface, type Manifest, type Surface } from "./package-schema";
import type { PackageSpec } from "./package-spec";

/** The package schema; throws with all faults of the catalog, each with its place and what to do. */
export function soundSchema(manifest: Manifest, from: Surface = surface): PackageSpec {
  failOn(surfaceFaults(from));
  const schema = packageSchema(manifest, from);
  failOn([...descriptionFaults(schema), ...nameFaults(schema), ...valueFaults(schema)]);
  return schema;
}

function failOn(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, message }) => `  ${path} ${message}`);
  throw new Error(`Pulumi would lose or misread this of the package:\n${lines.join("\n")}`);
}

/** Values that generated code would show, lose or not hold. */
function valueFaults(schema: PackageSpec): Fault[] {
  return everyProperty(schema).flatMap(({ path, spec, in: { kind } }) => {
    const { const: constant, default: usual, secret, type, description = "" } = spec;
    const checks: readonly (readonly [isFault: boolean, message: string])[] = [
      [
        constant !== undefined && usual !== undefined,
        "has a default beside its only value, which wins: remove it",
      ],
      [
        secret === true && usual !== undefined,
        "is a secret with a default, which generated code has in plain text: remove the default",
      ],
      [
        kind === "config" && environmentVariable(description) === undefined,
        "does not say which environment variable sets it: end its description with `Environment: NAME.`",
      ],
      [
        type === "integer" && /\bmilliseconds since|\bbytes\b/i.test(description),
        "is an integer that needs more than 32 bits: make it a z.number(), or ISO 8601 text",
      ],
    ];
    return checks.flatMap(([isFault, message]) => (isFault ? [fault(path, message)] : []));
  });
}

/** Whatever a reader of the docs would find without a word. */
function descriptionFaults(schema: PackageSpec): Fault[] {
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
