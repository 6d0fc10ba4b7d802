import type { z } from "zod";
import type { computeVariant } from "../../../spec/operations/billing";
import type { instanceSize } from "../../../spec/shared-fields";
import { isNotFound, ResponseSchemaError } from "../../client/errors";
import type { Context } from "../../define/context";
import { whenReady } from "../../lifecycle/project-health";
import { mayPassWhileStarting, terminalError } from "../../lifecycle/project-state";
import { settle } from "../../lifecycle/settle";
import { statusOf, type ProjectRecord } from "./project-status";

export type InstanceSize = z.output<typeof instanceSize>;
/** More than there are sizes. */
const MOST_STEPS = 20;

type Variant = z.output<typeof computeVariant>;

/** The two smallest sizes are what a project has without an add-on: which one, the service decides. */
function isWithoutAddon(size: InstanceSize): size is "pico" | "nano" {
  return size === "pico" || size === "nano";
}

/** Brings the two names of a project without a compute add-on into one. */
export function normalizeSize(size: unknown): unknown {
  return size === "pico" ? "nano" : size;
}

/** The add-on variant of a size; undefined for a size that is no add-on. */
export function toVariant(size: InstanceSize): Variant | undefined {
  return isWithoutAddon(size) ? undefined : `ci_${size}`;
}

/** The size that the selected add-ons say (behaviour, Projects). */
export async function readSize(ctx: Context, ref: string): Promise<InstanceSize> {
  const selected = await selectedVariant(ctx, ref);
  // An open enum: a size that this version does not know is drift to be shown, not an error.
  return (selected?.replace(/^ci_/, "") ?? "nano") as InstanceSize;
}

/** Selects the declared size, unless it is selected, and waits through RESIZING. */
export async function resize(
  ctx: Context,
  project: ProjectRecord,
  size: InstanceSize,
): Promise<ProjectRecord> {
  const { ref } = project;
  const wanted = toVariant(size);
  let current = project;
  // Removing an add-on rolls back to the size before it (management-api-1, Billing add-ons), so the smallest may take several.
  for (let steps = 0; steps <= MOST_STEPS; steps += 1) {
    const selected = await selectedVariant(ctx, ref);
    if (selected === wanted) return current;
    ctx.progress(`changing the compute size from ${selected ?? "the smallest"} to ${size}`);
    await whenReady(ctx, ref, ["db"], () => select(ctx, ref, selected, wanted));
    current = await waitUntilResized(ctx, ref, selected);
  }
  throw new Error(
    `The compute size of the project ${ref} could not be set to ${size}: the service keeps selecting another one.`,
  );
}

async function waitUntilResized(
  ctx: Context,
  ref: string,
  before: string | undefined,
): Promise<ProjectRecord> {
  return settle<{ project: ProjectRecord; selected: string | undefined }, ProjectRecord>(ctx, {
    what: `the project ${ref} to be resized`,
    look: async () => ({
      selected: await selectedVariant(ctx, ref),
      project: await ctx.api.getProject({ ref }),
    }),
    judge(seen) {
      const status = statusOf(seen.project);
      const error = terminalError(`project ${ref}`, status);
      if (error !== undefined) return { kind: "failed", error };
      return status === "ACTIVE_HEALTHY" && seen.selected !== before
        ? { kind: "done", value: seen.project }
        : { kind: "waiting", reason: `${status}, with ${seen.selected ?? "the smallest size"} selected` };
    },
    mayPass: mayPassWhileStarting,
  });
}

async function select(
  ctx: Context,
  ref: string,
  selected: string | undefined,
  wanted: Variant | undefined,
): Promise<void> {
  if (wanted !== undefined) {
    await ctx.api.applyAddon({ ref, body: { addon_type: "compute_instance", addon_variant: wanted } });
  } else if (selected !== undefined) {
    try {
      // It came from the service's own list of selected variants.
      await ctx.api.removeAddon({ ref, addon_variant: selected as Variant });
    } catch (error) {
      // Repeated after a lost answer, the removal finds nothing; what is selected is looked up next.
      if (!isNotFound(error)) throw error;
    }
  }
}

async function selectedVariant(ctx: Context, ref: string): Promise<string | undefined> {
  const addons = await ctx.api.listAddons({ ref });
  const compute = addons.find(({ type }) => type === "compute_instance");
  if (compute !== undefined && compute.variant?.id == null) throw withoutVariant();
  return compute?.variant?.id ?? undefined;
}

function withoutVariant(): ResponseSchemaError {
  return new ResponseSchemaError(
    "listAddons: the service answered without `selected_addons.variant.id`; run again.",
    "listAddons",
    "selected_addons.variant.id",
  );
}
