import { descriptionFaults } from "./check/description-faults";
import type { Fault } from "./check/fault";
import { keywordFaults } from "./check/keyword-faults";
import { lossFaults } from "./check/loss-faults";
import { nameFaults } from "./check/name-faults";
import { referenceFaults } from "./check/reference-faults";
import { surfaceFaults } from "./check/surface-faults";
import { valueFaults } from "./check/value-faults";
import { packageSchema, surface, type Manifest, type Surface } from "./package-schema";
import type { PackageSpec } from "./package-spec";

/** Everything that Pulumi would silently lose or misread, in the catalog or in the schema made from it. */
export function schemaFaults(from: Surface, schema: unknown): readonly Fault[] {
  const early = [...surfaceFaults(from), ...keywordFaults(schema)];
  // What is not made as a schema cannot be read as one.
  if (early.length > 0) return early;
  // The keywords and their forms have just been checked.
  const spec = schema as PackageSpec;
  return [
    ...lossFaults(from, spec),
    ...descriptionFaults(spec),
    ...referenceFaults(spec),
    ...nameFaults(spec),
    ...valueFaults(spec),
  ];
}

/** The package schema; throws with all faults, each with its place and what to do. */
export function soundSchema(manifest: Manifest, from: Surface = surface): PackageSpec {
  failOn(surfaceFaults(from));
  const schema = packageSchema(manifest, from);
  failOn(schemaFaults(from, schema));
  return schema;
}

function failOn(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, message }) => `  ${path} ${message}`);
  throw new Error(`Pulumi would lose or misread this of the package:\n${lines.join("\n")}`);
}
