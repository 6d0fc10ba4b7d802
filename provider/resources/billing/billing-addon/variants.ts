import type { Api } from "../../../define/context";
import type { CheckFailure } from "../../../define/resource";
import { problems } from "./problems";

type Body = Parameters<Api["applyAddon"]>[0]["body"];
export type AddonType = Body["addon_type"];
export type Variant = Exclude<Body["addon_variant"], `ci_${string}`>;

/** The variants that the API selects, by the type of the add-on. */
export const variantsByType: Readonly<Partial<Record<AddonType, readonly Variant[]>>> = {
  custom_domain: ["cd_default"],
  ipv4: ["ipv4_default"],
  pitr: ["pitr_7", "pitr_14", "pitr_28"],
};

export const selectableVariants: readonly Variant[] = Object.values(variantsByType).flat();

/** Faults of a type, and of a variant with its type, as far as both are known. */
export function variantFailures(type: AddonType | undefined, variant: Variant | undefined): CheckFailure[] {
  if (type === undefined) return [];
  if (type === "compute_instance") return [{ path: "addonType", reason: problems.isComputeSize.message() }];
  const allowed = variantsByType[type];
  if (allowed === undefined) return [{ path: "addonType", reason: problems.notSelectable.message({ type }) }];
  if (variant === undefined || allowed.includes(variant)) return [];
  const listed = allowed.map((one) => JSON.stringify(one)).join(", ");
  return [{ path: "variant", reason: problems.ofAnotherType.message({ variant, type, allowed: listed }) }];
}
