import { z } from "zod";
import { isObject } from "../../../spec/is-object";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { ofProject } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { pickPresentFields, readInProject } from "../answers";

const inputs = z.strictObject({ projectRef });

const price = z
  .object({
    amount: z.number().describe("Price for one interval, in the currency of `description`.").optional(),
    interval: z.string().describe("Billing interval: `monthly` or `hourly`.").optional(),
    type: z.string().describe("`fixed`, or `usage` if the price depends on the usage.").optional(),
    description: z.string().describe("The price in words, with its currency.").optional(),
  })
  .meta({ id: "GetAddonsPrice", description: "Price of a variant of a billing add-on." });

const variant = z
  .object({
    id: z.string().describe("Identifier of the variant, such as `ci_small` or `pitr_7`.").optional(),
    name: z.string().describe("Display name of the variant.").optional(),
    price: price.describe("Price of the variant.").optional(),
    meta: z
      .record(z.string(), z.unknown())
      .describe("Features of the variant as the service returns them, such as the cores of a compute size.")
      .optional(),
  })
  .meta({ id: "GetAddonsVariant", description: "A variant of a billing add-on, with its price." });

const selected = z
  .object({
    type: z.string().describe("Kind of the add-on, such as `compute_instance` or `pitr`."),
    variant: variant.describe("The selected variant.").optional(),
  })
  .describe("A billing add-on of a project.");

const available = z
  .object({
    type: z.string().describe("Kind of the add-on, such as `compute_instance` or `pitr`.").optional(),
    name: z.string().describe("Display name of the add-on.").optional(),
    variants: z.array(variant).describe("The variants that can be selected.").optional(),
  })
  .describe("A billing add-on available to a project.");

const outputs = z.object({
  selectedAddons: z
    .array(selected)
    .describe("Add-ons of the project, including the compute size if the service lists it."),
  availableAddons: z
    .array(available)
    .describe("All add-ons available to the project, with the prices of their variants."),
});

type WireVariant = NonNullable<Awaited<ReturnType<Api["addons"]>>["selected_addons"][number]["variant"]>;

function toVariant({ id, name, price: cost, meta }: WireVariant): z.output<typeof variant> {
  return pickPresentFields({
    id,
    name,
    price: cost == null ? undefined : pickPresentFields(cost),
    meta: isObject(meta) ? { ...meta } : undefined,
  });
}

/** The billing add-ons of a project. */
export const getBillingAddons = defineFunction({
  name: "getBillingAddons",
  description:
    "Lists the selected and the available billing add-ons of a project, with prices. Compute sizes are add-ons too.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "addons-with-offers", () => ctx.api.addons({ ref }));
    return {
      selectedAddons: found.selected_addons.map(({ type, variant: one }) => ({
        type,
        ...pickPresentFields({ variant: one == null ? undefined : toVariant(one) }),
      })),
      availableAddons: found.available_addons.map(({ type, name, variants }) =>
        pickPresentFields({ type, name, variants: variants?.map(toVariant) }),
      ),
    };
  },
});
