import { fieldsOf } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { autonamedIn } from "./autoname";
import { differencesBelow, type Difference } from "../define/compare";
import { formatPath } from "../define/property-path";
import { parentInputs } from "./parent";
import { declaredNames, isPending, hasDeclared, type Values } from "./state";
import { recordedOnly } from "./taken-over";

/** A difference by its full path, and whether it takes a replacement. */
export interface PropertyDifference extends Pick<Difference, "kind"> {
  /** As Pulumi writes it: `attributeMapping.keys.email.names[0]`. */
  readonly path: string;
  readonly replaces: boolean;
  readonly isOutput?: true;
}

/** How the declared inputs differ from what is remembered. */
export interface Differences {
  /** Whether anything must be done or written to state. */
  readonly changes: boolean;
  /** Inputs whose change needs the service. */
  readonly changed: ReadonlySet<string>;
  /** Every difference, options of the provider and removed inputs included. */
  readonly properties: readonly PropertyDifference[];
  /** Inputs of an object that existed before which go into the state and are not sent. */
  readonly recorded: readonly string[];
  /** Inputs whose change takes a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** Compares without any call; an unknown declared value counts as changed. */
export function diffInputs(resource: AnyResource, state: Values, inputs: Values): Differences {
  const changed = new Set<string>();
  const properties: PropertyDifference[] = [];
  const replaces: string[] = [];
  let deleteBeforeReplace = false;
  const declaredBefore = declaredNames(resource, state);
  const recorded = recordedOnly(resource, state, inputs);
  for (const [name, field, traits] of fieldsOf(resource.inputs)) {
    if (traits.createOnly === true) continue;
    const declared = inputs[name];
    if (declared === undefined || declared === null) {
      if (!declaredBefore.has(name)) continue;
      properties.push({ path: name, kind: "delete", replaces: false });
      const isReleased = resource.releasesRemovedInputs === true && traits.local !== true;
      if (isReleased || traits.decidesRead === true) changed.add(name);
      continue;
    }
    if (recorded.includes(name)) {
      properties.push({ path: name, kind: "add", replaces: false });
      continue;
    }
    const below = differencesBelow(field, state[name], declared, [name]);
    if (below.length === 0) {
      if (declaredBefore.has(name) || !hasDeclared(state)) continue;
      properties.push({ path: name, kind: "add", replaces: false });
      continue;
    }
    const isReplacing = traits.replaces !== undefined && traits.local !== true;
    properties.push(
      ...below.map(({ path, kind }) => ({ path: formatPath(path), kind, replaces: isReplacing })),
    );
    if (traits.local === true && traits.decidesRead !== true) continue;
    changed.add(name);
    if (!isReplacing) continue;
    replaces.push(name);
    deleteBeforeReplace ||= traits.replaces === "delete-first" && !autonamedIn(inputs).includes(name);
  }
  return {
    changes: properties.length > 0 || isPending(state),
    changed,
    properties,
    recorded,
    replaces,
    deleteBeforeReplace: deleteBeforeReplace || cannotStandBeside(resource, state, inputs, replaces),
  };
}

/** Whether the replacement cannot be made while the old one is there. */
function cannotStandBeside(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  replaces: readonly string[],
): boolean {
  if (replaces.length === 0 || parentInputs(resource).some((name) => replaces.includes(name))) return false;
  return (
    keepsFixedName(resource, replaces, autonamedIn(inputs)) || resource.deletesFirst?.(state, inputs) === true
  );
}

/** A replacement that keeps the name which the user fixed cannot stand beside the old one. */
function keepsFixedName(
  resource: AnyResource,
  replaces: readonly string[],
  autonamed: readonly string[],
): boolean {
  const { uniqueBy } = resource;
  return (
    uniqueBy !== undefined && !uniqueBy.some((name) => replaces.includes(name) || autonamed.includes(name))
  );
}
