import type { Api } from "../../../define/context";

type Eligibility = Awaited<ReturnType<Api["getUpgradeEligibility"]>>;

/** Everything that the service names against an upgrade, in words. */
export function reasonsAgainst(eligibility: Eligibility): string[] {
  return [
    ...listed("extensions that the new version lacks", eligibility.unsupported_extensions),
    ...listed("custom roles with legacy authentication", eligibility.legacy_auth_custom_roles),
    ...listed("objects that would be dropped", eligibility.objects_to_be_dropped),
    ...listed("objects of yours in internal schemas", eligibility.user_defined_objects_in_internal_schemas),
    ...(eligibility.validation_errors ?? []).map(describe),
  ];
}

function listed(what: string, names: readonly string[] | null | undefined): string[] {
  return names == null || names.length === 0 ? [] : [`${what}: ${names.join(", ")}`];
}

/** `active_replication_slot (slot_name: sync)`: the kinds and their details are open. */
function describe({ type, ...details }: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(details).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`,
  );
  return `${typeof type === "string" ? type : "unnamed fault"}${parts.length === 0 ? "" : ` (${parts.join("; ")})`}`;
}
