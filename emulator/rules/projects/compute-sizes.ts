import type { z } from "zod";
import { computeVariant } from "../../../spec/operations/billing";
import type { instanceSize } from "../../../spec/shared-fields";
import type { ComputeVariant, ProjectRecord } from "../records/project";

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
  return sizeOfVariant(project, selectedCompute(project) ?? null);
}

/** The size that the project has with a compute variant, or without any. */
export function sizeOfVariant(project: ProjectRecord, variant: ComputeVariant | null): InstanceSize {
  return variant === null ? project.smallestSize : sizeOfCompute(variant);
}

export function sizeOfCompute(variant: ComputeVariant): InstanceSize {
  // Every compute variant is the name of a size behind `ci_`.
  return variant.slice("ci_".length) as InstanceSize;
}
