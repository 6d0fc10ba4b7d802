import { InvalidInputError } from "../../client/errors/errors";
import { differencesBelow, type Difference } from "../../define/compare";
import { markedFields, type FieldTraits } from "../../define/markers";
import { formatPath, type Path } from "../../define/property-path";
import type { AnyResource } from "../../define/resource";
import { UNKNOWN } from "../../define/unknown";
import { notSent, recordedOnly } from "../ownership/adopted";
import { declareOwned } from "../ownership/ownership";
import { OWNER, ownerOf, parentInputs } from "../ownership/identity";
import { showState } from "../ownership/program-names";
import { engineShows } from "../recovery/journal-subject";
import type { Runtime } from "../runtime";
import { readAutonamed } from "../schema/autoname";
import { declaredNames, hasDeclared, isPending, upgradeState, type Values } from "../state";
import { checkInputs } from "./check";
import { noLongerManaged } from "./plan-lines";
import { refuseReplacement } from "./protection";

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
  for (const [name, field, traits] of markedFields(resource.inputs)) {
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
    deleteBeforeReplace ||= traits.replaces === "delete-first" && !readAutonamed(inputs).includes(name);
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
function isReset({ unsetsRemovedInputs }: AnyResource, { local, resets }: FieldTraits): boolean {
  return resets === true || (unsetsRemovedInputs === true && local !== true);
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
  if (resource.deleteLeavesObject === true) return false;
  return (
    keepsFixedName(resource, replaces, readAutonamed(inputs)) ||
    resource.deletesFirst?.(state, inputs) === true
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

/** How the declared inputs differ from what is remembered, and which outputs the clock alone has an update make anew. */
export interface DifferencesNow extends Differences {
  /** Outputs that an update makes anew; none where the whole resource is replaced. */
  readonly expiring: readonly string[];
}

/** Compares without any call, at a moment; throws for what cannot be done to what there is. */
export function diffAt(resource: AnyResource, state: Values, inputs: Values, nowMs: number): DifferencesNow {
  const found = diffInputs(resource, state, inputs);
  const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== UNKNOWN));
  const isReplaced = found.replaces.length > 0;
  if (isReplaced) refuseReplacement(resource, state, inputs, found.replaces);
  if (isReplaced && found.deleteBeforeReplace) refuseWithoutSuccessor(resource, inputs);
  const refused = isReplaced ? [] : (resource.refuses?.(state, known) ?? []);
  if (refused[0] !== undefined)
    throw new InvalidInputError(refused[0].path, refused.map(({ reason }) => reason).join("\n"));
  const expiring = isReplaced ? [] : (resource.expiringOutputs?.(state, known, nowMs) ?? []);
  if (expiring.length === 0) return { ...found, expiring };
  return {
    ...found,
    expiring,
    changes: true,
    properties: [
      ...found.properties,
      ...expiring.map((path) => ({ path, kind: "update", replaces: false, isOutput: true }) as const),
    ],
  };
}

/** What is deleted first must be something that can be made again: what is gone by then cannot be adopted either. */
function refuseWithoutSuccessor(resource: AnyResource, inputs: Values): void {
  const isForCreate = ([name]: [string, unknown]): boolean => name !== "adopt" && name !== "adoptId";
  const anew = Object.fromEntries(Object.entries(inputs).filter(isForCreate));
  const [failure] = checkInputs(resource, anew).failures;
  if (failure !== undefined) throw new InvalidInputError(failure.path, `${failure.path}: ${failure.reason}`);
}

/**
 * How the resource differs from what is declared, without any call; what a run that died left half-recorded counts as a
 * change. No value is told of an input of which the program made a secret (`isSecret`).
 */
export function diffResource(
  runtime: Runtime,
  resource: AnyResource,
  id: string,
  recorded: Values,
  inputs: Values,
  isSecret: (name: string) => boolean = () => true,
): DifferencesNow {
  const state = upgradeState(resource, recorded);
  const kept = engineShows(runtime, resource, { id, state, known: inputs });
  showState(runtime.names, resource, { ...state, [OWNER]: ownerOf({ ...state, ...inputs }) });
  declareOwned(runtime, resource, { id, state }, inputs);
  const found = diffAt(resource, state, inputs, runtime.clock.now());
  const subject = `${resource.type} ${id}`;
  if (found.recorded.length > 0) runtime.info(notSent(found.recorded), subject);
  for (const path of found.staying) runtime.info(noLongerManaged(resource, state, path, isSecret), subject);
  const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== UNKNOWN));
  const foretold = found.replaces.length > 0 ? [] : (resource.foretells?.(state, known) ?? []);
  for (const line of foretold) runtime.info(line, subject);
  return kept === undefined ? found : { ...found, changes: true };
}
