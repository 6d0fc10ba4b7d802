import { z } from "zod";
import { addonType } from "../../../../spec/operations/billing";
import { ApiError, InvalidInputError, isContentRefusal, isNotFound } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { replaceMessage } from "../../../client/errors/with-message";
import { openEnum } from "../../../define/open-values";
import type { Api, Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject, type ImportableObject } from "../../../define/list";
import { replaces } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import {
  defineResource,
  NotListedError,
  type CheckFailure,
  type ObservedResource,
} from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { createNotFoundError } from "../../../lookup/missing-errors";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { writeOnce } from "../../../waiting/write-once";
import { findSelected, retryWhileChanging, type SelectedAddon } from "../shared/addons";

type Body = Parameters<Api["applyAddon"]>[0]["body"];
type AddonType = Body["addon_type"];
type AddonVariant = Exclude<Body["addon_variant"], `ci_${string}`>;

/** The variants that the API selects, by the type of the add-on. */
const variantsByType: Readonly<Partial<Record<AddonType, readonly AddonVariant[]>>> = {
  custom_domain: ["cd_default"],
  ipv4: ["ipv4_default"],
  pitr: ["pitr_7", "pitr_14", "pitr_28"],
};

const selectableVariants: readonly AddonVariant[] = Object.values(variantsByType).flat();

const inputs = z.strictObject({
  projectRef,
  addonType: replaces(
    openEnum(addonType.meta({ id: "BillingAddonType", description: "Kind of a billing add-on." })).describe(
      "Kind of the add-on: `custom_domain`, `ipv4` or `pitr`. A project has at most one variant of each. A change replaces the add-on. For the compute size, use `instanceSize` in the `Project`.",
    ),
  ),
  variant: openEnum(
    z
      .enum(selectableVariants)
      .meta({ id: "BillingAddonVariant", description: "Variant of a billing add-on." }),
  ).describe(
    "Variant of the add-on: `cd_default` for `custom_domain`, `ipv4_default` for `ipv4`, `pitr_7`, `pitr_14` or `pitr_28` for `pitr`.",
  ),
  ...everyResource,
});

const outputs = z.object({
  name: z.string().describe("Display name of the variant."),
  price: z.number().describe("Price of the variant for one interval."),
  interval: z.string().describe("Billing interval: `monthly` or `hourly`."),
  priceType: z.string().describe("`fixed`, or `usage` if the price depends on the usage."),
  priceDescription: z.string().describe("The price in words, with its currency."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(ref: string, { type, variant }: SelectedAddon): ObservedResource<Inputs, Outputs> {
  const { id, name, price } = variant;
  return {
    // Open enums: what this version does not know is drift to be shown, not an error.
    inputs: { projectRef: ref, addonType: type as AddonType, variant: id as AddonVariant },
    outputs: {
      name: name ?? undefined,
      price: price?.amount ?? undefined,
      interval: price?.interval ?? undefined,
      priceType: price?.type ?? undefined,
      priceDescription: price?.description ?? undefined,
    },
  };
}

/** What is to be selected in a project. */
interface AddonSelection {
  readonly ref: string;
  readonly type: AddonType;
  readonly variant: AddonVariant;
}

function toSelection({ projectRef: ref, addonType: type, variant }: Inputs): AddonSelection {
  return { ref, type, variant };
}

const problems = {
  isComputeSize: defineProblem({
    says: "the compute size is a property of the `Project`. {remedy}.",
    means: "The add-on `compute_instance` is the compute size of a project, which `Project` manages.",
    remedy: "Set `instanceSize` in the `Project` instead",
  }),
  notSelectable: defineProblem({
    says: "addonType: the API's documents name no variant of {type} that it can select. {remedy}.",
    means: "Warning. The API lists the add-on, and its documents say nothing of selecting it.",
    remedy: "If the service rejects it, select it in the service's console",
  }),
  ofAnotherType: defineProblem({
    says: '"{variant}" is not a variant of {type}; allowed: {allowed}',
    means: "`variant` belongs to another `addonType`.",
    remedy: "Use a variant that the message lists",
  }),
  refused: defineProblem({
    says: "The service lists the variant {variant} of {type} but rejected it for the project {ref} (it says: {answer}). Nothing was changed. {remedy}.",
    means: "The service lists the variant but does not select it, for example on a plan without add-ons.",
    remedy:
      "If the plan is the reason, move the project to an organization whose plan has add-ons, or remove the add-on from the program",
  }),
  addressLater: defineProblem({
    says: "The database host of {ref} no longer has an IPv6 address, and its IPv4 address was seen to take more than ten minutes: {remedy}.",
    means:
      "Warning. The add-on `ipv4` is selected before the address exists. No call of the API shows when it does.",
    remedy: "Connect through the pooler until the host resolves",
  }),
  notOffered: defineProblem({
    says: "The variant {variant} of {type} is not available to the project {ref} (the service says: {answer}). Nothing was changed. Available: {offered}. {remedy}.",
    means: "The service does not offer the variant to the project.",
    remedy: "Declare an available variant, or move the project to a plan that includes this one",
  }),
};

/** A billing add-on of a project. */
export const billingAddon = defineResource({
  type: "BillingAddon",
  description:
    "A billing add-on of a project, such as a custom domain, a dedicated IPv4 address or point-in-time recovery. It incurs costs. Deleting the resource removes the add-on.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 600 },
  isRepeatable: true,
  uniqueBy: ["addonType"],
  importId: inProject("addonType", "the kind of the add-on", "pitr"),
  list: listInProject(listAddons, /^\w+$/),
  problems,

  check: ({ addonType: type, variant }) => ({
    failures: checkVariant(type, variant),
    warnings:
      type !== undefined && isKnownType(type) && variantsByType[type] === undefined
        ? [problems.notSelectable.message({ type })]
        : [],
  }),

  async find(ctx, { projectRef: ref, addonType: type }) {
    const selected = await readSelectedAddon(ctx, ref, type);
    return selected === undefined ? [] : [{ id: type, label: selected.variant.id }];
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const selected = await readSelectedAddon(ctx, ref, id);
    return selected === undefined ? undefined : fromWire(ref, selected);
  },

  async create(ctx, declared) {
    await selectAddon(ctx, toSelection(declared));
    return { id: declared.addonType };
  },

  async settle(ctx, { inputs: declared }) {
    const selected = await waitUntilSelected(ctx, toSelection(declared));
    if (declared.addonType === "ipv4") ctx.warn(problems.addressLater.message({ ref: declared.projectRef }));
    return fromWire(declared.projectRef, selected);
  },

  async update(ctx, { id, inputs: declared }) {
    const selection = toSelection(declared);
    await writeOnce(ctx, {
      send: async () => {
        await selectAddon(ctx, selection);
        return true;
      },
      findResult: async () =>
        (await readSelectedAddon(ctx, selection.ref, id))?.variant.id === selection.variant || undefined,
    });
    return {};
  },

  delete: (ctx, { id, state }) => deselectAddon(ctx, requireProjectRef(state), id),
});

function isKnownType(type: string): boolean {
  return (addonType.options as readonly string[]).includes(type) && type !== "compute_instance";
}

/** Faults of a type, and of a variant with its type, as far as both are known. */
function checkVariant(type: AddonType | undefined, variant: AddonVariant | undefined): CheckFailure[] {
  if (type === undefined) return [];
  if (type === "compute_instance") return [{ path: "addonType", reason: problems.isComputeSize.message() }];
  const allowed = variantsByType[type];
  if (allowed === undefined || variant === undefined || allowed.includes(variant)) return [];
  // One that no list has may be of any type.
  if (!selectableVariants.includes(variant)) return [];
  const listed = allowed.map((one) => JSON.stringify(one)).join(", ");
  return [{ path: "variant", reason: problems.ofAnotherType.message({ variant, type, allowed: listed }) }];
}

/** The selected variant of a type: one listing for all resources of a run, until one of them is changed. */
async function readSelectedAddon(
  ctx: Context,
  ref: string,
  type: string,
): Promise<SelectedAddon | undefined> {
  return findSelected(await listAddonsOnce(ctx, ref), type);
}

const listKey = (ref: string): string => `addons:${ref}`;

function listAddonsOnce(ctx: Context, ref: string): ReturnType<Context["api"]["listAddons"]> {
  return ctx.shared.list(listKey(ref), () => ctx.api.listAddons({ ref }));
}

/** Those that the resource can manage: a compute size is the project's. */
async function listAddons(ctx: Context, ref: string): Promise<ImportableObject[]> {
  const addons = await listAddonsOnce(ctx, ref);
  return addons
    .filter(({ type }) => type !== "compute_instance")
    .map(({ type, variant }) => ({ id: type, name: variant?.id ?? type }));
}

async function readSelectedNow(ctx: Context, ref: string, type: string): Promise<SelectedAddon | undefined> {
  ctx.shared.forget(listKey(ref));
  return readSelectedAddon(ctx, ref, type);
}

/** No document says how the service refuses what it does not offer: 402 may name the plan, 404 the variant. */
function mayNotBeOffered(error: unknown): error is ApiError {
  if (isContentRefusal(error)) return true;
  return error instanceof ApiError && (error.status === 402 || error.status === 404);
}

/** Selects a variant; doing so twice is doing it once. */
async function selectAddon(ctx: Context, selection: AddonSelection): Promise<void> {
  const { ref, type, variant } = selection;
  const body = { addon_type: type, addon_variant: variant };
  try {
    await changeAddons(ctx, ref, () => ctx.api.applyAddon({ ref, body }));
  } catch (error) {
    throw mayNotBeOffered(error) ? await explainSelectRefusal(ctx, selection, error) : error;
  }
}

/** The refusal, with what is offered where the variant is not among it. */
async function explainSelectRefusal(
  ctx: Context,
  { ref, type, variant }: AddonSelection,
  refusal: ApiError,
): Promise<Error> {
  const addons = await ctx.api.addons({ ref }).catch(() => undefined);
  if (addons === undefined) return refusal;
  const offered = addons.available_addons;
  const variants = offered.filter((addon) => addon.type === type).flatMap((addon) => addon.variants ?? []);
  if (variants.some(({ id }) => id === variant)) {
    return replaceMessage(
      refusal,
      problems.refused.message({
        ref,
        type,
        variant,
        answer: refusal.serviceMessage || String(refusal.status),
      }),
    );
  }
  const named = variants.flatMap(({ id, price }) =>
    id == null ? [] : [price?.description == null ? id : `${id} (${price.description})`],
  );
  const message = problems.notOffered.message({
    ref,
    type,
    variant,
    answer: refusal.serviceMessage === "" ? String(refusal.status) : refusal.serviceMessage,
    offered: named.length === 0 ? "no variant of it" : named.join(", "),
  });
  return new InvalidInputError("variant", message);
}

/** Waits until the listing shows the variant as selected. */
async function waitUntilSelected(
  ctx: Context,
  { ref, type, variant }: AddonSelection,
): Promise<SelectedAddon> {
  return poll<SelectedAddon | undefined, SelectedAddon>(ctx, {
    what: `the selection of the add-on ${variant} of ${ref}`,
    look: () => readSelectedNow(ctx, ref, type),
    absent: (selected) =>
      selected === undefined
        ? createNotFoundError(
            "listAddons",
            `timed out: no variant of ${type} is selected in the project ${ref}.`,
          )
        : undefined,
    judge: (selected) =>
      selected?.variant.id === variant
        ? { kind: "done", value: selected }
        : { kind: "waiting", reason: `${selected?.variant.id ?? "no variant"} is selected` },
  });
}

/** Removes whichever variant is selected, and waits until none is. */
async function deselectAddon(ctx: Context, ref: string, type: string): Promise<void> {
  const selected = await readSelectedNow(ctx, ref, type);
  if (selected === undefined) throw new NotListedError(`no variant of ${type} is selected`);
  // It came from the service's own list of selected variants.
  const variant = selected.variant.id as Parameters<Api["removeAddon"]>[0]["addon_variant"];
  try {
    await changeAddons(ctx, ref, () => ctx.api.removeAddon({ ref, addon_variant: variant }));
  } catch (error) {
    // Removed by somebody else a moment ago, or by the first of two attempts.
    if (!isNotFound(error)) throw error;
  }
  await poll<SelectedAddon | undefined, undefined>(ctx, {
    what: `the removal of the add-on ${variant} of ${ref}`,
    look: () => readSelectedNow(ctx, ref, type),
    judge: (left) =>
      left === undefined
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `${left.variant.id} is selected` },
  });
}

async function changeAddons<T>(ctx: Context, ref: string, change: () => Promise<T>): Promise<T> {
  try {
    return await retryWhileChanging(ctx, ref, () => callWhenReady(ctx, ref, ["db"], change));
  } finally {
    ctx.shared.forget(listKey(ref));
  }
}
