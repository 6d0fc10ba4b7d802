import type { z } from "zod";
import type { organizationSlugResponse } from "../../../spec/operations/organizations";

type OrganizationDetail = z.infer<typeof organizationSlugResponse>;
export type Plan = NonNullable<OrganizationDetail["plan"]>;

export interface MemberRecord {
  /** As in the tokens of this user. */
  readonly user: string;
  name: string;
  email: string | null;
  role: "Owner" | "Administrator" | "Developer" | "Read-only";
  mfaEnabled: boolean;
}

export interface OrganizationRecord {
  readonly id: string;
  readonly slug: string;
  name: string;
  plan: Plan;
  optInTags: OrganizationDetail["opt_in_tags"];
  allowedReleaseChannels: OrganizationDetail["allowed_release_channels"];
  /** By user. */
  readonly members: Map<string, MemberRecord>;
  /** Whether `force=false` schedules the deletion of a branch; otherwise it goes at once. */
  softBranchDeletion: boolean;
  /** How the next project ends up; ACTIVE_HEALTHY again after it. */
  nextProjectOutcome: "ACTIVE_HEALTHY" | "INIT_FAILED";
}

export function newOrganization(
  { slug, name, plan }: Pick<OrganizationRecord, "slug" | "name" | "plan">,
  owner: string,
): OrganizationRecord {
  return {
    id: `organization-${slug}`,
    slug,
    name,
    plan,
    optInTags: [],
    allowedReleaseChannels: ["ga"],
    members: new Map([[owner, newMember(owner, "Owner")]]),
    softBranchDeletion: true,
    nextProjectOutcome: "ACTIVE_HEALTHY",
  };
}

export function newMember(user: string, role: MemberRecord["role"]): MemberRecord {
  return { user, name: user, email: `${user}@example.com`, role, mfaEnabled: false };
}
