import { z } from "zod";
import { ResponseSchemaError } from "../../client/errors/errors";
import { defineFunction } from "../../define/function";
import { organizationSlug } from "../../define/shared-arguments";
import { ofOrganization, explainMissingOrganization } from "../../lookup/missing-errors";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({ organizationSlug });

const entitlement = z
  .object({
    feature: z.string().describe("Name of the feature, such as `branching_limit`."),
    type: z.string().describe("`boolean`, `numeric` or `set`.").optional(),
    hasAccess: z.boolean().describe("Whether the plan includes the feature.").optional(),
    enabled: z.boolean().describe("Whether the feature is switched on.").optional(),
    value: z.number().describe("Largest number that is allowed, of a numeric feature.").optional(),
    unlimited: z.boolean().describe("Whether any number is allowed, of a numeric feature.").optional(),
    unit: z.string().describe("Unit of `value`.").optional(),
    values: z
      .array(z.string().describe("An allowed value."))
      .describe("Allowed values, of a feature that is a set.")
      .optional(),
  })
  .describe("A feature, and what an organization's plan allows of it.");

const outputs = z.object({
  entitlements: z.array(entitlement).describe("All features that the service returns."),
});

/** What an organization's plan allows. */
export const getEntitlements = defineFunction({
  name: "getEntitlements",
  description:
    "Lists what an organization's plan allows, such as compute sizes, read replicas and the number of functions. Some installations do not have this operation.",
  inputs,
  outputs,
  problems: ofOrganization,
  async run(ctx, { organizationSlug: slug }) {
    const found = await explainMissingOrganization(
      slug,
      shareInFlight(ctx, `entitlements:${slug}`, () => ctx.api.entitlements({ slug })),
    );
    return {
      entitlements: found.entitlements.map(({ feature, type, hasAccess, config }) => {
        if (feature == null) throw createUnnamedFeatureError();
        const { enabled, value, unlimited, unit, set }: EntitlementConfig = config ?? {};
        const allowed = { type, hasAccess, enabled, value, unlimited, unit, values: set };
        return { feature: feature.key, ...pickPresentFields(allowed) };
      }),
    };
  },
});

function createUnnamedFeatureError(): ResponseSchemaError {
  return new ResponseSchemaError(
    "getEntitlements failed: an entry of the answer has no `feature`. Run again.",
    "getEntitlements",
    "entitlements[].feature",
  );
}

/** Each type of feature has some of these. */
interface EntitlementConfig {
  readonly enabled?: boolean | null | undefined;
  readonly value?: number | null | undefined;
  readonly unlimited?: boolean | null | undefined;
  readonly unit?: string | null | undefined;
  readonly set?: string[] | null | undefined;
}
