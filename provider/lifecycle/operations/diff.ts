import { fieldsOf, type FieldTraits } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import { autonamedIn } from "../schema/autoname";
import { differencesBelow, type Difference } from "../../define/compare";
import { formatPath, type Path } from "../../define/property-path";
import { parentInputs } from "../ownership/parent";
import { declaredNames, isPending, hasDeclared, type Values } from "../state";
import { recordedOnly } from "../ownership/taken-over";

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
  /** What is taken out of the program and stays on the service. */
  readonly staying: readonly Path[];
  /** Inputs whose change takes a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** Compares without any call; an unknown declared value counts as changed. */
export function diffInputs(resource: AnyResource, state: Values, inputs: Values): Differences {
  const changed = new Set<string>();
  const properties: PropertyDifference[] = [];
  const replaces: string[] = [];
  const taken: Path[] = [];
  let deleteBeforeReplace = false;
  const declaredBefore = declaredNames(resource, state);
  const recorded = recordedOnly(resource, state, inputs);
  for (const [name, field, traits] of fieldsOf(resource.inputs)) {
    if (traits.createOnly === true) continue;
    const declared = inputs[name];
    if (declared === undefined || declared === null) {
      if (!declaredBefore.has(name)) continue;
      properties.push({ path: name, kind: "delete", replaces: false });
      if (traits.decidesRead === true || isReset(resource, traits)) changed.add(name);
      else if (traits.local !== true && traits.computed !== true) taken.push([name]);
      continue;
    }
    if (recorded.includes(name)) {
      properties.push({ path: name, kind: "add", replaces: false });
      continue;
    }
    const below = differencesBelow(field, state[name], declared, [name], traits.computed !== true);
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
    // A replacement is made without them.
    staying: replaces.length > 0 ? [] : [...taken, ...stayingBehind(resource, state, inputs, properties)],
    replaces,
    deleteBeforeReplace: deleteBeforeReplace || cannotStandBeside(resource, state, inputs, replaces),
  };
}

/** Whether an update brings something about where the program no longer has the input. */
function isReset({ releasesRemovedInputs }: AnyResource, { local, resets }: FieldTraits): boolean {
  return resets === true || (releasesRemovedInputs === true && local !== true);
}

/** What stays though an update handles what is taken out, and what stays within an option of the provider. */
function stayingBehind(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  properties: readonly PropertyDifference[],
): Path[] {
  const out = properties.flatMap(({ path, kind }) => (kind === "delete" ? [path] : []));
  if (resource.staysBehind === undefined || out.length === 0) return [];
  const isTakenOut = (path: string): boolean =>
    out.some((above) => path === above || path.startsWith(`${above}.`));
  return resource
    .staysBehind(state, inputs)
    .filter(isTakenOut)
    .map((path) => path.split("."));
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
