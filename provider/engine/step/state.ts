import { withoutNestedUndefined } from "../../define/without-undefined";
import type { AnyResource, Observed } from "../../define/resource";
import { markedFields } from "../../define/markers";
import { differences } from "../../define/compare";

/** Values of a resource by property name. Names that begin with `__` are the lifecycle's own and never compared. */
export type Values = Record<string, unknown>;

/** The names of the inputs that the program declared: only those are managed. */
const DECLARED = "__declared";
/** Distinguishes Pulumi's record of an object from other records of the same object. */
export const RECORD = "__record";
/** Set while a resource exists that has not settled yet. */
const PENDING = "__pending";

export function isOwnKey(name: string): boolean {
  return name.startsWith("__");
}

/** A state in today's form, whichever version wrote it. */
export function upgradeState(resource: AnyResource, state: Values): Values {
  return resource.upgrade?.(state) ?? state;
}

export function isPending(state: Values): boolean {
  return state[PENDING] === true;
}

export function readRecordId(state: Values): string {
  const record = state[RECORD];
  return typeof record === "string" ? record : "";
}

export function asPending(state: Values): Values {
  return { ...state, [PENDING]: true };
}

/** The declared inputs within a remembered state. */
export function pickDeclared(resource: AnyResource, state: Values): Values {
  const listed = state[DECLARED];
  const names = Array.isArray(listed)
    ? listed.filter((name): name is string => typeof name === "string")
    : Object.keys(resource.inputs.shape).filter((name) => !(name in resource.outputs.shape));
  return Object.fromEntries(
    names.filter((name) => state[name] !== undefined).map((name) => [name, state[name]]),
  );
}

export function declaredNames(resource: AnyResource, state: Values): Set<string> {
  const listed = state[DECLARED];
  return new Set(
    Array.isArray(listed)
      ? listed.filter((name): name is string => typeof name === "string")
      : Object.keys(pickDeclared(resource, state)),
  );
}

/** Whether the state says which inputs are managed; without it an output cannot be distinguished from an input of its name. */
export function hasDeclared(state: Values): boolean {
  return Array.isArray(state[DECLARED]);
}

export function pickOutputs(resource: AnyResource, state: Values): Values {
  const { outputs, bookkeeping } = resource;
  return pick(state, [...Object.keys(outputs.shape), ...Object.keys(bookkeeping?.shape ?? {})]);
}

/**
 * The state to remember: each declared input as the service has it, in the declared spelling where both mean the same,
 * and the outputs. What the service does not return stays as declared.
 */
export function remember(
  resource: AnyResource,
  declared: Values,
  observed: Partial<Observed<Values, Values>>,
): Values {
  const inputs: Values = {};
  const names: string[] = [];
  for (const [name, field, traits] of markedFields(resource.inputs)) {
    if (traits.createOnly === true || declared[name] === undefined || declared[name] === null) continue;
    names.push(name);
    const seen = traits.local === true ? undefined : observed.inputs?.[name];
    if (seen === null) continue;
    const asDeclared = seen === undefined || differences(field, seen, declared[name]).length === 0;
    inputs[name] = asDeclared ? declared[name] : seen;
  }
  const outputs = Object.entries(withoutUndefined(observed.outputs ?? {})).map(
    ([name, value]) => [name, withoutNestedUndefined(value)] as const,
  );
  return { ...Object.fromEntries(outputs), ...inputs, [DECLARED]: names.sort() };
}

export function withoutUndefined(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  );
}

export function pick(values: Values, names: Iterable<string>): Values {
  return Object.fromEntries(
    [...names].filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}
