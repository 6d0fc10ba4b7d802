import { restated } from "../../../client/errors/restated";
import { ApiError, InvalidInputError, isContentRefusal, isNotFound } from "../../../client/errors/errors";
import { selectedOf, whenChangesAreDone, type SelectedAddon } from "../shared/addons";
import { notFound } from "../../../lookup/missing-errors";
import { poll } from "../../../waiting/poll";
import { whenReady } from "../../../waiting/project-health";
import type { Api, Context } from "../../../define/context";
import type { Importable } from "../../../define/list";
import { problems } from "./problems";
import { variantsByType, type AddonType, type Variant } from "./variants";

/** What is to be selected in a project. */
export interface Selection {
  readonly ref: string;
  readonly type: AddonType;
  readonly variant: Variant;
}

const listKey = (ref: string): string => `addons:${ref}`;

/** The selected variant of a type: one listing for all resources of a run, until one of them is changed. */
export async function selectedAddon(
  ctx: Context,
  ref: string,
  type: string,
): Promise<SelectedAddon | undefined> {
  return selectedOf(await addonsOf(ctx, ref), type);
}

function addonsOf(ctx: Context, ref: string): ReturnType<Context["api"]["listAddons"]> {
  return ctx.shared.list(listKey(ref), () => ctx.api.listAddons({ ref }));
}

/** Those that the resource can manage: a compute size is the project's. */
export async function listAddons(ctx: Context, ref: string): Promise<Importable[]> {
  const addons = await addonsOf(ctx, ref);
  return addons
    .filter(({ type }) => type in variantsByType)
    .map(({ type, variant }) => ({ id: type, name: variant?.id ?? type }));
}

async function selectedNow(ctx: Context, ref: string, type: string): Promise<SelectedAddon | undefined> {
  ctx.shared.forget(listKey(ref));
  return selectedAddon(ctx, ref, type);
}

/** Selects a variant; doing so twice is doing it once. */
export async function select(ctx: Context, selection: Selection): Promise<void> {
  const { ref, type, variant } = selection;
  const body = { addon_type: type, addon_variant: variant };
  try {
    await changing(ctx, ref, () => ctx.api.applyAddon({ ref, body }));
  } catch (error) {
    throw mayNotBeOffered(error) ? await explained(ctx, selection, error) : error;
  }
}

/** No document says how the service refuses what it does not offer: 402 may name the plan, 404 the variant. */
function mayNotBeOffered(error: unknown): error is ApiError {
  if (isContentRefusal(error)) return true;
  return error instanceof ApiError && (error.status === 402 || error.status === 404);
}

/** The refusal, with what is offered where the variant is not among it. */
async function explained(ctx: Context, { ref, type, variant }: Selection, refusal: ApiError): Promise<Error> {
  const addons = await ctx.api.addons({ ref }).catch(() => undefined);
  if (addons === undefined) return refusal;
  const offered = addons.available_addons;
  const variants = offered.filter((addon) => addon.type === type).flatMap((addon) => addon.variants ?? []);
  if (variants.some(({ id }) => id === variant)) {
    return restated(
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
export async function waitUntilSelected(
  ctx: Context,
  { ref, type, variant }: Selection,
): Promise<SelectedAddon> {
  return poll<SelectedAddon | undefined, SelectedAddon>(ctx, {
    what: `the add-on ${variant} of ${ref} to be selected`,
    look: () => selectedNow(ctx, ref, type),
    absent: (selected) =>
      selected === undefined
        ? notFound(
            "listAddons",
            `until the deadline no variant of ${type} was selected in the project ${ref}.`,
          )
        : undefined,
    judge: (selected) =>
      selected?.variant.id === variant
        ? { kind: "done", value: selected }
        : { kind: "waiting", reason: `${selected?.variant.id ?? "no variant"} is selected` },
  });
}

/** Removes whichever variant is selected, and waits until none is. */
export async function deselect(ctx: Context, ref: string, type: string): Promise<void> {
  const selected = await selectedNow(ctx, ref, type);
  if (selected === undefined) return;
  // It came from the service's own list of selected variants.
  const variant = selected.variant.id as Parameters<Api["removeAddon"]>[0]["addon_variant"];
  try {
    await changing(ctx, ref, () => ctx.api.removeAddon({ ref, addon_variant: variant }));
  } catch (error) {
    // Removed by somebody else a moment ago, or by the first of two attempts.
    if (!isNotFound(error)) throw error;
  }
  await poll<SelectedAddon | undefined, undefined>(ctx, {
    what: `the add-on ${variant} of ${ref} to be removed`,
    look: () => selectedNow(ctx, ref, type),
    judge: (left) =>
      left === undefined
        ? { kind: "done", value: undefined }
        : { kind: "waiting", reason: `${left.variant.id} is selected` },
  });
}

async function changing<T>(ctx: Context, ref: string, change: () => Promise<T>): Promise<T> {
  try {
    return await whenChangesAreDone(ctx, ref, () => whenReady(ctx, ref, ["db"], change));
  } finally {
    ctx.shared.forget(listKey(ref));
  }
}
