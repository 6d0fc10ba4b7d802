import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { computeVariant } from "../../../../spec/operations/billing";
import { isAsMeasured, type WorldState } from "../../world/state";
import { limitsOf } from "../shared/compute-limits";
import { sizeOfCompute } from "../shared/compute-sizes";
import type { AddonType, AddonVariantId, ComputeVariant } from "../../world/records/project";

type Addons = OperationAnswer<Operations["listAddons"]>;
type CatalogVariant = Addons["selected_addons"][number]["variant"];
type AvailableAddon = Addons["available_addons"][number];

/** A price that is not recorded is made up: the specification names none (service, Defaults). */
function variant(
  id: AddonVariantId,
  name: string,
  amount: number,
  interval: "monthly" | "hourly",
): CatalogVariant {
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

/** The catalog in the shape that was recorded last; its numbers are made up, as are those of the prices. */
const currentCatalog: readonly AvailableAddon[] = catalog.map((addon) => ({
  ...addon,
  variants: addon.variants.map((each) => ({
    ...each,
    name: capitalized(each.name),
    price: {
      ...each.price,
      description: `$${each.price.amount}/${{ monthly: "month", hourly: "hour" }[each.price.interval]}`,
    },
    ...currentMeta(each),
  })),
}));

function currentMeta({ id, meta }: CatalogVariant): { readonly meta?: unknown } {
  const days = /^pitr_(\d+)$/.exec(id)?.[1];
  if (days !== undefined) return { meta: { backup_duration_days: Number(days) } };
  if (!id.startsWith("ci_")) return {};
  const cores = Number((meta as ReturnType<typeof computeMeta>)["cpu_cores"]);
  return {
    meta: {
      ...(meta as object),
      cpu_dedicated: cores > 2,
      baseline_disk_io_mbs: 43 * cores,
      max_disk_io_mbs: 1_043 * cores,
      supported_cloud_providers: ["AWS"],
      supported_regions: null,
    },
  };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type Version = Pick<WorldState, "service">;

/** Every provisionable option with its price (service, Billing add-ons). */
export function availableAddons(state: Version): AvailableAddon[] {
  return [...(isAsMeasured(state) ? currentCatalog : catalog)];
}

export function addonOf(
  id: AddonVariantId,
  state: Version,
): { readonly type: AddonType; readonly variant: CatalogVariant } | undefined {
  for (const { type, variants } of availableAddons(state)) {
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
