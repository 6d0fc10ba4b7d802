import { descriptionFaults } from "./check/description-faults";
import type { Fault } from "./check/fault";
import { nameFaults } from "./check/name-faults";
import { surfaceFaults } from "./check/surface-faults";
import { valueFaults } from "./check/value-faults";
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
