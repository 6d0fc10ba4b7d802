import { formatCodeList } from "../define/format-code-list";
import { fieldOf, isOptional, traitsOf } from "../define/markers";
import { topName } from "../define/property-path";
import type { AnyResource, CheckFailure } from "../define/resource";
import { hasUnknown } from "../define/unknown";
import type { Values } from "../define/values";
import { parentInputs } from "../ledger/claim";
import { describeOwner, readOwner } from "../ledger/owner";
import { findManager, type CollectionManager, type ProgramIndex } from "../ledger/program-index";
import { allowsDuplicates } from "./create/fingerprint";

/** What a resource cannot be beside others of its program; `failures` are what is wrong with its inputs. */
export function checkAgainstProgram(
  program: ProgramIndex,
  resource: AnyResource,
  inputs: Values,
  failures: readonly CheckFailure[],
): CheckFailure[] {
  const valid = omitFaulty(inputs, failures);
  const ofOneName = checkName(program, resource, valid);
  return ofOneName.length > 0 ? ofOneName : checkCollection(program, resource, valid);
}

/** Without the inputs that a failure is about: a definition's functions take values that its schema allows. */
function omitFaulty(inputs: Values, failures: readonly CheckFailure[]): Values {
  const faulty = new Set(failures.map(({ path }) => topName(path)));
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !faulty.has(name)));
}

/** Two resources of one name would become one object, or two that only one was meant to be. */
function checkName(program: ProgramIndex, resource: AnyResource, inputs: Values): CheckFailure[] {
  const { uniqueBy } = resource;
  const owner = readOwner(inputs);
  if (uniqueBy === undefined || owner === "" || allowsDuplicates(resource, inputs)) return [];
  // Where one of several inputs names the object, the others are not given.
  const isAlternative = (name: string): boolean => {
    const field = fieldOf(resource.inputs, name);
    return field === undefined || (isOptional(field) && inputs[name] === undefined);
  };
  const naming = [...new Set([...parentInputs(resource), ...uniqueBy])].filter(
    (name) => !isAlternative(name),
  );
  const isNamed = uniqueBy.length === 0 || uniqueBy.some((name) => naming.includes(name));
  const isKnown = naming.every((name) => inputs[name] !== undefined && !hasUnknown(inputs[name]));
  if (!isNamed || !isKnown) return [];
  const values = naming.map((name) => normalizeInput(resource, name, inputs[name]));
  const other = program.claimName(owner, JSON.stringify([resource.type, naming, ...values]));
  if (other === undefined) return [];
  const path = naming.at(-1) ?? "";
  const equal = naming.map((name) => `\`${name}\``).join(" and ");
  const reason =
    `${describeOwner(other)} declares the same ${resource.type}, with the same ${equal}. Both would be one object on the service. ` +
    `Nothing was created for this one. Remove one of the two from the program, or change its ${equal}.`;
  return [{ path, reason }];
}

function normalizeInput(resource: AnyResource, name: string, value: unknown): unknown {
  const field = fieldOf(resource.inputs, name);
  return field === undefined ? value : (traitsOf(field).normalize?.(value) ?? value);
}

/** Nothing may stand beside what manages the whole of a collection, and what two declare would be one object. */
function checkCollection(program: ProgramIndex, resource: AnyResource, inputs: Values): CheckFailure[] {
  const manager = findManager(resource, inputs);
  if (manager === undefined) return [];
  for (const other of program.listOtherManagers(manager)) {
    const reason = describeConflict(other, manager);
    if (reason !== undefined) return [{ path: parentInputs(resource)[0] ?? "", reason }];
  }
  program.recordManager(manager);
  return [];
}

function describeConflict(other: CollectionManager, manager: CollectionManager): string | undefined {
  const named = `${describeOwner(other.owner)} (${other.type})`;
  if (isWhole(manager) || isWhole(other)) {
    const whole = isWhole(manager) ? manager.type : other.type;
    return (
      `${named} manages the ${manager.collection} of the same project: ` +
      `${whole} manages all of them, so no other resource of the program can. Nothing was done for this one. ` +
      `Declare everything in the ${whole}, or remove it from the program.`
    );
  }
  const common = [...(manager.names ?? [])].filter((name) => other.names?.has(name) === true);
  if (common.length === 0) return undefined;
  return (
    `${named} declares the same ${manager.collection} of the project, ${formatCodeList(common)}. Both would be one object on the service. ` +
    "Nothing was done for this one. Remove them from one of the two."
  );
}

/** Why a delete leaves everything as it is: another resource of the program manages it from this run on. */
export function explainSuccession(
  program: ProgramIndex,
  resource: AnyResource,
  state: Values,
): string | undefined {
  const manager = findManager(resource, state);
  const next =
    manager &&
    program
      .listOtherManagers(manager)
      .find((other) => other.type !== manager.type && coversAll(other, manager));
  if (manager === undefined || next === undefined) return undefined;
  return (
    `the ${manager.collection} of the project ${manager.parent} were not deleted: ${describeOwner(next.owner)} (${next.type}) manages them now. ` +
    "Only the record of this resource was removed from Pulumi's state."
  );
}

/** Whether all that the one has had is the other's now. */
function coversAll(other: CollectionManager, manager: CollectionManager): boolean {
  if (isWhole(other)) return true;
  const { names } = manager;
  if (names === undefined) return isWhole(manager);
  return names.size > 0 && [...names].every((name) => other.names?.has(name) === true);
}

function isWhole({ extent }: CollectionManager): boolean {
  return extent === "whole";
}
