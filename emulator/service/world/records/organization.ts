import { z } from "zod";
import { organizationSlugResponse } from "../../../../spec/operations/organizations";
import { mapOf } from "./fields";
import { webhooksRecord, newWebhooks } from "./webhooks";

const detail = organizationSlugResponse.shape;
export const plan = detail.plan.unwrap();
export type OrganizationPlan = z.infer<typeof plan>;

const memberRecord = z.strictObject({
  /** As in the tokens of this user. */
  user: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(["Owner", "Administrator", "Developer", "Read-only"]),
  mfaEnabled: z.boolean(),
});
export type MemberRecord = z.infer<typeof memberRecord>;

export const organizationRecord = z.strictObject({
  /** Its id as well (service, Compute size). */
  slug: z.string(),
  name: z.string(),
  plan,
  optInTags: detail.opt_in_tags,
  allowedReleaseChannels: detail.allowed_release_channels,
  /** By user. */
  members: mapOf(z.string(), memberRecord),
  /** Whether `force=false` schedules the deletion of a branch; otherwise it goes at once. */
  softBranchDeletion: z.boolean(),
  /** Whether micro shows as an add-on on a paid plan, as it was recorded once; otherwise it is the absence of one. */
  microIsAddon: z.boolean(),
  /** How the next project ends up; ACTIVE_HEALTHY again after it. */
  nextProjectOutcome: z.enum(["ACTIVE_HEALTHY", "INIT_FAILED"]),
  webhooks: webhooksRecord.default(newWebhooks),
});
export type OrganizationRecord = z.infer<typeof organizationRecord>;

export function newOrganization(
  { slug, name, plan }: Pick<OrganizationRecord, "slug" | "name" | "plan">,
  owner: string,
): OrganizationRecord {
  return {
    slug,
    name,
    plan,
    optInTags: [],
    allowedReleaseChannels: ["ga"],
    members: new Map([[owner, newMember(owner, "Owner")]]),
    softBranchDeletion: true,
    microIsAddon: false,
    nextProjectOutcome: "ACTIVE_HEALTHY",
    webhooks: newWebhooks(),
  };
}

export function newMember(user: string, role: MemberRecord["role"]): MemberRecord {
  return { user, name: user, email: `${user}@example.com`, role, mfaEnabled: false };
}
