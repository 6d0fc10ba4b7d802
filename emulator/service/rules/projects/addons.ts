import type { Operations } from "../../../../spec/table";
import { computeVariant } from "../../../../spec/operations/billing";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, requireActive } from "../shared/project-at";
import { addonOf, availableAddons } from "./addon-catalog";
import { isAtLeast } from "../shared/compute-limits";
import {
  isMicroWithoutAddon,
  selectedCompute,
  sizeOf,
  sizeOfVariant,
  type ComputeSize,
} from "../shared/compute-sizes";
import { planOf } from "../shared/plan";
import { begin, statusOf } from "../shared/project-status";
import { mostReplicas, replicasOf } from "../database/read-replicas";
import type { AddonVariantId, ComputeVariant, ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** No compute add-on selected means the smallest size (service, Compute size). */
const listAddons: Handler<Operations["listAddons"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return {
    selected_addons: [...project.addons.values()].flatMap((id) => addonOf(id, world.state) ?? []),
    available_addons: offeredAddons(world, project),
  };
};

/** No size is offered on the free plan, as measured. */
function offeredAddons(world: World, project: ProjectRecord): ReturnType<typeof availableAddons> {
  const isFree = isAsMeasured(world.state) && planOf(world, project) === "free";
  return availableAddons(world.state).map((addon) =>
    isFree && addon.type === "compute_instance" ? { ...addon, variants: [] } : addon,
  );
}

const applyAddon: Handler<Operations["applyAddon"]> = ({ params, body, world }) => {
  const project = changeableAt(world, params.ref);
  const { addon_type: type, addon_variant: id } = body;
  if (addonOf(id, world.state)?.type !== type)
    throw new Refusal(400, `addon_variant: ${id} is no variant of the add-on ${type}`);
  if (project.addons.get(type) === id) return;
  if (type === "pitr" && isAsMeasured(world.state) && planOf(world, project) === "free") {
    throw new Refusal(400, "Organization is not entitled to the selected PITR duration");
  }
  requirePaidPlan(world, project);
  const compute = asCompute(id);
  if (
    compute === "ci_micro" &&
    isMicroWithoutAddon(world.state.organizations.get(project.organizationSlug))
  ) {
    return removeCompute(world, project);
  }
  if (compute !== undefined) {
    requireRoomForTheRest(world, project, compute);
    project.previousComputes.push(selectedCompute(project) ?? null);
    resizeTo(world, project, compute);
    return;
  }
  if (type === "pitr") {
    requireSize(sizeOf(project), "point-in-time recovery");
    // Another number of days keeps what is archived.
    if (!project.addons.has("pitr")) project.backups.pitrSince = world.clock.now();
  }
  project.addons.set(type, id);
  project.addonsChangedAt = world.clock.now();
};

/** On a paid plan micro is the absence of an add-on, and selecting it removes the one that is there (service, Compute size). */
function removeCompute(world: World, project: ProjectRecord): void {
  if (!project.addons.has("compute_instance")) return;
  requireRoomForTheRest(world, project, null);
  project.previousComputes = [];
  resizeTo(world, project, null);
}

/** Removing a compute variant rolls back to the size before it (service, Billing add-ons). */
const removeAddon: Handler<Operations["removeAddon"]> = ({ params, world }) => {
  const project = changeableAt(world, params.ref);
  const id = params.addon_variant;
  const type = addonOf(id, world.state)?.type;
  if (type === undefined || project.addons.get(type) !== id) {
    throw new Refusal(404, `The add-on ${id} is not selected`);
  }
  if (type === "compute_instance") {
    const previous = project.previousComputes.at(-1) ?? null;
    requireRoomForTheRest(world, project, previous);
    project.previousComputes.pop();
    resizeTo(world, project, previous);
    return;
  }
  project.addons.delete(type);
  project.addonsChangedAt = world.clock.now();
  if (type === "pitr") project.backups.pitrSince = null;
  // Unknown whether a hostname in use keeps its add-on: here it goes too, as the removal of one may not be offered.
  if (type === "custom_domain") project.customHostname = null;
};

/** How long a change is processed, at pace 1: measured up to 185 s (service, Defaults). */
const CHANGE_MS = { current: 185_000, "2026-06": 125_000 };

/** One change at a time: the next one is refused, with calls left in the window, until it is done (service, Limits). */
function changeableAt(world: World, ref: string): ProjectRecord {
  const project = projectAt(world, ref);
  const { addonsChangedAt: at } = project;
  const leftMs = at === null ? 0 : at + CHANGE_MS[world.state.service] * world.pace - world.clock.now();
  if (statusOf(world, project) === "RESIZING" || leftMs > 0) {
    const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
    throw new Refusal(
      429,
      isAsMeasured(world.state)
        ? `We are still processing addon changes, please try again in ${minutes} minute(s)`
        : "Cannot update addon: still processing addon changes",
    );
  }
  requireActive(world, project);
  return project;
}

/** Not specified who may buy: here an organization that pays. */
function requirePaidPlan(world: World, project: ProjectRecord): void {
  if (planOf(world, project) === "free") throw new Refusal(400, "The plan free takes no add-ons");
}

/** What is in use must still have room after a change of the compute size. */
function requireRoomForTheRest(world: World, project: ProjectRecord, variant: ComputeVariant | null): void {
  const size = sizeOfVariant(project, variant);
  if (project.addons.has("pitr")) requireSize(size, "point-in-time recovery");
  const replicas = replicasOf(world, project).length;
  if (replicas === 0) return;
  requireSize(size, "read replicas");
  const most = mostReplicas(size);
  if (replicas > most) {
    throw new Refusal(400, `A project of the compute size ${size} has at most ${most} read replicas`);
  }
}

/** No least size is specified: here both ask for the same. */
function requireSize(size: ComputeSize, what: string): void {
  if (isAtLeast(size, "small")) return;
  throw new Refusal(400, `The compute size ${size} is too small for ${what}: it takes at least small`);
}

function asCompute(id: AddonVariantId): ComputeVariant | undefined {
  return computeVariant.options.find((variant) => variant === id);
}

/** A change of the compute size (service, Compute size). */
function resizeTo(world: World, project: ProjectRecord, variant: ComputeVariant | null): void {
  if (variant === null) project.addons.delete("compute_instance");
  else project.addons.set("compute_instance", variant);
  project.addonsChangedAt = world.clock.now();
  begin(world, project, "resize", "ACTIVE_HEALTHY");
}

export const addonHandlers = { listAddons, applyAddon, removeAddon };
