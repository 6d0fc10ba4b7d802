import { z } from "zod";
import { openEnum } from "../../define/open-values";
import { continent, instanceSize } from "../../../spec/shared-fields";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { ofOrganization, explainMissingOrganization } from "../../lookup/missing-errors";
import { organizationSlug } from "../../define/shared-arguments";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({
  organizationSlug: organizationSlug.describe(
    "Slug of the organization that the new project will belong to.",
  ),
  continent: openEnum(continent).describe("Preferred continent for the recommendations.").optional(),
  instanceSize: openEnum(instanceSize)
    .describe("Compute size of the new project. A region may lack capacity for it.")
    .optional(),
});

const group = z
  .object({
    code: z
      .string()
      .describe("Code of the group: `americas`, `emea` or `apac`. Use it in `regionSelection`.")
      .optional(),
    name: z.string().describe("Display name.").optional(),
    type: z.string().describe("`smartGroup`.").optional(),
  })
  .meta({ id: "AvailableRegionGroup", description: "A group of regions from which the service chooses." });

const region = z
  .object({
    code: z.string().describe("Code of the region, such as `eu-central-1`. Use it as `region`.").optional(),
    name: z.string().describe("Display name.").optional(),
    type: z.string().describe("`specific`.").optional(),
    provider: z.string().describe("Cloud provider of the region.").optional(),
    status: z
      .string()
      .describe(
        "`capacity` if the region has no capacity, `other` if it is unavailable for another reason. Otherwise absent.",
      )
      .optional(),
  })
  .meta({ id: "AvailableRegion", description: "A region." });

const outputs = z.object({
  recommendations: z
    .object({
      smartGroup: group.describe("The recommended group of regions.").optional(),
      specific: z.array(region).describe("The recommended regions, best first.").optional(),
    })
    .meta({
      id: "GetAvailableRegionsRecommendations",
      description: "The recommended regions and group of regions.",
    })
    .describe("Recommendations for the arguments.")
    .optional(),
  all: z
    .object({
      smartGroup: z.array(group).describe("All groups of regions.").optional(),
      specific: z.array(region).describe("All regions.").optional(),
    })
    .meta({ id: "GetAvailableRegionsAll", description: "All regions and groups of regions." })
    .describe("All available choices.")
    .optional(),
});

type Answer = Awaited<ReturnType<Api["getAvailableRegions"]>>;
type WireRegion = NonNullable<NonNullable<Answer["all"]>["specific"]>[number];
type WireGroup = NonNullable<NonNullable<Answer["all"]>["smartGroup"]>[number];

const toGroup = ({ code, name, type }: WireGroup): z.output<typeof group> =>
  pickPresentFields({ code, name, type });
const toRegion = ({ code, name, type, provider, status }: WireRegion): z.output<typeof region> =>
  pickPresentFields({ code, name, type, provider, status });

/** The regions in which a new project can run. */
export const getAvailableRegions = defineFunction({
  name: "getAvailableRegions",
  description:
    "Lists the regions and groups of regions available to a new project of an organization, and the service's recommendations.",
  inputs,
  outputs,
  problems: ofOrganization,
  async run(ctx, { organizationSlug: slug, continent: near, instanceSize }) {
    const query = {
      organization_slug: slug,
      ...pickPresentFields({ continent: near, desired_instance_size: instanceSize }),
    };
    const { recommendations, all } = await explainMissingOrganization(
      slug,
      shareInFlight(ctx, `available-regions:${JSON.stringify(query)}`, () =>
        ctx.api.getAvailableRegions(query),
      ),
    );
    const recommended = recommendations?.smartGroup;
    return pickPresentFields({
      recommendations:
        recommendations == null
          ? undefined
          : pickPresentFields({
              smartGroup: recommended == null ? undefined : toGroup(recommended),
              specific: recommendations.specific?.map(toRegion),
            }),
      all:
        all == null
          ? undefined
          : pickPresentFields({
              smartGroup: all.smartGroup?.map(toGroup),
              specific: all.specific?.map(toRegion),
            }),
    });
  },
});
