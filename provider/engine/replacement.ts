import { listDifferences } from "../define/compare";
import { fieldOf, isOptional, listMarkedFields, traitsOf } from "../define/markers";
import { findUnlisted } from "../define/open-values";
import { PROTECTION_INPUT, type AnyResource, type CheckFailure } from "../define/resource";
import { hasUnknown } from "../define/unknown";
import { parentInputs } from "../ledger/claim";
import { isUrn, readOwner, urnOf, UNKNOWN_URN } from "../ledger/owner";
import {
  fixedProblems,
  keepingProblems,
  moveProblems,
  protectionProblems,
  resourceProblems,
} from "./step/problems";
import type { Values } from "../define/values";
import { listDeclaredNames, hasDeclared } from "./step/state";
import { DEPENDENTS, explainProtection } from "./step/protection";
import { readMarks } from "../define/state-marks";

/** What a replacement is judged by: what is known of the object, and what is declared. */
export interface Replacement {
  readonly resource: AnyResource;
  /** The state, or the inputs that the engine has recorded. */
  readonly known: Values;
  readonly inputs: Values;
  /** Whether the parent of this reference may be replaced, with everything in it. */
  readonly isReplaceable: (parent: string) => boolean;
}

/** A difference in what cannot be changed in place, which is not replaced. */
export interface ReplacementRefusal {
  readonly name: string;
  /** Ends the message. */
  readonly says: "protected" | "kept" | "deletes others'" | "never" | "moves too" | "not a value";
  /** Only the state tells it: the inputs that the engine has recorded do not. */
  readonly isByState: boolean;
}

/**
 * The refusals of `names`, inputs that differ and cannot be changed in place. Pulumi does not tell a provider whether the
 * program changed or the service did, so both are judged alike.
 */
export function judgeReplacement(replacement: Replacement, names: readonly string[]): ReplacementRefusal[] {
  if (names.length === 0 || goesWithParent(replacement)) return [];
  const { resource, known, inputs } = replacement;
  const isAlwaysKept = explainProtection(resource, known, inputs) !== undefined;
  const isToMove = findMove(replacement) === "moves";
  return names.flatMap((name): ReplacementRefusal[] => {
    if (hasUnknown(inputs[name])) return [];
    const { insteadOfReplacement, replacementDeletes } = findTraits(resource, name);
    if (insteadOfReplacement !== undefined) return [{ name, says: "never", isByState: false }];
    if (isToMove) return [{ name, says: "moves too", isByState: false }];
    if (isAlwaysKept) return [{ name, says: "protected", isByState: isKnownFromState(replacement) }];
    if (resource.explainKept?.(known) !== undefined) return [{ name, says: "kept", isByState: true }];
    if (replacementDeletes !== undefined) return [{ name, says: "deletes others'", isByState: false }];
    return isNoValue(resource, known, name) ? [{ name, says: "not a value", isByState: true }] : [];
  });
}

/** Of `names`, those whose value is not known yet: only then it shows whether the object is kept. */
export function listUndecidedNames(replacement: Replacement, names: readonly string[]): string[] {
  const { resource, known, inputs } = replacement;
  if (goesWithParent(replacement)) return [];
  if (findMove(replacement) === "unknown") return [...names];
  const isAlwaysKept =
    explainProtection(resource, known, inputs) !== undefined || resource.explainKept?.(known) !== undefined;
  return names.filter((name) => {
    const { insteadOfReplacement, replacementDeletes } = findTraits(resource, name);
    const isKept = isAlwaysKept || insteadOfReplacement !== undefined || replacementDeletes !== undefined;
    return isKept && hasUnknown(inputs[name]);
  });
}

/** Whether the object is to move, beside what else differs: a replacement would make another one in the new place. */
function findMove({
  resource,
  known,
  inputs,
}: Pick<Replacement, "resource" | "known" | "inputs">): "stays" | "moves" | "unknown" {
  const moving = listMarkedFields(resource.inputs).filter(
    ([name, field, { moves }]) =>
      moves === true &&
      isGiven(known[name]) &&
      isGiven(inputs[name]) &&
      listDifferences(field, known[name], inputs[name], [name], true).length > 0,
  );
  if (moving.length === 0) return "stays";
  return moving.some(([name]) => hasUnknown(inputs[name])) ? "unknown" : "moves";
}

/** The inputs that differ from those before, as a check is given them, and cannot be changed in place. */
export function listReplacingNames({ resource, known, inputs }: Replacement): string[] {
  return listMarkedFields(resource.inputs).flatMap(
    ([name, field, { replaces, moves, local, createOnly }]) => {
      if (replaces === undefined || moves === true || local === true || createOnly === true) return [];
      const [before, declared] = [known[name], inputs[name]];
      if (!isGiven(before) || !isGiven(declared) || hasUnknown(before) || hasUnknown(declared)) return [];
      return listDifferences(field, before, declared, [name], true).length > 0 ? [name] : [];
    },
  );
}

/** The refusal as it is reported: what is declared, what is known, and what to do. */
export function explainRefusal(
  { resource, known, inputs }: Omit<Replacement, "isReplaceable">,
  { name, says }: ReplacementRefusal,
  isSecret: (name: string) => boolean,
): CheckFailure {
  const { type } = resource;
  const traits = findTraits(resource, name);
  const isHidden = traits.secret === true || isSecret(name);
  const formatShownValues = (value: unknown): string =>
    isGiven(value) ? (isHidden ? "[secret]" : JSON.stringify(value)) : "no value";
  const [declared, found] = [formatShownValues(inputs[name]), formatShownValues(known[name])];
  const keep = isGiven(known[name]) ? `declare ${found}` : `remove \`${name}\` from the program`;
  const values = { type, name, declared, found, keep };
  if (says === "never") {
    const advice = traits.insteadOfReplacement ?? "";
    return { path: name, reason: fixedProblems.neverReplaced.message({ ...values, advice }) };
  }
  if (says === "moves too") return { path: name, reason: moveProblems.movesToo.message(values) };
  if (says === "kept") {
    const advice = resource.explainKept?.(known) ?? "";
    return { path: name, reason: keepingProblems.keptAsItIs.message({ ...values, advice }) };
  }
  if (says === "protected") {
    const why = explainProtection(resource, known, inputs) ?? "";
    const told = { ...values, protection: PROTECTION_INPUT, why, dependents: DEPENDENTS };
    return { path: name, reason: protectionProblems.notReplaced.message(told) };
  }
  const owner = readOwner({ ...known, ...inputs });
  const urn = (isUrn(owner) ? owner : urnOf(owner, type)) ?? UNKNOWN_URN;
  const deletes = traits.replacementDeletes ?? "the present one";
  const isFirst =
    traits.replaces === "delete-first" ||
    resource.uniqueBy?.includes(name) === false ||
    resource.deletesFirst?.(known, inputs) === true;
  const option = isFirst ? "set the resource option `deleteBeforeReplace: true` and " : "";
  return {
    path: name,
    reason: resourceProblems.replacedWhenTargeted.message({ ...values, deletes, option, urn }),
  };
}

/**
 * A parent that is replaced takes the object along, whatever else differs, but not one that is protected by its own word. A parent that
 * is not known yet may well be the same one: before a replacement, the engine asks with what depends on it unknown.
 */
function goesWithParent({ resource, known, inputs, isReplaceable }: Replacement): boolean {
  if ([known, inputs].some((values) => values[PROTECTION_INPUT] === true)) return false;
  return parentInputs(resource).some((name) => {
    const before = known[name];
    return typeof before === "string" && before !== inputs[name] && isReplaceable(before);
  });
}

/** Whether the recorded inputs alone would not have refused it. */
function isKnownFromState({ resource, known, inputs }: Replacement): boolean {
  if (readMarks(known).isAdopted) return true;
  const declared = listDeclaredNames(resource, known);
  const recorded = Object.fromEntries(Object.entries(known).filter(([name]) => declared.has(name)));
  return explainProtection(resource, recorded, inputs) === undefined;
}

/** What the service shows is no value of this version, or none at all: that is no reason to delete anything. */
function isNoValue(resource: AnyResource, known: Values, name: string): boolean {
  const field = fieldOf(resource.inputs, name);
  if (field === undefined) return false;
  const found = known[name];
  if (!isGiven(found))
    return !isOptional(field) && hasDeclared(known) && listDeclaredNames(resource, known).has(name);
  return !hasUnknown(found) && (!field.safeParse(found).success || findUnlisted(field, found).length > 0);
}

function findTraits(resource: AnyResource, name: string): ReturnType<typeof traitsOf> {
  const field = fieldOf(resource.inputs, name);
  return field === undefined ? {} : traitsOf(field);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
