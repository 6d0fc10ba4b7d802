import { z } from "zod";
import { defineFunction } from "../../define/function";
import { ofOrganization, explainMissingOrganization } from "../../lookup/missing-errors";
import { organizationSlug } from "../../define/shared-arguments";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({ organizationSlug });

const member = z
  .object({
    userId: z.string().describe("Identifier of the user, a UUID."),
    userName: z.string().describe("Name of the user.").optional(),
    email: z.string().describe("Email address, if the service returns it.").optional(),
    roleName: z.string().describe("Role in the organization, such as `Owner` or `Developer`.").optional(),
    mfaEnabled: z.boolean().describe("Whether the user has multi-factor authentication.").optional(),
  })
  .describe("A member of an organization.");

const outputs = z.object({
  members: z.array(member).describe("All members of the organization."),
});

/** The members of an organization. */
export const getMembers = defineFunction({
  name: "getMembers",
  description: "Lists the members of an organization with their roles.",
  inputs,
  outputs,
  problems: ofOrganization,
  async run(ctx, { organizationSlug: slug }) {
    const found = await explainMissingOrganization(
      slug,
      shareInFlight(ctx, `members:${slug}`, () => ctx.api.listMembers({ slug })),
    );
    return {
      members: found.map((each) => ({
        userId: each.user_id,
        ...pickPresentFields({
          userName: each.user_name,
          email: each.email,
          roleName: each.role_name,
          mfaEnabled: each.mfa_enabled,
        }),
      })),
    };
  },
});
