import type { AnyResource, ObservedResource } from "../../define/resource";
import { listMarkedFields } from "../../define/markers";
import { listDifferingPaths } from "../../define/compare";
import { readMarks, writeMarks } from "../../define/state-marks";
import { omitNestedUndefined, omitUndefined, pick, type Values } from "../../define/values";

/** A state in today's form, whichever version wrote it. */
export function upgradeState(resource: AnyResource, state: Values): Values {
  return resource.upgrade?.(state) ?? state;
}

/** The declared inputs within a remembered state. */
export function pickDeclared(resource: AnyResource, state: Values): Values {
  const names =
    readMarks(state).declared ??
    Object.keys(resource.inputs.shape).filter((name) => !(name in resource.outputs.shape));
  return pick(state, names);
}

export function listDeclaredNames(resource: AnyResource, state: Values): Set<string> {
  return new Set(readMarks(state).declared ?? Object.keys(pickDeclared(resource, state)));
}

/** Whether the state says which inputs are managed; without it an output cannot be distinguished from an input of its name. */
export function hasDeclared(state: Values): boolean {
  return readMarks(state).declared !== undefined;
}

export function pickOutputs(resource: AnyResource, state: Values): Values {
  const { outputs, bookkeeping } = resource;
  return pick(state, [...Object.keys(outputs.shape), ...Object.keys(bookkeeping?.shape ?? {})]);
}

/**
 * The state to remember: each declared input as the service has it, in the declared spelling where both mean the same,
 * and the outputs. What the service does not return stays as declared.
 */
export function composeState(
  resource: AnyResource,
  declared: Values,
  observed: Partial<ObservedResource<Values, Values>>,
): Values {
  const inputs: Values = {};
  const names: string[] = [];
  for (const [name, field, traits] of listMarkedFields(resource.inputs)) {
    if (traits.createOnly === true || declared[name] === undefined || declared[name] === null) continue;
    names.push(name);
    const seen = traits.local === true ? undefined : observed.inputs?.[name];
    if (seen === null) continue;
    const asDeclared = seen === undefined || listDifferingPaths(field, seen, declared[name]).length === 0;
    inputs[name] = asDeclared ? declared[name] : seen;
  }
  const outputs = Object.entries(omitUndefined(observed.outputs ?? {})).map(
    ([name, value]) => [name, omitNestedUndefined(value)] as const,
  );
  return writeMarks({ ...Object.fromEntries(outputs), ...inputs }, { declared: names.sort() });
}
