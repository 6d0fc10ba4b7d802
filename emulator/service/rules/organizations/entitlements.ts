import type { z } from "zod";
import { computeVariant } from "../../../../spec/operations/billing";
import { entitlementKey } from "../../../../spec/operations/newer/entitlements";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { keptDays } from "../database/backups";
import { addonVariantsOf } from "../projects/addon-catalog";
import type { OrganizationRecord, OrganizationPlan } from "../../world/records/organization";
import { requireFound } from "../../answers/refusal";

type Entitlement = OperationAnswer<Operations["getEntitlements"]>["entitlements"][number];
type Key = z.infer<typeof entitlementKey>;

const ranks: readonly OrganizationPlan[] = ["free", "pro", "team", "enterprise", "platform"];

/** Null for any number. */
interface Amount {
  readonly unit: string;
  readonly of: (organization: OrganizationRecord, world: World) => number | null;
}

/** A number for each plan from the free one on. */
const by =
  (
    ...amounts: readonly [free: number | null, pro: number | null, team: number | null, others: number | null]
  ) =>
  ({ plan }: OrganizationRecord): number | null =>
    amounts[Math.min(ranks.indexOf(plan), 3)] ?? null;

/** Measured but of an enterprise, which is made up (service, Entitlements). */
const measuredAuditDays: Readonly<Record<OrganizationPlan, number>> = {
  free: 0,
  pro: 0,
  team: 62,
  enterprise: 366,
  platform: 366,
};

/** Features that are a number. All but those that rules of the emulator know are made up. */
const amounts: Partial<Record<Key, Amount>> = {
  "instances.read_replicas": { unit: "replicas", of: by(0, 2, 5, 5) },
  "storage.max_file_size": {
    unit: "bytes",
    of: by(50 * 2 ** 20, 500 * 2 ** 30, 500 * 2 ** 30, 500 * 2 ** 30),
  },
  "security.audit_logs_days": {
    unit: "days",
    of: (organization, { state }) =>
      isAsMeasured(state) ? measuredAuditDays[organization.plan] : by(0, 7, 28, 90)(organization),
  },
  "log.retention_days": { unit: "days", of: by(1, 7, 28, 90) },
  branching_limit: { unit: "branches", of: by(0, 50, 50, null) },
  "auth.custom_oauth.max_providers": { unit: "providers", of: by(3, null, null, null) },
  "backup.retention_days": { unit: "days", of: ({ plan }) => keptDays[plan] },
  "function.max_count": { unit: "functions", of: ({ plan }, { state }) => state.functionQuotas[plan] },
  "function.size_limit_mb": { unit: "MB", of: by(20, 20, 20, 20) },
  "realtime.max_concurrent_users": { unit: "users", of: by(200, 500, 500, null) },
  "realtime.max_events_per_second": { unit: "events", of: by(100, 500, 2_500, 2_500) },
  "realtime.max_joins_per_second": { unit: "joins", of: by(100, 500, 2_500, 2_500) },
  "realtime.max_channels_per_client": { unit: "channels", of: by(100, 100, 100, 100) },
  "realtime.max_bytes_per_second": { unit: "bytes", of: by(100_000, 10_000_000, 10_000_000, 10_000_000) },
  "realtime.max_presence_events_per_second": { unit: "events", of: by(20, 50, 1_000, 1_000) },
  "realtime.max_payload_size_in_kb": { unit: "kB", of: by(256, 3_000, 3_000, 3_000) },
};

/** Features that are a set; an empty one gives no access. */
const sets: Partial<Record<Key, (plan: OrganizationPlan) => readonly string[]>> = {
  "instances.compute_update_available_sizes": (plan) => (plan === "free" ? [] : computeVariant.options),
  "pitr.available_variants": (plan) => (plan === "free" ? [] : addonVariantsOf("pitr")),
  "security.member_roles": (plan) =>
    isAtLeast(plan, "team")
      ? ["Owner", "Administrator", "Developer", "Read-only"]
      : ["Owner", "Administrator", "Developer"],
};

/** The plan from which on a feature is there, where that is not the first paid one. */
const from: Partial<Record<Key, OrganizationPlan>> = {
  ...plansOf("free", ["auth.mfa_web_authn", "project_pausing", "integrations.github_connections"]),
  ...plansOf("team", [
    "security.soc2_report",
    "security.iso27001_certificate",
    "security.private_link",
    "security.enforce_mfa",
    "audit_log_drains",
    "auth.platform.sso",
    "backup.schedule",
    "project_scoped_roles",
  ]),
  ...plansOf("enterprise", ["instances.high_availability"]),
  // The rule of the schedule takes every paid plan.
  "backup.schedule": "pro",
};

/** Where measurements differ (service, Entitlements). */
const measuredFrom: Partial<Record<Key, OrganizationPlan>> = plansOf("enterprise", ["backup.schedule"]);

/** What the organization's plan allows (service, Newer operations). */
const getEntitlements: Handler<Operations["getEntitlements"]> = ({ params, world }) => {
  const organization = requireFound(world.state.organizations.get(params.slug), "Organization not found");
  return { entitlements: entitlementKey.options.map((key) => entitlement(key, organization, world)) };
};

function entitlement(key: Key, organization: OrganizationRecord, world: World): Entitlement {
  const { plan } = organization;
  const amount = amounts[key];
  if (amount !== undefined) {
    const value = amount.of(organization, world);
    const config = { enabled: value !== 0, value: value ?? 0, unlimited: value === null, unit: amount.unit };
    return { feature: { key, type: "numeric" }, hasAccess: value !== 0, type: "numeric", config };
  }
  const set = sets[key]?.(plan);
  if (set !== undefined) {
    const hasAccess = set.length > 0;
    const config = { enabled: hasAccess, set: [...set] };
    return { feature: { key, type: "set" }, hasAccess, type: "set", config };
  }
  const least = (isAsMeasured(world.state) ? measuredFrom[key] : undefined) ?? from[key] ?? "pro";
  const hasAccess = isAtLeast(plan, least);
  return { feature: { key, type: "boolean" }, hasAccess, type: "boolean", config: { enabled: hasAccess } };
}

function isAtLeast(plan: OrganizationPlan, least: OrganizationPlan): boolean {
  return ranks.indexOf(plan) >= ranks.indexOf(least);
}

function plansOf(plan: OrganizationPlan, keys: readonly Key[]): Partial<Record<Key, OrganizationPlan>> {
  return Object.fromEntries(keys.map((key) => [key, plan]));
}

export const entitlementHandlers = { getEntitlements };
