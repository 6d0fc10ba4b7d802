import { InvalidInputError } from "../client/errors/errors";
import { listDifferences, type Difference } from "../define/compare";
import { fieldOf, listMarkedFields, traitsOf, type FieldTraits } from "../define/markers";
import { formatPath, type Path } from "../define/property-path";
import type { AnyResource, CheckFailure, ResourceDiff } from "../define/resource";
import { omitUnknown } from "../define/unknown";
import {
  describeNotSent,
  describeSentAlong,
  isWithin,
  listRecordedOnly,
  listSentAlong,
} from "./step/adopted";
import { declareOwner } from "./step/ownership";
import { createClaim, parentInputs, withId } from "../ledger/claim";
import { OWNER, readOwner } from "../ledger/owner";
import { formatKnownSubject, type Runtime } from "./step/runtime";
import { readAutonamed } from "./schema/autoname";
import type { Values } from "../define/values";
import { listDeclaredNames, hasDeclared, upgradeState } from "./step/state";
import { checkInputs, refuseUnlisted } from "./check";
import { listUnlistedValues } from "./schema/unlisted-values";
import { describeUnmanaged, describeChanges, describeCreation, describeUpdate } from "./plan-lines";
import { formatPlanLine } from "../define/plan-words";
import {
  explainRefusal,
  judgeReplacement,
  listUndecidedNames,
  type ReplacementRefusal,
  type Replacement,
} from "./replacement";
import { readMarks } from "../define/state-marks";

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
  /** Inputs of such an object that nothing shows, and that are sent as another value of the same object is. */
  readonly sentAlong: readonly string[];
  /** What is taken out of the program and stays on the service. */
  readonly staying: readonly Path[];
  /** Inputs whose change takes a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Of the inputs that cannot be changed in place, those that the object is not replaced for: an update refuses them. */
  readonly refused: readonly ReplacementRefusal[];
}

/** Compares without any call; an unknown declared value counts as changed. */
export function diffInputs(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  isReplaceable: Replacement["isReplaceable"] = () => false,
): Differences {
  const changed = new Set<string>();
  const found: (PropertyDifference & { readonly name?: string })[] = [];
  const immutable: string[] = [];
  const taken: Path[] = [];
  const declaredBefore = listDeclaredNames(resource, state);
  const recorded = listRecordedOnly(resource, state, inputs);
  for (const [name, field, traits] of listMarkedFields(resource.inputs)) {
    if (traits.createOnly === true) continue;
    const declared = inputs[name];
    if (declared === undefined || declared === null) {
      if (!declaredBefore.has(name)) continue;
      found.push({ path: name, kind: "delete", replaces: false });
      if (traits.decidesRead === true || isReset(resource, traits)) changed.add(name);
      else if (traits.local !== true && traits.computed !== true) taken.push([name]);
      continue;
    }
    if (recorded.includes(name)) {
      found.push({ path: name, kind: "add", replaces: false });
      continue;
    }
    const below = listDifferences(field, state[name], declared, [name], traits.computed !== true);
    if (below.length === 0) {
      if (declaredBefore.has(name) || !hasDeclared(state)) continue;
      found.push({ path: name, kind: "add", replaces: false });
      continue;
    }
    found.push(...below.map(({ path, kind }) => ({ path: formatPath(path), kind, replaces: false, name })));
    if (below.every(({ path }) => recorded.includes(formatPath(path)))) continue;
    if (traits.local === true && traits.decidesRead !== true) continue;
    changed.add(name);
    if (traits.replaces !== undefined && traits.moves !== true && traits.local !== true) immutable.push(name);
  }
  const replacement: Replacement = { resource, known: state, inputs, isReplaceable };
  const refused = judgeReplacement(replacement, immutable);
  const undecided = listUndecidedNames(replacement, immutable);
  const replaces = refused.length > 0 ? [] : immutable.filter((name) => !undecided.includes(name));
  const properties = found.map(({ name, ...property }) => ({
    ...property,
    replaces: name !== undefined && replaces.includes(name),
  }));
  return {
    changes: properties.length > 0 || readMarks(state).isPending,
    changed,
    properties,
    recorded: recorded.filter((path) => !isWithin(path, changed)),
    sentAlong: readMarks(state).isAdopted ? listSentAlong(resource, state, inputs, changed) : [],
    // A replacement is made without them.
    staying: replaces.length > 0 ? [] : taken,
    replaces,
    refused,
    deleteBeforeReplace:
      replaces.some((name) => isDeletedFirst(resource, name, inputs)) ||
      cannotCoexist(resource, state, inputs, replaces),
  };
}

function isDeletedFirst(resource: AnyResource, name: string, inputs: Values): boolean {
  const field = fieldOf(resource.inputs, name);
  if (field === undefined || traitsOf(field).replaces !== "delete-first") return false;
  return !readAutonamed(inputs).includes(name);
}

/** Whether an update brings something about where the program no longer has the input. */
function isReset({ unsetsRemovedInputs }: AnyResource, { local, resets }: FieldTraits): boolean {
  return resets === true || (unsetsRemovedInputs === true && local !== true);
}

/** What stays though an update handles what is taken out, and what stays within an option of the provider. */
function listUnresetPaths(own: ResourceDiff | undefined, properties: readonly PropertyDifference[]): Path[] {
  const removed = properties.flatMap(({ path, kind }) => (kind === "delete" ? [path] : []));
  if (own?.listStaying === undefined || removed.length === 0) return [];
  const isRemoved = (path: string): boolean =>
    removed.some((above) => path === above || path.startsWith(`${above}.`));
  return own
    .listStaying()
    .filter(isRemoved)
    .map((path) => path.split("."));
}

/** Whether the replacement cannot be made while the old one is there. */
function cannotCoexist(
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

/** How the declared inputs differ from what is remembered, with what the definition adds to it at a moment. */
export interface TimedDifferences extends Differences {
  /** Outputs that an update renews; none where the whole resource is replaced. */
  readonly renewed: readonly string[];
  /** What an update will do beside these differences; none where the whole resource is replaced. */
  readonly notes: readonly string[];
}

/** Something that cannot be done to what there is. */
interface DiffFault extends CheckFailure {
  /** Only the state tells it: no check of the inputs finds it. */
  readonly isByState: boolean;
}

interface DiffJudgement {
  readonly found: TimedDifferences;
  readonly faults: readonly DiffFault[];
}

interface DiffOptions {
  readonly isReplaceable?: Replacement["isReplaceable"];
  readonly isSecret?: (name: string) => boolean;
}

/** Compares without any call, at a moment, with what cannot be done of it. */
function judgeAt(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  nowMs: number,
  { isReplaceable, isSecret = () => false }: DiffOptions,
): DiffJudgement {
  const differences = diffInputs(resource, state, inputs, isReplaceable);
  const { replaces, refused, deleteBeforeReplace } = differences;
  const isReplaced = replaces.length > 0;
  const own = isReplaced ? undefined : resource.diff?.(state, omitUnknown(inputs), nowMs);
  const ofState = [
    ...(isReplaced && deleteBeforeReplace ? checkSuccessor(resource, inputs) : []),
    // By the state alone, an input that was not declared before differs too.
    ...(isReplaced
      ? listUnlistedValues(resource, inputs, new Set(), { redact: (text) => text, isSecret }).map((each) =>
          refuseUnlisted(resource, each, replaces),
        )
      : []),
    ...(own?.failures ?? []),
  ];
  const faults = [
    ...refused.map((refusal) => ({
      ...explainRefusal({ resource, known: state, inputs }, refusal, isSecret),
      isByState: refusal.isByState,
    })),
    ...ofState.map((failure) => ({ ...failure, isByState: true })),
  ];
  const { renewed = [], notes = [] } = own ?? {};
  const found: TimedDifferences = {
    ...differences,
    staying: [...differences.staying, ...listUnresetPaths(own, differences.properties)],
    renewed,
    notes,
    changes: differences.changes || renewed.length > 0,
    properties: [
      ...differences.properties,
      ...renewed.map((path) => ({ path, kind: "update", replaces: false, isOutput: true }) as const),
    ],
  };
  return { found, faults };
}

function refuse([fault, ...others]: readonly CheckFailure[]): void {
  if (fault === undefined) return;
  throw new InvalidInputError(fault.path, [fault, ...others].map(({ reason }) => reason).join("\n"));
}

/** Compares at a moment inputs that were checked; throws for what only the state tells. */
export function diffAt(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  nowMs: number,
): TimedDifferences {
  const { found, faults } = judgeAt(resource, state, inputs, nowMs, {});
  refuse(faults.filter(({ isByState }) => isByState));
  return found;
}

/** Compares at a moment what is to be brought about; throws for what cannot. */
export function diffForUpdate(
  resource: AnyResource,
  state: Values,
  inputs: Values,
  nowMs: number,
): TimedDifferences {
  const { found, faults } = judgeAt(resource, state, inputs, nowMs, {});
  refuse(faults);
  return found;
}

/** What is deleted first must be something that can be made again: what is gone by then cannot be adopted either. */
function checkSuccessor(resource: AnyResource, inputs: Values): CheckFailure[] {
  const isForCreate = ([name]: [string, unknown]): boolean => name !== "adopt" && name !== "adoptId";
  const anew = Object.fromEntries(Object.entries(inputs).filter(isForCreate));
  const [failure] = checkInputs(resource, anew).failures;
  return failure === undefined ? [] : [{ path: failure.path, reason: `${failure.path}: ${failure.reason}` }];
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
): TimedDifferences {
  const state = upgradeState(resource, recorded);
  const { ledger, program } = runtime;
  const owner = readOwner({ ...state, ...inputs });
  const claim = withId(createClaim(resource, state, owner), id);
  const kept = ledger.confirmRecorded(claim, state);
  program.recordState(resource, { ...state, [OWNER]: owner }, kept);
  declareOwner(runtime, resource, claim, state);
  const isReplaceable = (parent: string): boolean => program.isReplaceable(parent);
  const { found, faults } = judgeAt(resource, state, inputs, runtime.clock.now(), {
    isReplaceable,
    isSecret,
  });
  // A refresh asks for a difference without a check, and fails where none is answered.
  const checked = program.findCheck(resource.type, owner, inputs);
  if (checked !== undefined) refuse(faults.filter(({ isByState }) => isByState || checked.hadBefore));
  const subject = formatKnownSubject(claim);
  if (found.recorded.length > 0) runtime.info(describeNotSent(found.recorded), subject);
  if (found.sentAlong.length > 0) runtime.info(describeSentAlong(found.sentAlong), subject);
  for (const path of found.staying) runtime.info(describeUnmanaged(resource, state, path, isSecret), subject);
  for (const line of found.notes) runtime.info(line, subject);
  // Nothing is planned where nothing was checked.
  if (checked !== undefined && found.changes)
    for (const line of listPlanLines(runtime, resource, { state, inputs }, found, isSecret))
      runtime.info(line, subject);
  return kept === undefined ? found : { ...found, changes: true };
}

function listPlanLines(
  { program }: Pick<Runtime, "program">,
  resource: AnyResource,
  { state, inputs }: { readonly state: Values; readonly inputs: Values },
  { replaces, renewed }: TimedDifferences,
  isSecret: (name: string) => boolean,
): string[] {
  const isReplaced = replaces.length > 0;
  return [
    ...(isReplaced ? describeCreation(program, resource, inputs) : describeUpdate(resource, state, inputs)),
    ...describeChanges(resource, state, inputs, isSecret),
    ...(resource.plan?.describe === undefined ? formatPlanLine("will be renewed", renewed) : []),
  ];
}
