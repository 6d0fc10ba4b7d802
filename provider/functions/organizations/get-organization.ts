import { z } from "zod";
import { defineFunction } from "../../define/function";
import { organizationFeatures } from "../../resources/organizations/organization/organization";
import { ofOrganization, explainMissingOrganization } from "../../lookup/missing-errors";
import { organizationSlug } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({ slug: organizationSlug });

const outputs = z.object({
  slug: z.string().describe("Slug of the organization."),
  id: z.string().describe("Identifier of the organization.").optional(),
  name: z.string().describe("Display name.").optional(),
  plan: z.string().describe("Plan, such as `free` or `pro`.").optional(),
  ...toFoundShape(organizationFeatures),
});

/** An organization. */
export const getOrganization = defineFunction({
  name: "getOrganization",
  description: "Reads an organization by its slug.",
  inputs,
  outputs,
  problems: ofOrganization,
  async run(ctx, { slug }) {
    const found = await explainMissingOrganization(
      slug,
      shareInFlight(ctx, `organization:${slug}`, () => ctx.api.getOrganization({ slug })),
    );
    return {
      slug,
      ...pickPresentFields({
        id: found.id,
        name: found.name,
        plan: found.plan,
        optInTags: found.opt_in_tags,
        allowedReleaseChannels: found.allowed_release_channels,
      }),
    };
  },
});
