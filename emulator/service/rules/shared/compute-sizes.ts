import type { z } from "zod";
import { computeVariant } from "../../../../spec/operations/billing";
import type { instanceSize } from "../../../../spec/shared-fields";
import type { OrganizationRecord } from "../../world/records/organization";
import type { ComputeVariant, ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

export type ComputeSize = z.infer<typeof instanceSize>;

/** Whether micro is what a project has without an add-on: on paid plans, unless recorded otherwise (service, Compute size). */
export function isMicroWithoutAddon(organization: OrganizationRecord | undefined): boolean {
  if (organization === undefined || organization.microIsAddon) return false;
  return organization.plan !== "free" && organization.plan !== "platform";
}

/** The add-on of a size; the smallest ones are what a project has without one (service, Compute size). */
export function computeVariantOf(
  organization: OrganizationRecord | undefined,
  size: ComputeSize,
): ComputeVariant | undefined {
  if (size === "micro" && isMicroWithoutAddon(organization)) return undefined;
  return computeVariant.options.find((variant) => variant === `ci_${size}`);
}

/** What a project has without an add-on. */
export function smallestSizeOf(
  organization: OrganizationRecord | undefined,
  wanted: ComputeSize | undefined,
): ProjectRecord["smallestSize"] {
  if (isMicroWithoutAddon(organization)) return "micro";
  return wanted === "pico" ? "pico" : "nano";
}

export function requireAllowedSize(organization: OrganizationRecord, wanted: ComputeSize | undefined): void {
  const isTooSmall = wanted === "pico" || wanted === "nano";
  if (isTooSmall && isMicroWithoutAddon(organization)) {
    throw new Refusal(400, "Minimum instance size on paid plans is Micro");
  }
}

export function selectedCompute({ addons }: ProjectRecord): ComputeVariant | undefined {
  const selected = addons.get("compute_instance");
  return computeVariant.options.find((variant) => variant === selected);
}

export function sizeOf(project: ProjectRecord): ComputeSize {
  return sizeOfVariant(project, selectedCompute(project) ?? null);
}

/** The size that the project has with a compute variant, or without any. */
export function sizeOfVariant(project: ProjectRecord, variant: ComputeVariant | null): ComputeSize {
  return variant === null ? project.smallestSize : sizeOfCompute(variant);
}

export function sizeOfCompute(variant: ComputeVariant): ComputeSize {
  // Every compute variant is the name of a size behind `ci_`.
  return variant.slice("ci_".length) as ComputeSize;
}
