import type { Answer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import { computeVariant } from "../../../spec/operations/billing";
import { limitsOf } from "./compute-limits";
import { sizeOfCompute } from "./compute-sizes";
import type { AddonType, AddonVariantId, ComputeVariant } from "../records/project";

type Addons = Answer<Operations["listAddons"]>;
type Variant = Addons["selected_addons"][number]["variant"];
type AvailableAddon = Addons["available_addons"][number];

/** A price that is not recorded is made up: the specification names none (service, Defaults). */
function variant(id: AddonVariantId, name: string, amount: number, interval: "monthly" | "hourly"): Variant {
  const description = `$${amount} per ${interval === "monthly" ? "month" : "hour"}`;
  return {
    id,
    name,
    price: { description, type: interval === "monthly" ? "fixed" : "usage", interval, amount },
  };
}

/** What a compute size brings: the specification says only that there may be an object. */
function computeMeta(id: ComputeVariant): Record<string, number> {
  const { cpuCores, memoryGb, databaseConnections, poolerClients } = limitsOf(sizeOfCompute(id));
  return {
    cpu_cores: cpuCores,
    memory_gb: memoryGb,
    connections_direct: databaseConnections,
    connections_pooler: poolerClients,
  };
}

const catalog: readonly AvailableAddon[] = [
  {
    type: "compute_instance",
    name: "Compute Instance",
    variants: computeVariant.options.map((id, index) => ({
      ...variant(id, id.slice("ci_".length), id === "ci_micro" ? 0.01344 : (index + 1) / 50, "hourly"),
      meta: computeMeta(id),
    })),
  },
  {
    type: "custom_domain",
    name: "Custom Domain",
    variants: [variant("cd_default", "Custom Domain", 10, "monthly")],
  },
  {
    type: "pitr",
    name: "Point in Time Recovery",
    variants: [
      variant("pitr_7", "7 days", 100, "monthly"),
      variant("pitr_14", "14 days", 200, "monthly"),
      variant("pitr_28", "28 days", 400, "monthly"),
    ],
  },
  {
    type: "ipv4",
    name: "Dedicated IPv4 address",
    variants: [variant("ipv4_default", "Dedicated IPv4 address", 4, "monthly")],
  },
  {
    type: "auth_mfa_phone",
    name: "MFA by phone",
    variants: [variant("auth_mfa_phone_default", "MFA by phone", 0.1027, "hourly")],
  },
  {
    type: "auth_mfa_web_authn",
    name: "MFA by WebAuthn",
    variants: [variant("auth_mfa_web_authn_default", "MFA by WebAuthn", 0.1027, "hourly")],
  },
  {
    type: "log_drain",
    name: "Log drain",
    variants: [variant("log_drain_default", "Log drain", 0.0822, "hourly")],
  },
];

/** Every provisionable option with its price (service, Billing add-ons). */
export function availableAddons(): AvailableAddon[] {
  return [...catalog];
}

export function addonOf(
  id: AddonVariantId,
): { readonly type: AddonType; readonly variant: Variant } | undefined {
  for (const { type, variants } of catalog) {
    const found = variants.find((one) => one.id === id);
    if (found !== undefined) return { type, variant: found };
  }
  return undefined;
}

export function addonVariantsOf(wanted: AddonType): AddonVariantId[] {
  return catalog
    .filter(({ type }) => type === wanted)
    .flatMap(({ variants }) => variants.map(({ id }) => id));
}
