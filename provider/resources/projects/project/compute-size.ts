import type { z } from "zod";
import type { computeVariant } from "../../../../spec/operations/billing";
import type { instanceSize } from "../../../../spec/shared-fields";
import { ForbiddenError, isNotFound, isRefusal } from "../../../client/errors/errors";
import { replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { findListedProject, searchProject, type ListedProject } from "../../../lookup/listed-project";
import { poll } from "../../../waiting/poll";
import { callWhenReady } from "../../../waiting/project-health";
import { mayPassWhileStarting, createTerminalError } from "../../../waiting/project-state";
import { findSelected, retryWhileChanging } from "../../billing/shared/addons";
import { problems } from "./problems";
import { statusOf, type ProjectRecord } from "./status";

export type InstanceSize = z.output<typeof instanceSize>;
type ComputeAddonVariant = z.output<typeof computeVariant>;

/** More than there are sizes. */
const MOST_STEPS = 20;

/** Without an add-on a project has the smallest size of its plan: the add-ons alone do not tell which (service, Compute size). */
const WITHOUT_ADDON: readonly string[] = ["pico", "nano", "micro"];

/** Brings the two names of the smallest size of a free project into one. */
export function normalizeSize(size: unknown): unknown {
  return size === "pico" ? "nano" : size;
}

/** The add-on variant of a size; undefined for a size that is no add-on. */
function toVariant(size: InstanceSize): ComputeAddonVariant | undefined {
  return size === "pico" || size === "nano" ? undefined : `ci_${size}`;
}

/** The size as the organization's listing shows it; where it does not, as the add-ons say. */
export async function readSize(ctx: Context, project: ProjectRecord): Promise<InstanceSize> {
  const size =
    (await readListedSize(ctx, project)) ?? sizeOfVariant(await readSelectedVariant(ctx, project.ref));
  // An open enum: a size that this version does not know is drift to be shown, not an error.
  return size as InstanceSize;
}

function sizeOfVariant(selected: string | undefined): string {
  return selected?.replace(/^ci_/, "") ?? "nano";
}

/** What is known of a project's size. */
interface ObservedSize {
  readonly project: ProjectRecord;
  /** Undefined where the listing does not show it. */
  readonly listed: string | undefined;
  readonly selected: string | undefined;
}

/** Selects the declared size, unless the project has it, and waits through RESIZING. */
export async function resizeProject(
  ctx: Context,
  project: ProjectRecord,
  size: InstanceSize,
): Promise<ProjectRecord> {
  const { ref } = project;
  let seen = await readObservedSize(ctx, project);
  // Removing an add-on rolls back to the size before it (service, Billing add-ons), so the smallest may take several.
  for (let steps = 0; steps <= MOST_STEPS; steps += 1) {
    if (hasSize(seen, size)) return seen.project;
    const { selected } = seen;
    ctx.progress(`changing the compute size from ${seen.listed ?? selected ?? "the smallest"} to ${size}`);
    await retryWhileChanging(ctx, ref, () =>
      callWhenReady(ctx, ref, ["db"], () => selectVariant(ctx, ref, selected, toVariant(size))),
    ).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      throw replaceMessage(error, problems.sizeRefused.message({ size, ref, answer: error.message }));
    });
    seen = await waitUntilResized(ctx, seen, size);
  }
  throw new Error(
    `The compute size of the project ${ref} could not be set to ${size}: the service selects another one.`,
  );
}

async function readObservedSize(ctx: Context, project: ProjectRecord): Promise<ObservedSize> {
  const listed = await readListedSizeNow(ctx, project);
  return { project, listed, selected: await readSelectedVariant(ctx, project.ref) };
}

function hasSize({ listed, selected }: ObservedSize, size: InstanceSize): boolean {
  if (listed !== undefined) return normalizeSize(listed) === normalizeSize(size);
  return selected === toVariant(size) || (selected === undefined && WITHOUT_ADDON.includes(size));
}

async function waitUntilResized(
  ctx: Context,
  before: ObservedSize,
  size: InstanceSize,
): Promise<ObservedSize> {
  const { ref } = before.project;
  return poll<ObservedSize, ObservedSize>(ctx, {
    what: `the resize of the project ${ref}`,
    look: async () => readObservedSize(ctx, await ctx.api.getProject({ ref })),
    judge(seen) {
      const status = statusOf(seen.project);
      const error = createTerminalError(`project ${ref}`, status, ctx.findUrn(ref));
      if (error !== undefined) return { kind: "failed", error };
      const hasChanged = seen.listed !== before.listed || seen.selected !== before.selected;
      // The add-on is selected before the size is there: only a project whose size the listing never shows is judged by it.
      const isUntold = before.listed !== undefined && seen.listed === undefined;
      return status === "ACTIVE_HEALTHY" && !isUntold && (hasChanged || hasSize(seen, size))
        ? { kind: "done", value: seen }
        : { kind: "waiting", reason: `${status}, with ${seen.selected ?? "the smallest size"} selected` };
    },
    mayPass: mayPassWhileStarting,
  });
}

async function selectVariant(
  ctx: Context,
  ref: string,
  selected: string | undefined,
  wanted: ComputeAddonVariant | undefined,
): Promise<void> {
  if (wanted !== undefined) {
    await ctx.api.applyAddon({ ref, body: { addon_type: "compute_instance", addon_variant: wanted } });
  } else if (selected !== undefined) {
    try {
      // It came from the service's own list of selected variants.
      await ctx.api.removeAddon({ ref, addon_variant: selected as ComputeAddonVariant });
    } catch (error) {
      // Repeated after a lost answer, the removal finds nothing; what is selected is looked up next.
      if (!isNotFound(error)) throw error;
    }
  }
}

async function readSelectedVariant(ctx: Context, ref: string): Promise<string | undefined> {
  return findSelected(await ctx.api.listAddons({ ref }), "compute_instance")?.variant.id;
}

/**
 * The compute size as the organization's listing shows it, one listing for all projects of a run; undefined where the
 * listing does not show it, or may not be read.
 */
async function readListedSize(ctx: Context, project: ProjectRecord): Promise<string | undefined> {
  return findListedSize(project, (slug) => findListedProject(ctx, slug, project));
}

/** The same as it is now, whatever a listing of this run showed. */
async function readListedSizeNow(ctx: Context, project: ProjectRecord): Promise<string | undefined> {
  return findListedSize(project, (slug) => searchProject(ctx, slug, project));
}

async function findListedSize(
  { organization_slug: slug }: ProjectRecord,
  find: (slug: string) => Promise<ListedProject | undefined>,
): Promise<string | undefined> {
  if (slug == null) return undefined;
  try {
    const primary = (await find(slug))?.databases?.find(({ type }) => type === "PRIMARY");
    return primary?.infra_compute_size ?? undefined;
  } catch (error) {
    // A token may be allowed to see projects, but not their organization.
    if (error instanceof ForbiddenError) return undefined;
    throw error;
  }
}
