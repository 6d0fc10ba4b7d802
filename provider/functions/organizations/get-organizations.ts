import { z } from "zod";
import { defineFunction } from "../../define/function";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({
  name: z
    .string()
    .min(1)
    .describe("Exact display name to filter by. Several organizations can have the same name.")
    .optional(),
});

const organization = z
  .object({
    slug: z.string().describe("Slug of the organization."),
    id: z.string().describe("Identifier of the organization.").optional(),
    name: z.string().describe("Display name.").optional(),
  })
  .describe("An organization.");

const outputs = z.object({
  organizations: z.array(organization).describe("All organizations of which the token's owner is a member."),
});

/** The organizations of the token's owner. */
export const getOrganizations = defineFunction({
  name: "getOrganizations",
  description: "Lists the organizations of which the token's owner is a member.",
  inputs,
  outputs,
  async run(ctx, { name }) {
    const found = await shareInFlight(ctx, "organizations", () => ctx.api.listOrganizations({}));
    return {
      organizations: found
        .filter((each) => name === undefined || each.name === name)
        .map((each) => ({ slug: each.slug, ...pickPresentFields({ id: each.id, name: each.name }) })),
    };
  },
});
