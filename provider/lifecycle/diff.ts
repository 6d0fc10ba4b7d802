import { fieldsOf } from "../define/markers";
import type { AnyResource } from "../define/resource";
import { differences } from "./compare";
import { declaredNames, isPending, tellsDeclared, type Values } from "./state";

/** How the declared inputs differ from what is remembered. */
export interface Differences {
  /** Whether anything must be done or written to state. */
  readonly changes: boolean;
  /** Inputs whose change needs the service. */
  readonly changed: ReadonlySet<string>;
  /** Every difference by its full path, options of the provider and removed inputs included. */
  readonly paths: readonly string[];
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** Compares without any call; an unknown declared value counts as changed. */
export function diffInputs(resource: AnyResource, state: Values, inputs: Values): Differences {
  const changed = new Set<string>();
  const paths: string[] = [];
  const replaces: string[] = [];
  let deleteBeforeReplace = false;
  const declaredBefore = declaredNames(resource, state);
  for (const [name, field, traits] of fieldsOf(resource.inputs)) {
    if (traits.createOnly === true) continue;
    const declared = inputs[name];
    if (declared === undefined || declared === null) {
      if (!declaredBefore.has(name)) continue;
      paths.push(name);
      if (resource.releasesRemovedInputs === true && traits.local !== true) changed.add(name);
      continue;
    }
    const below = differences(field, state[name], declared);
    if (below.length === 0 && (declaredBefore.has(name) || !tellsDeclared(state))) continue;
    paths.push(...(below.length === 0 ? [name] : below.map((path) => joinPath(name, path))));
    if (below.length === 0 || traits.local === true) continue;
    changed.add(name);
    if (traits.replaces === undefined) continue;
    replaces.push(name);
    deleteBeforeReplace ||= traits.replaces === "delete-first";
  }
  return {
    changes: paths.length > 0 || isPending(state),
    changed,
    paths,
    replaces,
    deleteBeforeReplace: deleteBeforeReplace || keepsFixedName(resource, replaces),
  };
}

/** A replacement that keeps the name which the user fixed cannot stand beside the old one. */
function keepsFixedName(resource: AnyResource, replaces: readonly string[]): boolean {
  const { uniqueBy } = resource;
  return (
    uniqueBy !== undefined &&
    replaces.length > 0 &&
    !replaces.includes("projectRef") &&
    !uniqueBy.some((name) => replaces.includes(name))
  );
}

function joinPath(name: string, below: string): string {
  if (below === "") return name;
  return below.startsWith("[") ? `${name}${below}` : `${name}.${below}`;
}
