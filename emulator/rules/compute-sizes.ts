import type { z } from "zod";
import { computeVariant } from "../../spec/operations/billing";
import type { instanceSize } from "../../spec/shared-fields";
import type { ComputeVariant, ProjectRecord } from "./records/project";

export type InstanceSize = z.infer<typeof instanceSize>;

/** The add-on of a size; the smallest ones are what a project has without one (behaviour, Projects). */
export function computeVariantOf(size: InstanceSize): ComputeVariant | undefined {
  return computeVariant.options.find((variant) => variant === `ci_${size}`);
}

export function selectedCompute({ addons }: ProjectRecord): ComputeVariant | undefined {
  const selected = addons.get("compute_instance");
  return computeVariant.options.find((variant) => variant === selected);
}

export function sizeOf(project: ProjectRecord): InstanceSize {
  const variant = selectedCompute(project);
  // Every compute variant is the name of a size behind `ci_`.
  return variant === undefined ? project.smallestSize : (variant.slice("ci_".length) as InstanceSize);
}
