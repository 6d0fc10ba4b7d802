import type { Operations } from "../../spec/table";
import { computeVariant } from "../../spec/operations/billing";
import { Refusal, type Handler } from "../handler";
import type { World } from "../world";
import { projectAt, settledProjectAt } from "./access";
import { addonOf, availableAddons } from "./addon-catalog";
import { selectedCompute } from "./compute-sizes";
import { begin } from "./project-status";
import type { AddonVariantId, ComputeVariant, ProjectRecord } from "./records/project";

/** No compute add-on selected means the smallest size (behaviour, Projects). */
const listAddons: Handler<Operations["listAddons"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return {
    selected_addons: [...project.addons.values()].flatMap((id) => addonOf(id) ?? []),
    available_addons: availableAddons(),
  };
};

const applyAddon: Handler<Operations["applyAddon"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  const { addon_type: type, addon_variant: id } = body;
  if (addonOf(id)?.type !== type) throw new Refusal(400, `${id} is no variant of the add-on ${type}`);
  if (project.addons.get(type) === id) return;
  const compute = asCompute(id);
  if (compute !== undefined) {
    project.previousComputes.push(selectedCompute(project) ?? null);
    resizeTo(world, project, compute);
  } else {
    project.addons.set(type, id);
  }
};

/** Removing a compute variant rolls back to the size before it (management-api-1, Billing add-ons). */
const removeAddon: Handler<Operations["removeAddon"]> = ({ params, world }) => {
  const project = settledProjectAt(world, params.ref);
  const id = params.addon_variant;
  const type = addonOf(id)?.type;
  if (type === undefined || project.addons.get(type) !== id) {
    throw new Refusal(404, `The add-on ${id} is not selected`);
  }
  if (asCompute(id) !== undefined) resizeTo(world, project, project.previousComputes.pop() ?? null);
  else project.addons.delete(type);
};

function asCompute(id: AddonVariantId): ComputeVariant | undefined {
  return computeVariant.options.find((variant) => variant === id);
}

/** A change of the compute size (behaviour, Projects). */
function resizeTo(world: World, project: ProjectRecord, variant: ComputeVariant | null): void {
  if (variant === null) project.addons.delete("compute_instance");
  else project.addons.set("compute_instance", variant);
  begin(world, project, "resize", "ACTIVE_HEALTHY");
}

export const addonHandlers = { listAddons, applyAddon, removeAddon };
