import { z } from "zod";
import { addonType } from "../../../../spec/operations/billing";
import type { SelectedAddon } from "../shared/addons";
import { startingCalls } from "../../../waiting/starting-calls";
import { writeOnce } from "../../../waiting/write-once";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { replaces } from "../../../define/markers";
import { projectOf } from "../../../define/project-of";
import { defineResource, type Observed } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { deselect, listAddons, select, selectedAddon, waitUntilSelected, type Selection } from "./calls";
import { problems } from "./problems";
import { selectableVariants, variantFailures, type AddonType, type Variant } from "./variants";

const inputs = z.strictObject({
  projectRef,
  addonType: replaces(
    addonType
      .meta({ id: "BillingAddonType", description: "Kind of a billing add-on." })
      .describe(
        "Kind of the add-on: `custom_domain`, `ipv4` or `pitr`. A project has at most one variant of each. The compute size is `instanceSize` of the Project.",
      ),
  ),
  variant: z
    .enum(selectableVariants)
    .meta({ id: "BillingAddonVariant", description: "Variant of a billing add-on." })
    .describe(
      "Variant to select: `cd_default` of `custom_domain`, `ipv4_default` of `ipv4`, `pitr_7`, `pitr_14` or `pitr_28` of `pitr`; changed in place.",
    ),
  ...everyResource,
});

const outputs = z.object({
  name: z.string().describe("Display name of the variant."),
  price: z.number().describe("Price of the variant for one interval."),
  interval: z.string().describe("What the price is for: `monthly` or `hourly`."),
  priceType: z.string().describe("`fixed`, or `usage` where the price depends on the usage."),
  priceDescription: z.string().describe("The price in words, with its currency."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(ref: string, { type, variant }: SelectedAddon): Observed<Inputs, Outputs> {
  const { id, name, price } = variant;
  return {
    // Open enums: what this version does not know is drift to be shown, not an error.
    inputs: { projectRef: ref, addonType: type as AddonType, variant: id as Variant },
    outputs: {
      name: name ?? undefined,
      price: price?.amount ?? undefined,
      interval: price?.interval ?? undefined,
      priceType: price?.type ?? undefined,
      priceDescription: price?.description ?? undefined,
    },
  };
}

function toSelection({ projectRef: ref, addonType: type, variant }: Inputs): Selection {
  return { ref, type, variant };
}

/** A billing add-on of a project. */
export const billingAddon = defineResource({
  type: "BillingAddon",
  description:
    "A billing add-on of a project, such as a custom domain, a dedicated IPv4 address or point-in-time recovery. Selecting it is subject to charge; deleting the resource removes it.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  isRepeatable: true,
  uniqueBy: ["addonType"],
  importId: inProject("addonType", "the kind of the add-on", "pitr"),
  list: listInProject(listAddons),
  problems,
  conditionalCalls: startingCalls("create", "update", "delete"),

  check: ({ addonType: type, variant }) => ({ failures: variantFailures(type, variant) }),

  async find(ctx, { projectRef: ref, addonType: type }) {
    const selected = await selectedAddon(ctx, ref, type);
    return selected === undefined ? [] : [{ id: type, label: selected.variant.id }];
  },

  async read(ctx, { id, state }) {
    const ref = projectOf(state);
    const selected = await selectedAddon(ctx, ref, id);
    return selected === undefined ? undefined : fromWire(ref, selected);
  },

  async create(ctx, declared) {
    await select(ctx, toSelection(declared));
    return { id: declared.addonType };
  },

  async settle(ctx, { inputs: declared }) {
    return fromWire(declared.projectRef, await waitUntilSelected(ctx, toSelection(declared)));
  },

  async update(ctx, { id, inputs: declared }) {
    const selection = toSelection(declared);
    await writeOnce(ctx, {
      send: async () => {
        await select(ctx, selection);
        return true;
      },
      landed: async () =>
        (await selectedAddon(ctx, selection.ref, id))?.variant.id === selection.variant || undefined,
    });
    return {};
  },

  delete: (ctx, { id, state }) => deselect(ctx, projectOf(state), id),
});
